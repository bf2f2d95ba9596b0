"""Pairs of classifiers on the same test documents: how much their accuracies differ, and whether significantly.

The test uses only the documents that exactly one of the two classifies correctly (:mod:`nlpviz.stats.significance`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.stats.significance import Interval, PairedDifference, compare, wilson


@dataclass(frozen=True)
class Comparison:
    """R classifiers on the same N documents, the most accurate first.

    Attributes:
        runs: their names.
        titles: what people call them.
        documents: N.
        accuracies: (R,).
        intervals: of each accuracy, 95%.
        pairs: for each two positions, the first before the second, how they differ.
    """

    runs: tuple[str, ...]
    titles: tuple[str, ...]
    documents: int
    accuracies: tuple[float, ...]
    intervals: tuple[Interval, ...]
    pairs: Mapping[tuple[int, int], PairedDifference]

    @property
    def indistinct(self) -> list[tuple[int, int]]:
        """The pairs that the test does not tell apart."""
        return [pair for pair, found in self.pairs.items() if not found.significant]


def compare_all(names: Sequence[str], titles: Sequence[str], right: Sequence[NDArray[np.bool_]]) -> Comparison:
    """Return how classifiers differ, two by two.

    Args:
        names: of the R runs.
        titles: what people call them.
        right: which of the same N documents each classifies rightly, (N,) each.
    """
    order = sorted(range(len(names)), key=lambda position: -float(right[position].mean()))
    shares = [float(right[position].mean()) for position in order]
    count = len(right[0]) if len(right) else 0
    pairs = {
        (first, second): compare(right[order[first]], right[order[second]])
        for first in range(len(order))
        for second in range(first + 1, len(order))
    }
    return Comparison(
        runs=tuple(names[position] for position in order),
        titles=tuple(titles[position] for position in order),
        documents=count,
        accuracies=tuple(shares),
        intervals=tuple(wilson(share, count) for share in shares),
        pairs=pairs,
    )
