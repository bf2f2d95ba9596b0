"""Add two binary numbers, two bits a step, the least significant first: what must be remembered is the carry.

002, "Adding Binary". A number of n bits is read in n + 1 steps, the last of which reads two zeros, so that the sum's
last carry can be answered.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.toys import Schedule, ToyTask
from nlpviz.results.toys import Reached, ToyBatch, ToyFacts


def draw(random: np.random.Generator, rows: int, length: int) -> ToyBatch:
    """Return ``rows`` pairs of numbers of ``length`` random bits each, and the bits of their sums."""
    bits = random.integers(2, size=(rows, length + 1, 2))
    bits[:, -1] = 0
    targets, carry = np.empty((rows, length + 1), dtype=np.int64), np.zeros(rows, dtype=np.int64)
    for step in range(length + 1):
        total = bits[:, step].sum(axis=1) + carry
        targets[:, step], carry = total % 2, total // 2
    return ToyBatch(bits.astype(np.float32), targets)


def carries(length: int) -> NDArray[np.float64]:
    """Return the probability of a carry at each of the n + 1 steps: c_0 = 0, and c_{t+1} = 1/4 + c_t / 2."""
    return (1 - 0.5 ** np.arange(length + 1)) / 2


def chance(length: int) -> Reached:
    """Return what is reached by looking at the two bits of a step alone.

    The best answer is their sum without a carry; it is wrong where there is one, and a number is right where none of
    its n pairs of bits is (1, 1). The loss is that of answering with the mean probability of a carry, which for two
    zeros is another one: the last step reads them as well.
    """
    carry = carries(length)
    random, last = float(carry[:-1].mean()), float(carry[-1])
    zeros = length / 4 + 1  # steps that are expected to read two zeros
    of_zeros = (length / 4 * random + last) / zeros
    loss = (zeros * _entropy(of_zeros) + length * 3 / 4 * _entropy(random)) / (length + 1)
    return Reached(loss, float(carry.mean()), 0.75**length)


def _entropy(p: float) -> float:
    """Return the entropy of a coin in nats."""
    return -sum(q * log(q) for q in (p, 1 - p) if q > 0)


def symbols(inputs: NDArray[np.float32]) -> tuple[tuple[str, ...], ...]:
    """Return the bits of both numbers (T, 2)."""
    return tuple(tuple(str(int(bit)) for bit in number) for number in inputs.T)


TASK = ToyTask(
    facts=ToyFacts(
        name="binary-addition",
        title="Binary addition",
        unit="bits",
        loss="loss (nats per bit)",
        error="share of wrong bits",
        without="adding without a carry",
        channels=("first number", "second number"),
    ),
    source="002, Adding Binary",
    says="Read two {length}-bit numbers, lowest bit first: what is each bit of their sum?",
    inputs=2,
    outputs=2,
    lengths=range(1, 65),
    offered=(1, 2, 4, 6, 8, 12, 16, 24, 32),
    length=8,
    tested=(1, 2, 4, 8, 12, 16, 24, 32, 48, 64),
    schedule=Schedule(rate=0.01, batch=64, steps=1000, shorter=True),
    draw=draw,
    chance=chance,
    steps=lambda length: length + 1,
    counted=lambda length: length + 1,
    symbols=symbols,
    names=("0", "1"),
)
