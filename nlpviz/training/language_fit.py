"""The training loop of a language model: one long text in parallel rows, backpropagation through time, truncated.

The text is cut into rows of equal length that are read side by side, some steps at a time; each row goes on from the
state that it was left in, and gradients end where the steps begin (Mikolov et al. 2010; Zaremba et al. 2014). The
softmax is estimated (:mod:`nlpviz.training.estimated_softmax`); what is measured and kept is of the whole one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm

from nlpviz.networks.language_networks import LanguageNetwork
from nlpviz.results.history import LanguageEpoch
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.devices import sent, set_precision
from nlpviz.training.estimated_softmax import Candidates, candidates, estimated
from nlpviz.training.language_loss import mean_loss, rows_on
from nlpviz.training.loop import Learner, Training, fit_epochs
from nlpviz.training.schedule import rate_at

TRAIN_SAMPLE = 50_000
"""Words at the beginning of the training text on which an epoch is measured."""


@dataclass(frozen=True)
class LanguageFit:
    """How a language model is fitted.

    Attributes:
        epochs: passes over the training text, or over one part of it.
        parts: of a long training text: each epoch reads one of so many, in turn.
        rows: texts that are read side by side.
        steps: words of each row that gradients go back over.
        learning_rate: of AdamW (Loshchilov and Hutter 2019), at its highest.
        warmup: steps over which the rate grows to that.
        final_rate: the share of it that is left at the last step; it falls evenly.
        weight_decay: of AdamW.
        averaging: decay of the moving average of the weights, which is what is measured and kept.
        clip: the norm that a step's gradient is scaled down to.
        common: the commonest words, which every step counts as they are.
        sampled: other words that stand for the rest in a step; 0 counts all.
        seed: of initial weights, dropout, where rows begin, and the words that are drawn.
        precision: of matrix products in single precision, as torch names it: ``"high"`` lets a GPU use TensorFloat-32.
    """

    epochs: int = 10
    parts: int = 1
    rows: int = 64
    steps: int = 35
    learning_rate: float = 3e-3
    warmup: int = 200
    final_rate: float = 0.02
    weight_decay: float = 0.0
    averaging: float = 0.999
    clip: float = 1.0
    common: int = 1000
    sampled: int = 1000
    seed: int = 0
    precision: str = "highest"


class Texts(NamedTuple):
    """The training and the validation text as ids, and the one that the first word of a text is predicted from."""

    train: NDArray[np.int64]
    validation: NDArray[np.int64]
    boundary: int


def fit_language_model(
    model: LanguageNetwork, texts: Texts, settings: LanguageFit, folder: Path
) -> list[LanguageEpoch]:
    """Train ``model`` in ``folder`` (:func:`nlpviz.training.loop.fit_epochs`), and return the epochs' records."""
    set_precision(settings.precision)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True
    )
    learner = Learner(model, optimizer, WeightAverage(model, settings.averaging))
    training = Training(
        record=LanguageEpoch,
        settings=settings,
        examples=(len(texts.train), len(texts.validation)),
        train_epoch=partial(_train_epoch, learner, texts, settings),
        validate=partial(_validate, texts),
        score=score,
        progress=_line,
    )
    return fit_epochs(training, learner, folder)


def _validate(texts: Texts, kept: nn.Module) -> dict[str, float]:
    """Return the losses on the beginning of the training text and on the validation text."""
    model, rows = cast("LanguageNetwork", kept), rows_on(next(kept.parameters()).device)
    return {
        "train_loss": mean_loss(model, texts.train[:TRAIN_SAMPLE], texts.boundary, rows),
        "validation_loss": mean_loss(model, texts.validation, texts.boundary, rows),
    }


@torch.inference_mode()
def word_losses(model: LanguageNetwork, texts: Texts) -> NDArray[np.float32]:
    """Return -log p of each word of the validation text (N,), in nats, read at once as one stream."""
    words = torch.from_numpy(texts.validation).to(next(model.parameters()).device)
    # A word is predicted from those before it: the input is the text shifted by one.
    before = torch.cat([words.new_tensor([texts.boundary]), words[:-1]])
    hidden, _ = model.eval().read_on(model.embed(before.unsqueeze(0)), model.start(1))
    losses = nn.functional.cross_entropy(model.predict(hidden[0]), words, reduction="none")
    return np.asarray(losses.cpu().numpy())


def _train_epoch(
    learner: Learner, texts: Texts, settings: LanguageFit, epoch: int, rng: np.random.Generator
) -> dict[str, float]:
    """Make one pass over the training text, or over one of its parts; return the mean gradient norm."""
    model, device = cast("LanguageNetwork", learner.model), next(learner.model.parameters()).device
    norms = []
    state, ids_of_words = model.start(settings.rows), model.predicted
    text = np.array_split(texts.train, settings.parts)[(epoch - 1) % settings.parts]
    total = steps_of(len(text), settings) * settings.epochs
    for piece in tqdm(pieces(text, settings, rng), total=steps_of(len(text), settings), unit="step", leave=False):
        rate = rate_at(learner.average.steps + 1, total, settings.learning_rate, settings.warmup, settings.final_rate)
        ids = sent(torch.from_numpy(piece), device)  # (B, steps + 1)
        # Truncated backpropagation through time: the state is carried on, its gradient is not.
        hidden, state = model.read_on(model.embed(ids[:, :-1]), state)
        targets = ids[:, 1:].flatten()
        whole = not (settings.sampled or device.type == "cpu")
        came = piece[:, 1:].ravel()
        chosen = None if whole else candidates(came, ids_of_words, settings.common, settings.sampled, rng)
        loss = _loss(model, hidden.flatten(0, 1), targets, chosen)
        norms.append(learner.step(loss, settings.clip, rate))
    return {"gradient_norm": float(torch.stack(norms).mean())}


def _loss(model: LanguageNetwork, hidden: Tensor, targets: Tensor, chosen: Candidates | None) -> Tensor:
    """Return the mean cross-entropy of ``targets`` (N,), its denominator estimated from some words, or of all words.

    With all of them as candidates it is the same but for rounding; a GPU would look up every word of a list first.
    """
    if chosen is None:
        return functional.cross_entropy(model.predict(hidden), targets)
    logits = estimated(lambda ids: model.predict(hidden, ids), targets, chosen)
    return (logits.denominator - logits.right).mean()


def steps_of(words: int, settings: LanguageFit) -> int:
    """Return how many steps one pass over a text of so many words has."""
    return max((words // settings.rows - 1) // settings.steps, 1)


def pieces(text: NDArray[np.int64], settings: LanguageFit, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Yield what is read at each step, (rows, steps + 1): the first word of a piece is the last one of that before.

    The text is turned round by a random number of words, so that it is cut in other places in every pass.
    """
    turned = np.roll(text, -int(rng.integers(len(text))))
    length = len(turned) // settings.rows
    rows = turned[: settings.rows * length].reshape(settings.rows, length)
    for step in range(steps_of(len(text), settings)):
        yield rows[:, step * settings.steps : (step + 1) * settings.steps + 1]


def score(record: LanguageEpoch) -> float:
    """Return what an epoch is chosen by: minus the validation loss."""
    return -record.validation_loss


def _line(record: LanguageEpoch) -> str:
    """Return the progress line after an epoch."""
    perplexity = float(np.exp(record.validation_loss))
    return (
        f"epoch {record.epoch}: train {record.train_loss:.3f} nats, validation {record.validation_loss:.3f} "
        f"(perplexity {perplexity:.2f}); {record.seconds:.1f} s"
    )
