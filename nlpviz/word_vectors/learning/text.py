"""A corpus as one long row of word numbers on disk: whatever its size, little of it is in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SEPARATOR = -1
"""Stands between two documents: no window reaches over it."""

PIECE = 2_000_000


@dataclass(frozen=True, eq=False)
class EncodedCorpus:
    """A corpus whose words are numbers.

    Attributes:
        ids: int32 (T,), memory-mapped: each known word's number, ``SEPARATOR`` between documents. Words that have no
            number are left out before windows are laid, as word2vec does.
        counts: int64 (N,), how often each word stands in it, the commonest first.
        words: how many words there are in the corpus, those without a number included.
    """

    ids: NDArray[np.int32]
    counts: NDArray[np.int64]
    words: int

    def pieces(self, size: int = PIECE) -> Iterator[NDArray[np.int32]]:
        """Yield ``ids`` in pieces of at most ``size``, each read into memory when its turn comes."""
        for start in range(0, len(self.ids), size):
            yield np.array(self.ids[start : start + size])


def keep_probabilities(counts: NDArray[np.int64], threshold: float) -> NDArray[np.float32]:
    """Return the share of each word's occurrences that is kept, (N,): sqrt(t / f) + t / f, at most 1.

    The formula of word2vec's program; Mikolov, Sutskever et al. (2013), section 2.3, print its first term alone.
    A threshold of 0 keeps all.
    """
    if not threshold:
        return np.ones(len(counts), dtype=np.float32)
    ratio = threshold / (counts / counts.sum())
    return np.asarray(np.minimum(1, np.sqrt(ratio) + ratio), dtype=np.float32)


def subsample(
    piece: NDArray[np.int32], kept: NDArray[np.float32], rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the words of a piece that are kept, and the number of the document that each stands in."""
    documents = np.cumsum(piece == SEPARATOR, dtype=np.int32)
    stays = (piece != SEPARATOR) & (rng.random(len(piece), dtype=np.float32) < kept[piece])
    return piece[stays].astype(np.int64), documents[stays]
