"""One network learns one toy task, step by step: batches drawn as they are needed, Adam, clipped gradients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpviz.experiments.toys import ToyTask
from nlpviz.experiments.toys.networks import build, entrant, whole
from nlpviz.results.toys import Reached, ToyBatch, ToyCurve, ToyPoint

CLIPPED = 1.0
"""The largest norm of a step's gradient."""
BUDGET = 1e-4
"""Nats that each update of a network costs which can skip them."""
HELD_OUT, _STEPS = 1_000, 10_000
"""Sequences on which a network is measured, the same ones for all; fewer of long ones: 10,000 steps together."""


@runtime_checkable
class SkipsSteps(Protocol):
    """An encoder that learns which steps to skip."""

    def with_updates(self, inputs: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Return the states (B, T, E) and the updates (B, T, U), 1 or 0."""
        ...


@dataclass(frozen=True)
class ToySettings:
    """The settings of a training.

    Attributes:
        length: of the task.
        steps: of the whole training, by which the rate falls to zero.
        rate: of Adam at first; None for what the task says of the network.
        seed: of weights and sequences.
    """

    length: int
    steps: int
    rate: float | None = None
    seed: int = 0


def held_out(task: ToyTask, length: int) -> ToyBatch:
    """Return sequences that no training draws: those of a generator of their own."""
    rows = max(min(HELD_OUT, _STEPS // task.steps(length)), 50)
    return task.draw(np.random.default_rng([length, 2**31]), rows, length)


class ToyTraining:
    """A network in training; for one thread at a time.

    Attributes:
        task: what it learns.
        settings: how.
        network: what learns.
        title: how people call it.
        rate: of Adam at first.
        steps: taken so far.
        seconds: that they took.
    """

    def __init__(self, task: ToyTask, name: str, settings: ToySettings) -> None:
        """Build the network called ``name``.

        Raises:
            ToyError: if there is no such network, or the task cannot be set at this length.
        """
        task.allowed(settings.length)
        self.task, self.name, self.settings = task, name, settings
        self.title = entrant(name).title
        longest = max((*task.tested, settings.length))
        self.network = build(name, task.inputs, task.outputs, task.steps(longest), settings.seed)
        self.steps, self.seconds = 0, 0.0
        self._random = np.random.default_rng([settings.seed, settings.length])
        self._lengths = task.trained_on(settings.length)
        self.rate = task.schedule.rate_of(name) if settings.rate is None else settings.rate
        self._adam = torch.optim.Adam(self.network.parameters(), lr=self.rate)
        self._test = held_out(task, settings.length)
        self._learning = [ToyPoint(0, settings.length, self.measure())]

    @property
    def over(self) -> bool:
        """Whether all steps are taken."""
        return self.steps >= self.settings.steps

    def step(self) -> None:
        """Take one step of the training; none when it is over."""
        if self.over:
            return
        begun = perf_counter()
        length = int(self._random.choice(self._lengths))
        batch = self.task.draw(self._random, self.task.schedule.batch, length)
        inputs, encoder = torch.from_numpy(batch.inputs), self.network.encoder
        with torch.enable_grad():
            if isinstance(encoder, SkipsSteps):
                states, updates = encoder.with_updates(inputs, whole(inputs))
                answers, cost = self.network.output(states), BUDGET * updates.sum(dim=(1, 2)).mean()
            else:
                answers, cost = self.network(inputs), torch.zeros(())
            loss = self._loss(answers, torch.from_numpy(batch.targets)) + cost
            self._adam.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), CLIPPED)
        for group in self._adam.param_groups:
            group["lr"] = self.rate * (1 - self.steps / self.settings.steps)
        self._adam.step()
        self.steps += 1
        self.seconds += perf_counter() - begun

    def note(self) -> None:
        """Measure the network as it is now, for its curve."""
        if self._learning[-1].step < self.steps:
            self._learning.append(ToyPoint(self.steps, self.settings.length, self.measure()))

    def measure(self, length: int | None = None) -> Reached:
        """Return what it reaches on held-out sequences of a length, by default of that which it is to learn."""
        length = self.settings.length if length is None else length
        batch = self._test if length == self.settings.length else held_out(self.task, length)
        targets = torch.from_numpy(batch.targets)
        with torch.inference_mode():
            answers = self.network(torch.from_numpy(batch.inputs))
            loss = float(self._loss(answers, targets))
            if not self.task.of_classes:
                return Reached(loss, np.nan, np.nan)
            counted = self.task.counted(length)
            wrong = answers[:, -counted:].argmax(dim=2) != targets[:, -counted:]
            return Reached(loss, float(wrong.float().mean()), float((~wrong.any(dim=1)).float().mean()))

    def curve(self, lengths: Sequence[int] = ()) -> ToyCurve:
        """Return how it has learnt so far, and what it reaches now on sequences of other lengths."""
        return ToyCurve(
            network=self.name,
            title=self.title,
            seed=self.settings.seed,
            parameters=self.network.parameters_counted,
            seconds=self.seconds,
            learning=tuple(self._learning),
            lengths=tuple(ToyPoint(self.steps, length, self.measure(length)) for length in lengths),
        )

    def _loss(self, answers: Tensor, targets: Tensor) -> Tensor:
        """Return the mean loss of the last answers (B, T, K), as many as there are ``targets`` (B, R)."""
        last: Any = answers[:, -targets.shape[1] :]
        if self.task.of_classes:
            return functional.cross_entropy(last.flatten(0, 1), targets.flatten())
        return functional.mse_loss(last.squeeze(2), targets)
