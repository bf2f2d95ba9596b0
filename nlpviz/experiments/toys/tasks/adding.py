"""The adding problem: two numbers of many are marked, and their sum is asked for at the end.

Hochreiter and Schmidhuber (1997); in the form of Bai, Kolter and Koltun (2018), section 4.2: numbers between 0 and 1,
two marks anywhere.
"""

from __future__ import annotations

from math import nan

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.toys import Schedule, ToyTask
from nlpviz.results.toys import Reached, ToyBatch, ToyFacts


def draw(random: np.random.Generator, rows: int, length: int) -> ToyBatch:
    """Return ``rows`` sequences of ``length`` numbers with their marks, and the sums of the marked ones."""
    values = random.random((rows, length), dtype=np.float32)
    marks = np.zeros((rows, length), dtype=np.float32)
    places = random.random((rows, length)).argsort(axis=1)[:, :2]
    np.put_along_axis(marks, places, 1.0, axis=1)
    return ToyBatch(np.stack([values, marks], axis=2), (values * marks).sum(axis=1, keepdims=True))


def chance(length: int) -> Reached:  # noqa: ARG001
    """Return the variance of the sum of two numbers between 0 and 1, 2 × 1/12: what always answering 1 costs."""
    return Reached(1 / 6, nan, nan)


def symbols(inputs: NDArray[np.float32]) -> tuple[tuple[str, ...], ...]:
    """Return the numbers and the marks of a sequence (T, 2)."""
    return tuple(f"{value:.2f}" for value in inputs[:, 0]), tuple("●" if mark else "" for mark in inputs[:, 1])


TASK = ToyTask(
    facts=ToyFacts(
        name="adding",
        title="Adding",
        unit="numbers",
        loss="mean squared error",
        error="",
        without="always predicting 1",
        channels=("number", "mark"),
    ),
    source="Bai et al. 2018",
    says="Two of {length} numbers between 0 and 1 are marked: what is their sum?",
    inputs=2,
    outputs=1,
    lengths=range(2, 201),
    offered=(2, 5, 10, 20, 30, 50, 75, 100),
    length=30,
    tested=(),
    schedule=Schedule(
        rate=0.01, batch=64, steps=1000, rates={"elman": 0.002, "elman-relu": 0.002, "gru": 0.02, "lstm": 0.02}
    ),
    draw=draw,
    chance=chance,
    steps=lambda length: length,
    counted=lambda _: 1,
    symbols=symbols,
)
