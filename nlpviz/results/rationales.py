"""Words that people marked as the reason for a label, and how well the orders of methods agree with them.

DeYoung et al. (2020), *ERASER: A Benchmark to Evaluate Rationalized NLP Models*, section 4: of soft scores, the area
under the precision-recall curve, here as the average precision over the tokens of each text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.stats.significance import Interval, student_interval


class Marked(NamedTuple):
    """A text with its rationale.

    Attributes:
        number: of its row.
        text: whole.
        label: as the file spells it.
        spans: [start, end) in characters, in no order; they may overlap.
    """

    number: int
    text: str
    label: str
    spans: tuple[tuple[int, int], ...]


class Mean(NamedTuple):
    """A mean over texts, and its 95% interval by Student's t, as far as it can be; all that can be for one text."""

    mean: float
    interval: Interval


def average_precision(scores: NDArray[np.floating[Any]], marked: NDArray[np.bool_]) -> float:
    """Return the average precision of scores (T,) as an order of the tokens that are ``marked`` (T,).

    The sum over the scores' distinct values, the highest first, of the precision there times what recall gains; tokens
    with equal scores are found together.

    Raises:
        ValueError: if no token is marked.
    """
    if not marked.any():
        raise ValueError("recall is undefined without marked tokens")
    order = np.argsort(-scores, kind="stable")
    found = np.cumsum(marked[order])
    last = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)  # of each group of equal scores
    precision, recall = found[last] / (last + 1), found[last] / found[-1]
    return float(np.sum(precision * np.diff(recall, prepend=0.0)))


def by_chance(tokens: int, marked: int) -> float:
    """Return the mean average precision over all orders of ``tokens`` tokens if ``marked`` of them are relevant.

    It is the share of the marked ones, and a little more: the first of an order that is found counts in full (Bestgen
    2015, *Exact Expected Average Precision of the Random Baseline for System Evaluation*).
    """
    if tokens == marked:
        return 1.0
    harmonic = float(np.sum(1 / np.arange(1, tokens + 1)))
    return (harmonic + (marked - 1) / (tokens - 1) * (tokens - harmonic)) / tokens


def marked_tokens(spans: Sequence[tuple[int, int]], starts: Sequence[int], ends: Sequence[int]) -> NDArray[np.bool_]:
    """Return which tokens (T,), [start, end) in characters, share a character with any of ``spans``."""
    first, last = np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)
    result = np.zeros(len(first), dtype=bool)
    for start, end in spans:
        result |= (first < end) & (last > start)
    return result


@dataclass(frozen=True)
class AgainstPeople:
    """How near M orders come to what people marked in N texts, for one network.

    Attributes:
        run: whose network is explained, for the label that people gave.
        epoch: of its weights.
        source: what the file is called.
        orders: names of methods, then of baselines.
        methods: how many of them are methods.
        numbers: of the texts' rows.
        tokens: int (N,), that the network read.
        marked: int (N,), of these.
        right: bool (N,): whether the network predicts the text's label.
        precision: (N, M), average precisions.
        left_out: rows that could not be compared, each with half a sentence that says why.
    """

    run: str
    epoch: int
    source: str
    orders: tuple[str, ...]
    methods: int
    numbers: tuple[int, ...]
    tokens: NDArray[np.int64]
    marked: NDArray[np.int64]
    right: NDArray[np.bool_]
    precision: NDArray[np.float64]
    left_out: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse precisions of other texts or orders."""
        if self.precision.shape != (len(self.numbers), len(self.orders)):
            raise ValueError("each text needs one average precision per order")
        for array in (self.tokens, self.marked, self.right, self.precision):
            array.setflags(write=False)

    @property
    def share(self) -> float:
        """The mean share of the tokens that are marked."""
        return float((self.marked / self.tokens).mean())

    @property
    def random(self) -> Mean:
        """What random orders reach on average, exactly; the interval is over the texts."""
        return _mean(self._random)

    def of(self, order: str) -> Mean:
        """Return an order's mean average precision."""
        return _mean(self.precision[:, self.orders.index(order)])

    def over(self, order: str, other: str | None = None) -> Mean:
        """Return by how much an order is above another one, by default random ones, text by text."""
        than = self._random if other is None else self.precision[:, self.orders.index(other)]
        return _mean(self.precision[:, self.orders.index(order)] - than, -1.0)

    def asks_network(self, order: str) -> bool:
        """Return whether an order is a method's."""
        return order in self.orders[: self.methods]

    @property
    def best_first(self) -> tuple[str, ...]:
        """The orders by their means, the highest first."""
        by_mean = np.argsort(-self.precision.mean(axis=0), kind="stable")
        return tuple(self.orders[position] for position in by_mean)

    @property
    def _random(self) -> NDArray[np.float64]:
        return np.array([by_chance(*pair) for pair in zip(self.tokens.tolist(), self.marked.tolist(), strict=True)])


def _mean(values: NDArray[np.float64], least: float = 0.0) -> Mean:
    low, high = student_interval(values)
    return Mean(float(values.mean()), Interval(max(low, least), min(high, 1.0)))
