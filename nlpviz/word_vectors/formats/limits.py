"""Which files are refused before they fill memory, and the error messages."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.word_vectors import WordVectorsError

LARGEST_BYTES = 2 << 30
"""Single-precision numbers of a file's vectors, two GiB unless more is asked for: 1.8 million words of 300."""
LARGEST_NUMBER = 1e16
"""Squares of larger numbers, summed, leave single precision."""


class FormatError(WordVectorsError):
    """A file without word vectors, or damaged, or too large; the message is one sentence that names the line."""


class Layout(NamedTuple):
    """How a file of word vectors is laid out.

    Attributes:
        title: of its format, for people.
        binary: whether the numbers are single-precision ones, else they are text.
        words: how many its first line promises, or None where it promises nothing.
        dimensions: numbers in a vector.
        start: where the first word stands, in bytes.
    """

    title: str
    binary: bool
    words: int | None
    dimensions: int
    start: int


class Limits(NamedTuple):
    """The limits of a reader.

    Attributes:
        largest_bytes: that the vectors may take in memory.
        most_words: the first so many are read; None for all.
    """

    largest_bytes: int
    most_words: int | None

    def table(self, name: str, words: int, dimensions: int) -> NDArray[np.float32]:
        """Return room for the vectors of a file, (N, D), not filled.

        Raises:
            FormatError: if it would take too many bytes.
        """
        wanted = words if self.most_words is None else min(words, self.most_words)
        size = wanted * dimensions * 4
        if size > self.largest_bytes:
            raise FormatError(
                f"{name} contains {words:,} words of {dimensions:,} numbers ({in_mib(size)}), more than the limit of "
                f"{in_mib(self.largest_bytes)}. Read fewer words."
            )
        return np.empty((wanted, dimensions), dtype=np.float32, order="F")


class Rows:
    """The words of a file and their vectors, as they are read: each word once, its first vector kept."""

    def __init__(self, table: NDArray[np.float32]) -> None:
        """Fill ``table`` (N, D) from its first row on."""
        self.table = table
        self.words: dict[str, None] = {}
        self.repeated = 0

    @property
    def full(self) -> bool:
        """Whether no more words are wanted."""
        return len(self.words) == len(self.table)

    def next(self, spelt: bytes) -> NDArray[np.float32] | None:
        """Return where the vector of a word belongs, (D,), or None if the word occurred before."""
        word = spelt.decode("utf-8", "replace")
        if word in self.words:
            self.repeated += 1
            return None
        self.words[word] = None
        return np.asarray(self.table[len(self.words) - 1])


def usable(vector: NDArray[np.float32]) -> bool:
    """Return whether every number is finite and can be squared."""
    return bool(np.abs(vector).max() <= LARGEST_NUMBER)  # false for what is not a number


def in_mib(size: int) -> str:
    """Return a number of bytes as people read it."""
    return f"{size / (1 << 30):,.1f} GiB" if size >= 1 << 30 else f"{size / (1 << 20):,.1f} MiB"
