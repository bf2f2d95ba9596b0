"""Do attribution methods agree about one text? Rank correlations, and how many of their strongest tokens they share.

Krishna, Han, Gu, Wu, Jabbari and Lakkaraju (2024), *The Disagreement Problem in Explainable Machine Learning: A
Practitioner's Perspective*: rank correlation, and feature agreement, of the k features with the largest magnitudes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.explanation import Explanation
from nlpviz.stats.rank_correlation import rank_correlation

TOP = 10
"""Of each method's strongest tokens, as many are compared; of a short text, half of all."""
_NORMAL = 1.96  # 95% of a normal distribution lie within so many standard deviations


@dataclass(frozen=True)
class MethodAgreement:
    """How alike the scores of M methods are.

    Attributes:
        methods: their names.
        correlation: (M, M), Spearman's, of the scores where both have a sign, else of their magnitudes; not a number
            where one of the two has fewer than two different scores.
        overlap: (M, M), which share of the ``top`` tokens with the largest magnitudes two methods have in common.
        top: how many tokens that is.
        tokens: of the text.
    """

    methods: tuple[str, ...]
    correlation: NDArray[np.float64]
    overlap: NDArray[np.float64]
    top: int
    tokens: int

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse arrays of other methods."""
        for array in (self.correlation, self.overlap):
            if array.shape != (len(self.methods), len(self.methods)):
                raise ValueError("agreement needs pairs of methods")
            array.setflags(write=False)

    @property
    def by_chance(self) -> float:
        """The overlap of tokens drawn at random, on average."""
        return self.top / max(self.tokens, 1)

    @property
    def unrelated(self) -> float:
        """How far from 0 the correlation of 95% of unrelated rankings stays (Kendall and Gibbons 1990, chapter 4)."""
        return min(_NORMAL / math.sqrt(max(self.tokens - 1, 1)), 1.0)


def agreement(explanations: Sequence[Explanation]) -> MethodAgreement:
    """Return how alike explanations of one text by several methods are.

    Raises:
        ValueError: if they are of different numbers of tokens.
    """
    tokens = len(explanations[0].scores)
    if any(len(one.scores) != tokens for one in explanations):
        raise ValueError("methods can be compared only on the same tokens")
    top = min(TOP, -(-tokens // 2))
    strongest = [set(one.strongest(top)) for one in explanations]
    shared = [[len(first & second) / max(top, 1) for second in strongest] for first in strongest]
    correlations = [
        [alike(first.scores, second.scores, signed=first.signed and second.signed) for second in explanations]
        for first in explanations
    ]
    return MethodAgreement(
        methods=tuple(one.method for one in explanations),
        correlation=np.array(correlations, dtype=np.float64),  # None becomes not a number
        overlap=np.array(shared, dtype=np.float64),
        top=top,
        tokens=tokens,
    )


def alike(first: NDArray[np.floating], second: NDArray[np.floating], *, signed: bool) -> float | None:
    """Return Spearman's correlation of two methods' scores (T,), of their magnitudes unless both are ``signed``.

    None where one of the two has no order.
    """
    return rank_correlation(first, second) if signed else rank_correlation(abs(first), abs(second))
