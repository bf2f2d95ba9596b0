"""Word vectors: words, their corpus frequencies, and a vector for each.

They come from a run or from the user's file; all queries work on the same object, which is never
changed and may be shared between threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class WordVectors:
    """N words and their vectors, kept once: a direction of length 1 and a length.

    Attributes:
        source: what a caption calls them, for example ``"Skip-gram on enwiki-core, epoch 10"``.
        words: the commonest first where counts are known, else in the order of their file.
        counts: int64 (N,), occurrences in the corpus, or None where nobody wrote them down.
        directions: float32 (N, D), rows of length 1; a zero vector stays zero. Kept column after column: their product
            with one vector then takes half the time.
        lengths: float32 (N,), the vectors' Euclidean lengths.
    """

    source: str
    words: tuple[str, ...]
    counts: NDArray[np.int64] | None
    directions: NDArray[np.float32]
    lengths: NDArray[np.float32]

    @classmethod
    def of(
        cls, source: str, words: Sequence[str], vectors: NDArray[np.float32], counts: NDArray[np.int64] | None = None
    ) -> Self:
        """Return word vectors that take over ``vectors`` (N, D): columns are scaled in place, rows copied to columns.

        Raises:
            ValueError: if the numbers of words, vectors and counts differ, or a word stands twice.
        """
        if len(words) != len(vectors) or (counts is not None and len(counts) != len(words)):
            raise ValueError("each word needs one vector and, if counts are given, one count")
        if vectors.strides[0] != vectors.itemsize:
            vectors = np.asfortranarray(vectors)
        lengths = np.sqrt(np.einsum("nd,nd->n", vectors, vectors))
        vectors /= np.where(lengths > 0, lengths, 1)[:, None]
        made = cls(source, tuple(words), counts, vectors, lengths)
        if len(made.positions) != len(words):
            raise ValueError("each word may occur only once among the word vectors")
        for array in (vectors, lengths, *(() if counts is None else (counts,))):
            array.setflags(write=False)
        return made

    def __len__(self) -> int:
        """Return the number of words, N."""
        return len(self.words)

    @property
    def dimensions(self) -> int:
        """D, the numbers in a vector."""
        return int(self.directions.shape[1])

    @cached_property
    def positions(self) -> dict[str, int]:
        """The row of each word."""
        return {word: position for position, word in enumerate(self.words)}

    def vector(self, position: int) -> NDArray[np.float32]:
        """Return the vector in row ``position`` with its own length, shape (D,)."""
        return np.asarray(self.directions[position] * self.lengths[position])

    def count(self, position: int) -> int | None:
        """Return how often the word in row ``position`` stood in its corpus, if that is known."""
        return None if self.counts is None else int(self.counts[position])
