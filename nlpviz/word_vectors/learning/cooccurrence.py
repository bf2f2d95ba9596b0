"""How often words stand near each other: a sparse, symmetric matrix, counted piece by piece."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nlpviz.word_vectors.learning.text import SEPARATOR, EncodedCorpus

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_PIECE = 500_000  # words: their pairs take some hundred megabytes while they are counted


def cooccurrences(text: EncodedCorpus, window: int, *, harmonic: bool) -> csr_array:
    """Return the counts (N, N) of words within ``window`` words of each other, float32.

    Args:
        text: the corpus.
        window: words to either side.
        harmonic: whether a pair d words apart counts 1 / d (Pennington et al. 2014), or 1.
    """
    from scipy.sparse import coo_array, csr_array

    size = len(text.counts)
    counted = csr_array((size, size), dtype=np.float32)
    for piece in text.pieces(_PIECE):
        pairs = []
        documents = np.cumsum(piece == SEPARATOR)
        for distance in range(1, window + 1):
            left, right = piece[:-distance], piece[distance:]
            together = (left != SEPARATOR) & (right != SEPARATOR) & (documents[:-distance] == documents[distance:])
            weight = np.float32(1 / distance if harmonic else 1)
            weights = np.full(int(together.sum()), weight)
            pairs.append(coo_array((weights, (left[together], right[together])), shape=(size, size)).tocsr())
        counted = counted + sum(pairs[1:], pairs[0])
    # Only right neighbours were counted: the transpose adds the left ones.
    return (counted + counted.T).tocsr()
