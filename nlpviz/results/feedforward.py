"""The training of feed-forward networks: points by epoch, trials of an experiment, early stopping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlpviz.stats.significance import Interval, student_interval


class NetworkPoint(NamedTuple):
    """What a network had reached after so many steps.

    Attributes:
        step: steps taken.
        train_loss: on training examples, without dropout.
        train_accuracy: on the same.
        validation_loss: on held-out examples.
        validation_accuracy: on the same.
    """

    step: int
    train_loss: float
    train_accuracy: float
    validation_loss: float
    validation_accuracy: float


@dataclass(frozen=True)
class Trial:
    """One training of an experiment.

    Attributes:
        choice: what was varied, by name.
        title: what people call it.
        group: what kind of choice it is.
        seed: of weights, order and dropout.
        rate: the highest learning rate.
        points: before training and after each epoch.
        test: accuracy on the test examples at the best epoch by validation accuracy.
        seconds: of its steps.
        diverged: the step at which the loss was no number or hopeless; None where it never was.
    """

    choice: str
    title: str
    group: str
    seed: int
    rate: float
    points: tuple[NetworkPoint, ...]
    test: float
    seconds: float
    diverged: int | None = None

    @property
    def best(self) -> int:
        """The number of the best epoch by validation accuracy, the first of several."""
        return int(np.argmax([point.validation_accuracy for point in self.points]))

    def early_stop(self, patience: int) -> Stop:
        """Return where the training stops by its validation loss; see :func:`stop_early`."""
        return stop_early([point.validation_loss for point in self.points], patience)


@dataclass(frozen=True)
class Trials:
    """The committed trials of an experiment.

    Attributes:
        name: of the experiment.
        trials: every choice with every seed.
        per_epoch: steps of an epoch.
        facts: what else is known of it, such as the network's size.
        device: on which they were trained.
        created: when.
        extra: what else was measured, by name.
    """

    name: str
    trials: tuple[Trial, ...]
    per_epoch: int
    facts: Mapping[str, object]
    device: str
    created: str
    extra: Mapping[str, object]

    @property
    def seconds(self) -> float:
        """Of all trainings together."""
        return sum(trial.seconds for trial in self.trials)

    def groups(self) -> list[str]:
        """Return the kinds of choices."""
        return list(dict.fromkeys(trial.group for trial in self.trials))

    def choices(self, group: str) -> dict[str, str]:
        """Return the choices of a group, their titles by name."""
        return {trial.choice: trial.title for trial in self.trials if trial.group == group}

    def of(self, group: str, choice: str) -> list[Trial]:
        """Return the trials of a choice, by seed."""
        some = [trial for trial in self.trials if (trial.group, trial.choice) == (group, choice)]
        return sorted(some, key=lambda trial: trial.seed)

    def test(self, group: str, choice: str) -> tuple[float, Interval]:
        """Return the mean test accuracy of a choice over its seeds, with its 95% interval."""
        values = np.array([trial.test for trial in self.of(group, choice)])
        return float(values.mean()), student_interval(values)

    def lead(self, group: str, choice: str, other: str) -> tuple[float, Interval]:
        """Return by how much a choice is better than another on the same seeds, with an interval.

        The intervals of all choices of the group against the other hold together with 95% (Bonferroni).
        """
        mine, theirs = (np.array([trial.test for trial in self.of(group, one)]) for one in (choice, other))
        count = max(len(self.choices(group)) - 1, 1)
        return float((mine - theirs).mean()), student_interval(mine - theirs, 1 - 0.05 / count)


class Stop(NamedTuple):
    """Where early stopping ends a training: the epoch at which it stops, and the one whose weights it keeps."""

    stopped: int
    best: int


def stop_early(losses: Sequence[float], patience: int) -> Stop:
    """Return where a training stops once the validation loss has found no new low for ``patience`` epochs.

    Args:
        losses: of the validation examples, by epoch from 0.
        patience: epochs without a new low, at least 1.
    """
    best = 0
    for epoch, loss in enumerate(losses):
        if loss < losses[best]:
            best = epoch
        elif epoch - best >= patience:
            return Stop(epoch, best)
    return Stop(len(losses) - 1, best)
