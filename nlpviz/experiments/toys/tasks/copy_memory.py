"""Copy memory: ten symbols are read, then nothing for T steps, then they are to be said again.

Hochreiter and Schmidhuber (1997); Arjovsky, Shah and Bengio (2016); in the form of Bai, Kolter and Koltun (2018),
section 4.2: ten symbols from 1 to 8, zeros, and from step T + 10 on eleven nines; zeros are to be answered, and after
the last ten nines the ten symbols.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.toys import Schedule, ToyTask, one_hot
from nlpviz.results.toys import Reached, ToyBatch, ToyFacts

KEPT, CHOICES = 10, 8
_NOTHING, _NOW = 0, 9


def draw(random: np.random.Generator, rows: int, length: int) -> ToyBatch:
    """Return ``rows`` sequences of ``length`` + 20 steps."""
    kept = random.integers(1, CHOICES + 1, size=(rows, KEPT))
    read = np.full((rows, length + 2 * KEPT), _NOTHING, dtype=np.int64)
    targets = read.copy()
    read[:, :KEPT], read[:, -KEPT - 1 :], targets[:, -KEPT:] = kept, _NOW, kept
    return ToyBatch(one_hot(read, _NOW + 1), targets)


def chance(length: int) -> Reached:
    """Return what is reached without the ten symbols: zeros are known, and each symbol is one of eight."""
    return Reached(KEPT * log(CHOICES) / (length + 2 * KEPT), 1 - 1 / CHOICES, CHOICES**-KEPT)


def symbols(inputs: NDArray[np.float32]) -> tuple[tuple[str, ...], ...]:
    """Return the symbols of a sequence (T, D)."""
    return (tuple(str(symbol) for symbol in inputs.argmax(axis=1)),)


TASK = ToyTask(
    facts=ToyFacts(
        name="copy-memory",
        title="Copy memory",
        unit="blank steps",
        loss="loss (nats per position)",
        error="share of wrong symbols",
        without="a memoryless baseline",
        channels=("symbol",),
    ),
    source="Bai et al. 2018",
    says="Read ten symbols and repeat them after {length} more steps.",
    inputs=_NOW + 1,
    outputs=CHOICES + 1,
    lengths=range(1, 101),
    offered=(1, 2, 5, 10, 20, 30, 50, 75, 100),
    length=20,
    tested=(),
    schedule=Schedule(rate=0.01, batch=64, steps=1000, rates={"elman": 0.002, "elman-relu": 0.002, "gru": 0.02}),
    draw=draw,
    chance=chance,
    steps=lambda length: length + 2 * KEPT,
    counted=lambda _: KEPT,
    symbols=symbols,
    names=tuple(str(symbol) for symbol in range(CHOICES + 1)),
)
