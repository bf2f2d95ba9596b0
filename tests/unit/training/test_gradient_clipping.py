"""Gradients that are clipped, and what a model adds to its loss, against a plain step of gradient descent."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

import nlpviz.training.fit as loop
from nlpviz.networks.architectures import Penalised, padded
from nlpviz.networks.architectures.skip_rnn import SkipConfig, SkipRNN
from nlpviz.results.history import EpochRecord
from nlpviz.training import accelerator_for
from nlpviz.training.fit import FitSettings, fit
from tests import toy

TEXTS = toy.labelled("train", 16)
RATE = 0.5


@pytest.fixture(autouse=True)
def plain_descent(monkeypatch: pytest.MonkeyPatch) -> None:
    """AdamW divides a gradient by its own size: what clipping does is seen in a plain step."""
    monkeypatch.setattr(loop, "optimizer_of", lambda model, _: torch.optim.SGD(model.parameters(), lr=RATE))


def network(budget: float = 0.0) -> SkipRNN:
    """Return a network without dropout, whose updates cost ``budget``."""
    torch.manual_seed(18)
    return SkipRNN(SkipConfig(len(toy.vocabulary()) + 2, dimensions=5, units=6, dropout=0.0, budget=budget))


def stepped(model: nn.Module, folder: Path, clip: float) -> EpochRecord:
    """Take one step on all texts; return the epoch's record."""
    folder.mkdir(exist_ok=True)
    settings = FitSettings(epochs=1, batch_size=len(TEXTS), learning_rate=RATE, clip=clip)
    return fit(model, TEXTS, toy.labelled("test", 8), settings, folder, accelerator_for("cpu"))[-1]


def gradients(model: nn.Module) -> list[Tensor]:
    """Return the gradient of the mean loss of all texts, with the penalty that the model names."""
    answered = model.train()(padded(TEXTS.ids))
    assert isinstance(answered, Penalised)
    labels = torch.from_numpy(TEXTS.labels).float()
    loss = functional.binary_cross_entropy_with_logits(answered.logits[:, 0], labels) + answered.penalty.mean()
    return list(torch.autograd.grad(loss, list(model.parameters())))


@pytest.mark.parametrize("share", [0.25, 4.0, 0.0], ids=["larger", "smaller", "no threshold"])
def test_a_larger_gradient_is_scaled_to_the_threshold(tmp_path: Path, share: float) -> None:
    """All parameters together, by one factor; what is recorded is the norm before."""
    model = network()
    before, expected = deepcopy(model), gradients(model)
    norm = torch.cat([one.flatten() for one in expected]).norm().item()
    record = stepped(model, tmp_path, clip=share * norm)
    assert record.gradient_norm == pytest.approx(norm, rel=1e-4)
    factor = share if share == 0.25 else 1.0
    taken = []
    for old, new, gradient in zip(before.parameters(), model.parameters(), expected, strict=True):
        torch.testing.assert_close(new.detach(), old.detach() - RATE * factor * gradient, rtol=1e-4, atol=1e-6)
        taken.append((old - new).detach().flatten() / RATE)
    assert torch.cat(taken).norm().item() == pytest.approx(factor * norm, rel=1e-3)


def test_what_a_model_pays_is_in_its_loss_in_training_alone(tmp_path: Path) -> None:
    costly, free = network(budget=0.5), network(budget=0.0)
    before, with_price, without = deepcopy(costly), gradients(costly), gradients(free)
    assert any(not torch.allclose(one, other) for one, other in zip(with_price, without, strict=True))
    for model, folder, expected in ((costly, "costly", with_price), (free, "free", without)):
        record = stepped(model, tmp_path / folder, clip=0.0)
        for old, new, gradient in zip(before.parameters(), model.parameters(), expected, strict=True):
            torch.testing.assert_close(new.detach(), old.detach() - RATE * gradient, rtol=1e-4, atol=1e-6)
        labels = torch.from_numpy(TEXTS.labels).float()
        measured = functional.binary_cross_entropy_with_logits(model.eval()(padded(TEXTS.ids))[:, 0], labels)
        assert record.train_loss == pytest.approx(measured.item(), rel=1e-4)
