"""How long does a training step take in the live view?

A step of the live page on each toy task: its default networks (Elman, GRU, LSTM) at its default length take one step
each, on one thread as in the app. The peer takes the same step with PyTorch's fused modules of as many units.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from benchmarks import SEED, Benchmark, Row
from benchmarks.clock import alternate, in_ms
from nlpviz.experiments.toys import ToyTask, toy_tasks
from nlpviz.experiments.toys.training import CLIPPED, ToySettings, ToyTraining

RACING = {"elman": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}
STEPS, BAR = 40, 100  # ms


class PlainToy:
    """A fused module of PyTorch's that takes the steps of one of our trainings."""

    def __init__(self, training: ToyTraining) -> None:
        """Build it, with as many units and the same sequences."""
        task, units = training.task, training.network.encoder.size
        self.task, self.length = task, training.settings.length
        self.recurrent = RACING[training.name](task.inputs, units, batch_first=True)
        self.output = nn.Linear(units, task.outputs)
        self.weights = [*self.recurrent.parameters(), *self.output.parameters()]
        self.adam = torch.optim.Adam(self.weights, lr=training.rate)
        self.random = np.random.default_rng(SEED)

    def step(self) -> None:
        """Take one step."""
        batch = self.task.draw(self.random, self.task.schedule.batch, self.length)
        targets = torch.from_numpy(batch.targets)
        answers = self.output(self.recurrent(torch.from_numpy(batch.inputs))[0])[:, -targets.shape[1] :]
        self.adam.zero_grad()
        if self.task.of_classes:
            loss = functional.cross_entropy(answers.flatten(0, 1), targets.flatten())
        else:
            loss = functional.mse_loss(answers.squeeze(2), targets)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self.weights, CLIPPED)
        self.adam.step()


def measure() -> Iterator[Row]:
    """Yield the milliseconds of a step of all networks of each task, in the 95th percentile."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for task in toy_tasks().values():
            yield _step(task)
    finally:
        torch.set_num_threads(threads)


def _step(task: ToyTask) -> Row:
    """Return the milliseconds of a step of the networks that race on ``task``."""
    settings = ToySettings(task.length, task.schedule.steps, seed=SEED)
    ours = [ToyTraining(task, name, settings) for name in RACING]
    theirs = [PlainToy(one) for one in ours]
    mine, plain = alternate(STEPS, lambda: [one.step() for one in ours], lambda: [one.step() for one in theirs])
    what = f"step of {', '.join(one.title for one in ours)} on {task.facts.title.lower()}, length {task.length}"
    return Row(what, "ms", in_ms(mine), "`nn.RNN`, `nn.GRU`, `nn.LSTM`", in_ms(plain), bar=BAR, percentile=95)


BENCHMARK = Benchmark("toys", "How long does a training step take in the live view?", measure, "training")
