"""How a modifier changes the effect of the next word: *not* before *good*, *very* before *bad*.

Maheswaranathan and Sussillo (2020), *How recurrent networks implement contextual processing in sentiment analysis*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

PRAISE = ("good", "great", "excellent", "wonderful", "amazing", "perfect", "best", "enjoyable", "funny", "beautiful")
BLAME = ("bad", "terrible", "awful", "boring", "worst", "horrible", "poor", "stupid", "dull", "waste")
VALENCE = PRAISE + BLAME
"""Words that push by themselves."""
MODIFIERS = (
    "not", "never", "no", "nothing", "hardly", "barely", "without", "too", "very", "really", "so", "extremely",
    "quite", "somewhat", "rather", "almost",
)  # fmt: skip
"""Words that may change the push of the next one."""


class Band(NamedTuple):
    """Where 95% of the null lie: from the 2.5th to the 97.5th percentile."""

    low: float
    high: float


@dataclass(frozen=True)
class ModifierEffects:
    """The mean push of V words, by themselves and after each of M others, at one epoch.

    Attributes:
        run: the run's name.
        epoch: of its weights.
        words: V words that push, of those that the vocabulary has.
        modifiers: M words that stand before them.
        contexts: how many states of reviews the means are over.
        plain: float32 (V,), the pushes with nothing in between.
        modified: float32 (M, V), the pushes after each modifier.
        null: float32 (R, V), the pushes after random other words.
    """

    run: str
    epoch: int
    words: tuple[str, ...]
    modifiers: tuple[str, ...]
    contexts: int
    plain: NDArray[np.float32]
    modified: NDArray[np.float32]
    null: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse shapes that do not match."""
        words = len(self.words)
        if self.plain.shape != (words,) or self.modified.shape != (len(self.modifiers), words):
            raise ValueError("each word needs a push, on its own and after each modifier")
        if self.null.ndim != 2 or self.null.shape[1] != words:
            raise ValueError("each word needs a push after each random word")
        for array in (self.plain, self.modified, self.null):
            array.setflags(write=False)

    def factors(self) -> NDArray[np.float64]:
        """Return each modifier's factor, (M,); see :func:`factor`."""
        return factor(self.plain, self.modified)

    def null_factors(self) -> NDArray[np.float64]:
        """Return the random words' factors, (R,)."""
        return factor(self.plain, self.null)

    def band(self) -> Band:
        """Return where 95% of the random words' factors lie."""
        return Band(*map(float, np.percentile(self.null_factors(), [2.5, 97.5])))

    def word_bands(self) -> NDArray[np.float64]:
        """Return for each word where 95% of its pushes after random words lie, (2, V)."""
        return np.percentile(self.null.astype(np.float64), [2.5, 97.5], axis=0)


def factor(plain: NDArray[np.floating[Any]], modified: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return the slope through zero of the modified pushes (..., V) over the plain ones (V,).

    1: the modifier changes nothing; 0: it cancels them; −1: it reverses them; above 1: it intensifies them.
    """
    own = plain.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        result: NDArray[np.float64] = modified.astype(np.float64) @ own / (own @ own)
    return result
