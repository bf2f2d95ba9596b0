"""How much an explanation changes as a network's parameters are randomised, layer by layer."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_NORMAL = 1.96  # 95% of a normal distribution lie within so many standard deviations


@dataclass(frozen=True)
class Randomisation:
    """Rank correlations of an explanation with those of the same network with more and more parameters drawn anew.

    Attributes:
        run: the run whose model is explained.
        epoch: of its weights.
        method: that explains.
        signed: whether its scores have a sign.
        target: the name of the class.
        tokens: how many the text has that the model reads.
        words: how many different ones these are.
        layers: the S layers, in the order in which they are drawn: the output layer first, the word vectors last.
        scores: (S,), Spearman's correlation of the scores when a layer and all above it are drawn anew; not a number
            where one of the two has fewer than two different scores.
        magnitudes: (S,), the same of the scores without their signs.
        seed: of the draw.
    """

    run: str
    epoch: int
    method: str
    signed: bool
    target: str
    tokens: int
    words: int
    layers: tuple[str, ...]
    scores: NDArray[np.float64]
    magnitudes: NDArray[np.float64]
    seed: int

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse another number of correlations than of layers."""
        if self.scores.shape != (len(self.layers),) or self.magnitudes.shape != (len(self.layers),):
            raise ValueError("a randomisation needs one correlation per layer")
        for array in (self.scores, self.magnitudes):
            array.setflags(write=False)

    @property
    def unrelated(self) -> float:
        """How far from 0 the correlation of 95% of unrelated rankings of as many different words stays.

        It has a standard deviation of 1 / sqrt(n - 1) (Kendall and Gibbons 1990, chapter 4).
        """
        return min(_NORMAL / math.sqrt(max(self.words - 1, 1)), 1.0)
