"""Two orders of the words of one text, fifth by fifth: their agreement beyond the position of words.

People's rationales of film reviews stand at the ends, and so may what a method names; a word list knows nothing of
places. Within a fifth of the text position says little, so that scores there are compared as words.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.agreement import alike
from nlpviz.results.explanation import Explanation

PARTS = 5
FEWEST = 4
"""Tokens of a fifth: of fewer no correlation says anything."""


@dataclass(frozen=True)
class Fifths:
    """The fifths of a text, in their order; the lengths differ by one token at most.

    Attributes:
        run: whose network is explained.
        epoch: of its weights.
        method: the first order.
        other: the order that it is compared with.
        starts: (6,), where each fifth begins, and where the last one ends, in tokens.
        share: (5,), of the method's magnitudes, in sum one; a fifth each where all are zero.
        other_share: the same of the other order.
        correlation: (5,), Spearman's within each fifth, of magnitudes where one of the two has no sign; not a number
            where one of them has no order there.
    """

    run: str
    epoch: int
    method: str
    other: str
    starts: NDArray[np.int64]
    share: NDArray[np.float64]
    other_share: NDArray[np.float64]
    correlation: NDArray[np.float64]

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in (self.starts, self.share, self.other_share, self.correlation):
            array.setflags(write=False)

    @property
    def within(self) -> float | None:
        """The mean correlation within the fifths that have one; None where none has."""
        known = self.correlation[~np.isnan(self.correlation)]
        return float(known.mean()) if len(known) else None


def fifths(explanation: Explanation, other: Explanation) -> Fifths | None:
    """Return two explanations of one text by its fifths; None of a text of fewer than :data:`FEWEST` tokens for each.

    Raises:
        ValueError: if they are of different numbers of tokens.
    """
    tokens = len(explanation.scores)
    if len(other.scores) != tokens:
        raise ValueError("fifths can be compared only on the same tokens")
    if tokens < PARTS * FEWEST:
        return None
    starts = np.arange(PARTS + 1) * tokens // PARTS
    pairs = zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    found = [
        alike(explanation.scores[low:high], other.scores[low:high], signed=explanation.signed and other.signed)
        for low, high in pairs
    ]
    return Fifths(
        run=explanation.run,
        epoch=explanation.epoch,
        method=explanation.method,
        other=other.method,
        starts=starts,
        share=_share(explanation.scores, starts),
        other_share=_share(other.scores, starts),
        correlation=np.array(found, dtype=np.float64),  # None becomes not a number
    )


def _share(scores: NDArray[np.float32], starts: NDArray[np.int64]) -> NDArray[np.float64]:
    sums = np.add.reduceat(np.abs(scores).astype(np.float64), starts[:-1])
    total = float(sums.sum())
    return sums / total if total else np.full(PARTS, 1 / PARTS)
