"""How far back a network remembers: derivatives through time, what its gates keep, and the effect of other words.

All norms are kept as decimal logarithms: products of hundreds of Jacobian matrices leave the range of a float. A norm
of exactly zero, as of a word outside a receptive field, is minus infinity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import EncodedText

FORGOTTEN = 0.01
"""Below this share of its value, what is left of a word counts as forgotten."""


class Probes(NamedTuple):
    """How the norms of a matrix were estimated.

    Attributes:
        used: random directions of the later state; as many as the state has numbers give the norms exactly.
        error: the standard error of a norm, as a share of it: root mean square over all pairs of words; 0 if exact.
        last_used: likewise of the last word's row alone.
        last_error: likewise.
    """

    used: int
    error: float
    last_used: int = 0
    last_error: float = 0.0


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
        last: float32 (T,), the last row of ``state``, with more probes or none; None likewise.
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
            raise ValueError("memory values need one number per pair of words read")
        rows = [self.last, *((self.gate.kept, self.gate.longest) if self.gate else ())]
        if any(row is not None and row.shape != (count,) for row in rows):
            raise ValueError("the last row of memory values needs one number per word read")
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
        """Return ``"state"`` or ``"score"`` of the last word, (T,); None where there is no state."""
        if quantity == STATE:
            return self.last
        return self.score[-1] if self.words else np.zeros(0, dtype=np.float32)


def by_distance(matrix: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the median over all pairs of words of each distance, (T,), from 0 on, of a ``matrix`` (T, T)."""
    return np.array([np.nanmedian(np.diagonal(matrix, -distance)) for distance in range(len(matrix))])


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

    The gain of a state is 1 at the last word, and shares are relative to it; gradients by words have no such beginning,
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
