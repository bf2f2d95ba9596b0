"""Is a sequence of symbols the same half twice?

Fleuret (2018), *EE-559 – Deep learning*, lecture 11 (001, "RNN and backprop through time"): class 1 is two identical
halves. Class 0 there is any other sequence; nearly all of these differ in most places, so that remembering one symbol
would do. Here, half of class 0 is drawn at random, and half differs from identical halves in one symbol alone.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.toys import Schedule, ToyTask, one_hot
from nlpviz.results.toys import Reached, ToyBatch, ToyFacts

SYMBOLS = 10
LENGTHS = range(2, 41, 2)


def draw(random: np.random.Generator, rows: int, length: int) -> ToyBatch:
    """Return ``rows`` sequences of ``length`` symbols, one of the two classes with the same probability."""
    half = length // 2
    first = random.integers(SYMBOLS, size=(rows, half))
    second = first.copy()
    same, near = random.random(rows) < 0.5, random.random(rows) < 0.5
    other = ~same & ~near
    second[other] = random.integers(SYMBOLS, size=(int(other.sum()), half))
    # one symbol becomes another one: of near misses, and of what was drawn equal by chance
    changed = ~same & (second == first).all(axis=1)
    places = random.integers(half, size=int(changed.sum()))
    second[changed, places] = (second[changed, places] + random.integers(1, SYMBOLS, size=len(places))) % SYMBOLS
    inputs = one_hot(np.concatenate([first, second], axis=1), SYMBOLS)
    return ToyBatch(inputs, same.astype(np.int64)[:, None])


def chance(length: int) -> Reached:  # noqa: ARG001
    """Return what any answer reaches that looks at the last symbol alone: both classes end alike."""
    return Reached(log(2), 0.5, 0.5)


def near_misses(length: int) -> float:
    """Return the share of class 0 that differs from identical halves in one symbol: drawn so, or by chance."""
    half, same = length // 2, 1 / SYMBOLS
    return (1 + same**half + half * (1 - same) * same ** (half - 1)) / 2


def symbols(inputs: NDArray[np.float32]) -> tuple[tuple[str, ...], ...]:
    """Return the symbols of a sequence (T, D)."""
    return (tuple(str(symbol) for symbol in inputs.argmax(axis=1)),)


TASK = ToyTask(
    facts=ToyFacts(
        name="identical-halves",
        title="Identical halves",
        unit="symbols",
        loss="loss (nats)",
        error="share of misclassified sequences",
        without="chance",
        channels=("symbol",),
        shortcut=("ignoring near misses", {length: near_misses(length) / 2 for length in LENGTHS}),
    ),
    source="Fleuret 2018, EE-559",
    says="Read {length} symbols one by one: is the second half the same as the first?",
    inputs=SYMBOLS,
    outputs=2,
    lengths=LENGTHS,
    offered=(2, 4, 6, 8, 10, 12, 14, 16, 20, 30, 40),
    length=10,
    tested=range(2, 21, 2),
    schedule=Schedule(
        rate=0.02,
        batch=128,
        steps=3000,
        shorter=True,
        rates={"elman": 0.001, "elman-relu": 0.002, "lstm": 0.03, "tcn": 0.01},
    ),
    draw=draw,
    chance=chance,
    steps=lambda length: length,
    counted=lambda _: 1,
    symbols=symbols,
    names=("≠", "="),
)
