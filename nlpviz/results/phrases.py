"""Phrases in the plane of the principal components of their encoder states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class PhrasePlane:
    """Where N phrases lie, and which two of them are nearest to each other in the original space.

    Attributes:
        coordinates: float32 (N, 2).
        share: of the variance of their states that the plane holds, 0 to 1.
        dimensions: of the original space.
        nearest: the indices of the two phrases whose states round the mean have the largest cosine.
        cosine: of these two.
        cosines: float32 (N, N), of each two states round the mean.
    """

    coordinates: NDArray[np.float32]
    share: float
    dimensions: int
    nearest: tuple[int, int]
    cosine: float
    cosines: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        self.coordinates.setflags(write=False)
        self.cosines.setflags(write=False)


class Kinds(NamedTuple):
    """The mean cosine of two kinds of pairs of phrases; NaN where there is no such pair.

    Attributes:
        of_one_group: of phrases that a person put into one group, for they mean the same.
        of_same_words: of phrases of two groups that have the same words, each as often: who does what to whom differs.
    """

    of_one_group: float
    of_same_words: float


def kinds_of_pairs(cosines: NDArray[np.float32], groups: Sequence[int], words: Sequence[tuple[str, ...]]) -> Kinds:
    """Return how near phrases of one group are to each other, and those of two groups that have the same words.

    Args:
        cosines: (N, N), of each two phrases.
        groups: N numbers.
        words: of each of the N phrases, sorted.
    """
    pairs = list(combinations(range(len(groups)), 2))
    grouped = [float(cosines[pair]) for pair in pairs if groups[pair[0]] == groups[pair[1]]]
    worded = [
        float(cosines[one, other])
        for one, other in pairs
        if groups[one] != groups[other] and words[one] == words[other]
    ]
    return Kinds(*(float(np.mean(values)) if values else nan for values in (grouped, worded)))
