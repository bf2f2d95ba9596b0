"""How a score changes when words are replaced, and where the gradient's estimate differs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.memory import SCORE, TextMemory
from nlpviz.stats.rank_correlation import rank_correlation
from nlpviz.text.vocabulary import EncodedText

DRAWS = 8
"""Words by which each word is replaced."""


@dataclass(frozen=True)
class ReplacedWords:
    """What becomes of a score when a word is replaced by another one, for each of the T words of a text in turn.

    Attributes:
        run: the run whose model read the texts.
        epoch: of its weights.
        text: the text as the model saw it.
        class_names: the classes.
        target: the index of the class whose score it is.
        score: of the text itself: log-odds, or a logit where there are more than two classes.
        drawn: the K words that stood in the place of each.
        changes: float32 (T, K), the score with the k-th of them in place of word t less ``score``.
        seed: of the draws.
    """

    run: str
    epoch: int
    text: EncodedText
    class_names: tuple[str, ...]
    target: int
    score: float
    drawn: tuple[str, ...]
    changes: NDArray[np.float32]
    seed: int
    moved: NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse changes that match neither words nor draws."""
        if self.changes.shape != (len(self.text.ids), len(self.drawn)):
            raise ValueError("each word read needs one score change per word drawn")
        self.changes.setflags(write=False)
        moved = np.abs(self.changes).mean(axis=1).astype(np.float32)
        moved.setflags(write=False)
        object.__setattr__(self, "moved", moved)  # (T,), how far the score moves on average, either way

    def band(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the least and the largest movement of each word over the draws, (T,) each."""
        sizes = np.abs(self.changes)
        return sizes.min(axis=1), sizes.max(axis=1)


class Parting(NamedTuple):
    """Where the gradient and what replacing words measures part.

    Attributes:
        correlation: Spearman's, between the gradient's norm and the mean movement; None where one has no order.
        over: the position that the gradient ranks higher than the measurement by most; None where there is none.
        under: the position that it ranks lower by most.
        ranks: of ``over`` by gradient and by movement, then of ``under`` by both; 1 is the largest.
    """

    correlation: float | None
    over: int | None
    under: int | None
    ranks: tuple[int, int, int, int]


def parting(memory: TextMemory, replaced: ReplacedWords) -> Parting:
    """Return where the last row of gradients and the measured movements of the same text part."""
    gradient, moved = memory.row(SCORE), replaced.moved
    if gradient is None or len(gradient) != len(moved):
        raise ValueError("the gradient and the score changes must come from the same text")
    finite = np.where(np.isfinite(gradient), gradient, np.finfo(np.float32).min)  # zero is the least of all norms
    correlation = rank_correlation(finite, moved)
    if correlation is None:
        return Parting(None, None, None, (0, 0, 0, 0))
    ours, theirs = _ranks(finite), _ranks(moved)
    over, under = int(np.argmax(theirs - ours)), int(np.argmax(ours - theirs))
    ranks = (int(ours[over]), int(theirs[over]), int(ours[under]), int(theirs[under]))
    parted = theirs[over] > ours[over]  # where both orders are the same, no word is ranked higher by one
    return Parting(correlation, over if parted else None, under if parted else None, ranks)


def _ranks(values: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the rank of each number, 1 for the largest; of equal ones the earlier comes first."""
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
    return ranks
