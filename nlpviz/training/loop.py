"""The training loop of every network: seeded, resumable, an epoch at a time, each one measured and kept.

Order, dropout and all that is drawn are seeded by the epoch, so that a resumed training repeats an uninterrupted one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from tqdm import tqdm

from nlpviz.runs.weights import weights_file
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.bounds import another_epoch
from nlpviz.training.manifest import TimedEpoch
from nlpviz.training.state import TrainingState

Record = TypeVar("Record", bound=TimedEpoch)


class Learner(NamedTuple):
    """What a step changes: weights, the optimizer's state, and the average of the weights, which is kept."""

    model: nn.Module
    optimizer: torch.optim.Optimizer
    average: WeightAverage

    def step(self, loss: Tensor, clip: float, rate: float | None = None) -> Tensor:
        """Descend along the gradient of ``loss``, scaled down to the norm ``clip``; return its norm before that."""
        if rate is not None:
            for group in self.optimizer.param_groups:
                group["lr"] = rate
        self.optimizer.zero_grad()
        torch.autograd.backward(loss)
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), clip)
        self.optimizer.step()
        self.average.update()
        return norm


@dataclass(frozen=True)
class Training(Generic[Record]):
    """What an epoch is for a family of networks.

    Attributes:
        record: of an epoch, a dataclass.
        settings: a dataclass with the fields ``epochs``, the number of the last one, and ``seed``.
        examples: how many there are, of whatever they consist: a stopped training does not go on with others.
        train_epoch: makes the pass with a number, draws with a generator, and returns the record's fields of the pass.
        validate: returns the record's fields of what the kept weights reach.
        score: of a record: the best epoch has the highest, the first of equals.
        progress: returns the line about an epoch.
        before: the record's fields of a pass, of epoch 0, which is before training.
        patience: stop so many epochs after the best one; None stops at the last one.
        keep: writes what else is kept of the epoch with a number; None where nothing is.
        writes: whether this process does, of several.
        meet: waits until all processes have written: they decide together whether there is time for another epoch.
    """

    record: Callable[..., Record]
    settings: Any
    examples: Sequence[object]
    train_epoch: Callable[[int, np.random.Generator], Mapping[str, float]]
    validate: Callable[[nn.Module], Mapping[str, float]]
    score: Callable[[Record], float | tuple[float, ...]]
    progress: Callable[[Record], str]
    before: Mapping[str, float] = field(default_factory=lambda: {"gradient_norm": 0.0})
    patience: int | None = None
    keep: Callable[[int], None] | None = None
    writes: bool = True
    meet: Callable[[], object] = lambda: None

    def goes_on(self, records: Sequence[Record]) -> bool:
        """Return whether the best epoch is not too far back for another one."""
        if self.patience is None or not records:
            return True
        return records[-1].epoch - max(records, key=self.score).epoch < self.patience


def fit_epochs(training: Training[Record], learner: Learner, folder: Path) -> list[Record]:
    """Train, write the weights of every epoch into ``folder``, and return the epochs' records.

    A training that was stopped goes on from its last finished epoch, and ends where it would have ended.
    Epoch 0, before training, is measured and kept as well.

    Raises:
        OutOfTimeError: before an epoch that would pass the time, unless the training concludes.
    """
    model, settings = learner.model, training.settings
    config = str(getattr(model, "config", model))
    state = TrainingState(folder, json.dumps([asdict(settings), config, *training.examples]))
    records = state.restore(training.record, *learner)
    lasted = records[-1].seconds if records else 0.0
    while training.goes_on(records) and another_epoch(len(records), settings.epochs, lasted):
        epoch, started = len(records), perf_counter()
        passed = training.before
        if epoch:
            model.train()
            torch.manual_seed(settings.seed * 10_000 + epoch)
            passed = training.train_epoch(epoch, np.random.default_rng([settings.seed, epoch]))
        seconds = perf_counter() - started
        reached = training.validate(learner.average.module.eval())
        records.append(training.record(**{"epoch": epoch, "seconds": seconds, **passed, **reached}))
        if training.keep:
            training.keep(epoch)
        if training.writes:
            state.keep(learner.average.module, folder / weights_file(epoch))
            state.save(*learner, records)
            tqdm.write(training.progress(records[-1]))
        training.meet()
        lasted = max(perf_counter() - started, lasted)
    return records
