"""How often each n-gram occurs in a corpus's training texts: small enough to store, too coarse to recover the texts.

Of each n-gram only a hash of few bits and its count are kept, ascending: a set coded by the gaps between its hashes
(Putze, Sanders and Singler 2007, *Cache-, Hash- and Space-Efficient Bloom Filters*, section 4). One that never stood
there meets a foreign hash once in :data:`SPACING` times, and counts only if every part of it was met as well. The
texts cannot be put together again from it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SPACING = 64
_MULTIPLIERS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))


@dataclass(frozen=True)
class NgramCounts:
    """Counts of the n-grams of up to ``longest`` words.

    Attributes:
        longest: words in an n-gram, at most.
        texts: how many texts were counted.
        space: hashes are below it.
        hashes: uint32 (N,), ascending; uint64 where the space needs it.
        counts: int32 (N,).
    """

    longest: int
    texts: int
    space: int
    hashes: NDArray[np.unsignedinteger]
    counts: NDArray[np.int32]

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in (self.hashes, self.counts):
            array.setflags(write=False)

    @classmethod
    def count(cls, texts: Iterable[Sequence[str]], longest: int) -> NgramCounts:
        """Return the counts of all n-grams of ``texts``, lists of words."""
        numbers: dict[str, int] = {}
        sequences = [
            np.fromiter((numbers.setdefault(word, len(numbers)) for word in words), np.int64) for words in texts
        ]
        of_words = hashes_of(list(numbers))
        keys, counts = [np.empty(0, np.uint64)], [np.empty(0, np.int64)]
        for size in range(1, longest + 1):
            windows = (windows_of(of_words[sequence], size) for sequence in sequences)
            distinct, times = np.unique(np.concatenate([np.empty(0, np.uint64), *windows]), return_counts=True)
            keys.append(distinct)
            counts.append(times)
        every, times = np.concatenate(keys), np.concatenate(counts)
        space = max(SPACING * len(every), 1)
        hashes = every % np.uint64(space)
        order = np.lexsort((-times, hashes))  # of two n-grams with one hash the more frequent counts
        hashes, first = np.unique(hashes[order], return_index=True)
        return cls(longest, len(sequences), space, hashes.astype(narrow(space)), times[order][first].astype(np.int32))

    def of(self, words: Sequence[str]) -> int:
        """Return how often ``words`` stood together in the training texts, 0 for never.

        Raises:
            ValueError: if there are no words, or more than were counted together.
        """
        return int(self.of_each(np.arange(len(words))[None], words)[0])

    def of_each(self, ngrams: NDArray[np.integer], words: Sequence[str]) -> NDArray[np.int64]:
        """Return how often each of many n-grams stood there, (G,).

        Args:
            ngrams: int (G, h), each a row of places in ``words``.
            words: in the vocabulary's spelling.

        Raises:
            ValueError: if h is 0, or more words than were counted together.
        """
        size = ngrams.shape[1]
        if not 1 <= size <= self.longest:
            raise ValueError(f"only n-grams of 1 to {self.longest} words were counted, not of {size}")
        columns = list(hashes_of(words)[ngrams].T)
        parts = [columns[first : first + part] for part in range(1, size + 1) for first in range(size - part + 1)]
        # no n-gram is more frequent than a part of it
        return np.asarray(np.min([self._stored(_mixed(part)) for part in parts], axis=0))

    def _stored(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        if not len(self.hashes):
            return np.zeros(len(keys), dtype=np.int64)
        wanted = (keys % np.uint64(self.space)).astype(self.hashes.dtype)
        positions = np.searchsorted(self.hashes, wanted).clip(max=len(self.hashes) - 1)
        return np.where(self.hashes[positions] == wanted, self.counts[positions], 0).astype(np.int64)


def narrow(space: int) -> type[np.unsignedinteger]:
    """Return the type that hashes below ``space`` need: millions of them are kept in memory."""
    return np.uint32 if space <= 1 << 32 else np.uint64


def hashes_of(words: Sequence[str]) -> NDArray[np.uint64]:
    """Return 64 bits for each word, the same on every machine."""
    digests = b"".join(hashlib.blake2b(word.encode(errors="replace"), digest_size=8).digest() for word in words)
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


def windows_of(words: NDArray[np.uint64], size: int) -> NDArray[np.uint64]:
    """Return 64 bits for each window of ``size`` among the hashed words of a text."""
    count = max(len(words) - size + 1, 0)
    return _mixed([words[position : position + count] for position in range(size)])


def _mixed(columns: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Return 64 bits for each n-gram, of whose hashed words each column holds one (Steele, Lea and Flood 2014)."""
    mixed = np.full(len(columns[0]), len(columns), dtype=np.uint64)
    for column in columns:
        mixed = (mixed ^ column) * _MULTIPLIERS[0]
        for shift, multiplier in zip(_SHIFTS, (*_MULTIPLIERS[1:], np.uint64(1)), strict=True):
            mixed = (mixed ^ (mixed >> shift)) * multiplier
    return mixed
