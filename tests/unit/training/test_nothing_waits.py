"""A training step on a device of which no number can be read: nothing waits for a GPU, nor lies on another device.

Torch's device "meta" computes shapes alone. What reads a number there, or puts tensors of two devices together, raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import architectures, translators
from nlpviz.networks.language_networks import LanguageNetwork
from nlpviz.training.devices import sent
from nlpviz.training.estimated_softmax import candidates
from nlpviz.training.language_fit import _loss
from nlpviz.training.measures import losses, predicted_classes
from nlpviz.training.translator_fit import SentencePairs, TranslatorFit, _batches, _smoothed_loss, _states

DEVICE = torch.device("meta")
RECURRENT = [
    {"cell": cell, "layers": 2, "bidirectional": ways, "reading": reading}
    for cell, ways, reading in (("lstm", False, "max"), ("gru", True, "last"), ("elman", False, "mean"))
]


def stepped(model: nn.Module, loss: Tensor) -> None:
    """Take the way back, and scale the gradients down, as the training loops do."""
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    assert norm.device == DEVICE
    assert all(weight.grad is not None for weight in model.parameters() if weight.requires_grad)


@pytest.mark.parametrize(
    ("name", "config"),
    [
        *(("recurrent-network", config) for config in RECURRENT),
        ("recurrent-network", {"cell": "lstm", "dimensions": 8, "cutoffs": (10, 20), "word_dropout": 0.2}),
        ("recurrent-network", {"cell": "gated"}),
        ("attentive-rnn", {}),
        ("cnn", {}),
        ("tcn", {}),
        ("qrnn", {}),
        ("skip-rnn", {}),
        ("transformer-encoder", {}),
    ],
)
def test_a_classifier_learns(name: str, config: Mapping[str, Any]) -> None:
    architecture = architectures()[name]
    model = architecture.build(architecture.config(30, **config)).to(DEVICE)
    ids, labels = torch.ones(6, 40, dtype=torch.long, device=DEVICE), torch.ones(6, dtype=torch.long, device=DEVICE)
    stepped(model, losses(model(ids), labels).mean())
    with torch.inference_mode():
        assert predicted_classes(model.eval()(ids)).device == DEVICE


@pytest.mark.parametrize("cutoffs", [(), (10, 20)])
@pytest.mark.parametrize("name", ["recurrent-language-model", "causal-transformer", "neural-ngram"])
def test_a_language_model_learns(name: str, cutoffs: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    architecture = architectures()[name]
    model = architecture.build(architecture.config(40, dimensions=16, cutoffs=cutoffs)).to(DEVICE)
    assert isinstance(model, LanguageNetwork)
    state = model.start(4)
    for whole in (False, True):
        piece = rng.integers(1, 40, (4, 11))
        ids = sent(torch.from_numpy(piece), DEVICE)
        hidden, state = model.read_on(model.embed(ids[:, :-1]), state)
        chosen = candidates(piece[:, 1:].ravel(), model.predicted, 5, 5, rng)
        model.zero_grad()
        stepped(model, _loss(model, hidden.flatten(0, 1), ids[:, 1:].flatten(), None if whole else chosen))


def test_a_translator_learns() -> None:
    rng = np.random.default_rng(0)
    architecture = translators()["transformer-translator"]
    model = architecture.build(architecture.config(20, 30)).to(DEVICE)
    pairs = SentencePairs(*([rng.integers(3, 20, length) for length in (4, 4, 4)] for _ in range(2)))
    (batch,) = _batches(pairs, 2, 8, rng, DEVICE)
    fit = TranslatorFit(common=5, sampled=5)
    stepped(model, _smoothed_loss(model, _states(model, batch), batch.targets, fit, rng))  # type: ignore[arg-type]
