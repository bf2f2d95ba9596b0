"""One feed-forward network in training: batches, an optimiser, a schedule of its rate, and what is noted of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import FeedForwardError, known, known_schedules, small_problems
from nlpviz.experiments.feedforward.network import Backwards, FeedForward, Inputs, NetworkSettings
from nlpviz.experiments.optimisers import Stepper, optimisers
from nlpviz.results.feedforward import NetworkPoint

_HOPELESS = 1e6
"""A training loss beyond which nothing is learnt any more, and numbers soon end."""
_MEASURED = 2_000  # training examples on which the training loss is measured
TRAINED, HELD_OUT = 300, 200  # points of a small problem


@dataclass(frozen=True)
class Examples:
    """Examples of a problem, each of one of K classes.

    Attributes:
        name: of the problem.
        classes: K.
        train: inputs (N, D) and classes (N,) that are learnt from.
        validation: those on which epochs and rates are chosen.
        test: those that are measured once; None where nothing is reported.
    """

    name: str
    classes: int
    train: tuple[Inputs, NDArray[np.integer[Any]]]
    validation: tuple[Inputs, NDArray[np.integer[Any]]]
    test: tuple[Inputs, NDArray[np.integer[Any]]] | None = None


@dataclass(frozen=True)
class TrainingSettings:
    """How a network is trained.

    Attributes:
        hidden: units of each hidden layer.
        network: its choices beside its size.
        optimiser: by name.
        rate: the highest learning rate.
        schedule: what becomes of it.
        epochs: of the whole training.
        batch: examples of a step.
        seed: of weights, order and dropout.
    """

    hidden: tuple[int, ...] = (64,)
    network: dict[str, Any] = field(default_factory=dict)
    optimiser: str = "sgd"
    rate: float = 0.1
    schedule: str = "constant"
    epochs: int = 10
    batch: int = 100
    seed: int = 0


class NetworkTraining:
    """A network in training; for one thread at a time.

    Attributes:
        settings: how it is trained.
        examples: of what.
        network: what learns.
        weights: its weights now.
        steps: taken so far.
        total: steps of the whole training.
        diverged: the step at which its loss was no number or hopeless; None where it never was.
        points: what was noted.
        seconds: of its steps.
    """

    def __init__(self, examples: Examples, settings: TrainingSettings) -> None:
        """Build it, and note what it reaches before training.

        Raises:
            FeedForwardError: if something of it is not there, or the rate is no positive number.
        """
        allowed_rate(settings.rate)
        sizes = (examples.train[0].shape[1], *settings.hidden, examples.classes)
        self.settings, self.examples = settings, examples
        self.network = FeedForward(NetworkSettings(sizes, **settings.network))
        self.weights = self.network.begin(settings.seed, examples.train[0].dtype.type)
        self._stepper = Stepper(known(optimisers(), settings.optimiser, "optimiser"), self.weights)
        self._factor = known(known_schedules(), settings.schedule, "schedule").factor
        self._random = np.random.default_rng([settings.seed, 2])
        self._order = np.empty(0, dtype=np.int64)
        self.steps, self.seconds = 0, 0.0
        self.per_epoch = math.ceil(len(examples.train[1]) / settings.batch)
        self.total = self.per_epoch * settings.epochs
        self.diverged: int | None = None
        self.points = [self.measure()]

    @property
    def over(self) -> bool:
        """Whether all steps are taken, or no more make sense."""
        return self.diverged is not None or self.steps >= self.total

    @property
    def rate(self) -> float:
        """The learning rate of the next step."""
        return self.settings.rate * self._factor(self.steps / self.total)

    def step(self, rate: float | None = None) -> Backwards | None:
        """Take one step, with its own rate or another one; return its gradient, or None where it diverged."""
        begun = perf_counter()
        if not len(self._order):
            self._order = self._random.permutation(len(self.examples.train[1]))
        rows, self._order = self._order[: self.settings.batch], self._order[self.settings.batch :]
        inputs, right = self.examples.train
        with np.errstate(all="ignore"):
            backwards = self.network.backward(self.weights, inputs[rows], right[rows], self._random)
            if not backwards.loss < _HOPELESS:
                self.diverged = self.steps
                return None
            self._stepper.step(self.weights, backwards.gradient, self.rate if rate is None else rate)
        self.steps += 1
        self.seconds += perf_counter() - begun
        return backwards

    def epoch(self) -> None:
        """Take the steps of one epoch, and note what is reached."""
        for _ in range(self.per_epoch):
            if self.step() is None:
                return
        self.note()

    def note(self) -> None:
        """Note what is reached now."""
        if self.points[-1].step < self.steps:
            self.points.append(self.measure())

    def measure(self) -> NetworkPoint:
        """Return the losses and accuracies of now."""
        with np.errstate(all="ignore"):
            inputs, right = self.examples.train
            train, own = self.network.measure(self.weights, inputs[:_MEASURED], right[:_MEASURED])
            validation, accuracy = self.network.measure(self.weights, *self.examples.validation)
        if not train < _HOPELESS:
            self.diverged = self.steps
        return NetworkPoint(self.steps, train, own, validation, accuracy)


def allowed_rate(rate: float) -> float:
    """Return ``rate``.

    Raises:
        FeedForwardError: if it is no number above 0.
    """
    if not 0 < rate <= 1000:
        raise FeedForwardError(f"The learning rate must be above 0 and at most 1,000, not {rate:g}.")
    return rate


def examples_of(name: str, seed: int = 0) -> Examples:
    """Return points of a small problem: some to learn from, others held out."""
    problem = known(small_problems(), name, "problem")
    points, labels = problem.draw(np.random.default_rng([seed, 3]), TRAINED + HELD_OUT)
    inputs = points.astype(np.float32)
    train, rest = (inputs[:TRAINED], labels[:TRAINED]), (inputs[TRAINED:], labels[TRAINED:])
    return Examples(name, problem.classes, train, rest)
