"""How far back a network remembers: derivatives through time, what its gates keep, and what other words change.

All norms are kept as decimal logarithms: products of hundreds of Jacobian matrices leave the range of a float. A norm
of exactly zero, as of a word outside a receptive field, is minus infinity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.rank_correlation import rank_correlation
from nlpviz.text.vocabulary import EncodedText

DRAWS = 8
"""Words by which each word is replaced."""
FORGOTTEN = 0.01
"""Below this share of its value, what is left of a word counts as forgotten."""


class Probes(NamedTuple):
    """How the norms of a matrix were estimated.

    Attributes:
        used: random directions of the later state; as many as the state has numbers give the norms exactly.
        error: the standard error of a norm, as a share of it: root mean square over all pairs of words; 0 if exact.
    """

    used: int
    error: float


class Gate(NamedTuple):
    """What a cell multiplies its state by.

    Attributes:
        name: the gate's, for example ``"forget gate"``.
        symbol: in TeX.
        kept: float32 (T,), log10 of the product of its values over all words after word t, the geometric mean over the
            units; 0 for the last word, after which there is none.
        longest: float32 (T,), the same of the unit that keeps most of word t.
    """

    name: str
    symbol: str
    kept: NDArray[np.float32]
    longest: NDArray[np.float32]


@dataclass(frozen=True)
class TextMemory:
    """What later states and scores of a network still depend on, of the T words that it read.

    Attributes:
        run: the run whose model read the text.
        epoch: of its weights; 0 is before training.
        text: the text as the model saw it.
        class_names: the classes, in the order of ``probabilities``.
        probabilities: (K,), what the model says of the whole text.
        target: the index of the class whose score is differentiated.
        score: float32 (T, T), log10 of the Euclidean norm of the gradient of the score after word T (row), as if the
            text ended there, by the vector of word t (column); not a number where t is after T.
        state: float32 (T, T), log10 of the gain from the state after word t (column) to that after word T (row): the
            Frobenius norm of the derivative over the square root of the state's size, by what a disturbance of a
            random direction is multiplied, root mean square. None of a network without a state that it goes on from.
        last: float32 (T,), the last row of ``state``, without probes; None likewise.
        probes: how ``state`` was estimated; None likewise.
        state_size: S, how many numbers it goes on from; 0 likewise.
        gate: what the cell multiplies its state by; None where its equations have no such gate.
        receptive_field: how many words the score can depend on, from the last one back; None if there is no such bound.
        reading: what the score is read off: the ``"last"`` state, the ``"mean"`` or the ``"max"`` of all.
    """

    run: str
    epoch: int
    text: EncodedText
    class_names: tuple[str, ...]
    probabilities: NDArray[np.float32]
    target: int
    score: NDArray[np.float32]
    state: NDArray[np.float32] | None = None
    last: NDArray[np.float32] | None = None
    probes: Probes | None = None
    state_size: int = 0
    gate: Gate | None = None
    receptive_field: int | None = None
    reading: str = "last"

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse those that do not match the words."""
        count = len(self.text.ids)
        if self.score.shape != (count, count) or (self.state is not None and self.state.shape != (count, count)):
            raise ValueError("a memory has a number for every pair of words read")
        rows = [self.last, *((self.gate.kept, self.gate.longest) if self.gate else ())]
        if any(row is not None and row.shape != (count,) for row in rows):
            raise ValueError("the last row of a memory has a number for every word read")
        for array in (self.probabilities, self.score, self.state, *rows):
            if array is not None:
                array.setflags(write=False)

    @property
    def words(self) -> int:
        """T, how many words were read."""
        return len(self.text.ids)

    @property
    def predicted(self) -> int:
        """The index of the most probable class."""
        return int(np.argmax(self.probabilities))

    def matrix(self, quantity: str) -> NDArray[np.float32] | None:
        """Return ``"state"`` or ``"score"`` for every pair; None where there is no state."""
        return self.state if quantity == STATE else self.score

    def row(self, quantity: str) -> NDArray[np.float32] | None:
        """Return ``"state"`` or ``"score"`` of the last word, exactly, (T,); None where there is no state."""
        if quantity == STATE:
            return self.last
        return self.score[-1] if self.words else np.zeros(0, dtype=np.float32)


STATE, SCORE = "state", "score"


class Reach(NamedTuple):
    """How many words back something is still seen.

    Attributes:
        words: the distance of the farthest word that has not been forgotten, 0 for the last word.
        whole: whether that is the first word of the text, so that more is not known.
        first: what is left of the first word, as a share, log10.
    """

    words: int
    whole: bool
    first: float


def reach(row: NDArray[np.float32], quantity: str) -> Reach | None:
    """Return how far back a row of a memory reaches; None of a row without a number other than zero.

    The gain of a state is 1 at the last word, of which shares are taken; gradients by words have no such beginning,
    and their shares are of the largest one.

    Args:
        row: (T,), log10, of the last word.
        quantity: ``"state"`` or ``"score"``.
    """
    known = row[np.isfinite(row)]
    if not known.size:
        return None
    whole = 0.0 if quantity == STATE else float(known.max())
    there = np.flatnonzero(row - whole >= np.log10(FORGOTTEN))
    farthest = len(row) - 1 - int(there[0]) if there.size else 0
    return Reach(farthest, farthest == len(row) - 1, float(row[0] - whole))


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
            raise ValueError("each word read has a change for each word drawn")
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
        raise ValueError("gradient and movement must be of one text")
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
