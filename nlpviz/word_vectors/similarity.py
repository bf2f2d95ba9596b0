"""How similar words are to each other: the cosine of the angle between their vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.vectors import WordVectors
from nlpviz.results.word_queries import SimilarityMatrix
from nlpviz.word_vectors.lookup import find, index_of

_ORDERED = 300
"""Leaves are put in their optimal order up to so many words: it takes time that grows with their cube."""


def similarity(vectors: WordVectors, first: str, second: str) -> float:
    """Return the cosine similarity of two words, −1 to 1.

    Args:
        vectors: the word vectors.
        first: a word.
        second: another word.

    Raises:
        UnknownWord: if there is no vector for one of the words.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.vectors import read_vectors
        >>> from nlpviz.word_vectors.similarity import similarity
        >>> round(similarity(read_vectors(open_run("enwiki-skipgram")), "physics", "chemistry"), 2)
        0.65
    """
    rows = [index_of(vectors, typed) for typed in (first, second)]
    return float(vectors.directions[rows[0]] @ vectors.directions[rows[1]])


def matrix(vectors: WordVectors, words: Sequence[str]) -> SimilarityMatrix:
    """Return the cosines of words with each other, similar words side by side; a repeated word is used once.

    The order is that of the leaves of an average-linkage clustering by 1 - cosine, neighbours as near as the tree
    allows (Bar-Joseph, Gifford and Jaakkola 2001, *Fast Optimal Leaf Ordering for Hierarchical Clustering*).

    Raises:
        UnknownWord: if one of them is not known.
    """
    rows = np.array(list(dict.fromkeys(index_of(vectors, typed) for typed in words)), dtype=np.intp)
    directions = vectors.directions[rows]
    cosines = np.clip(directions @ directions.T, -1, 1)
    order = clustered(cosines)
    return SimilarityMatrix(
        vectors.source, tuple(vectors.words[row] for row in rows[order]), cosines[np.ix_(order, order)]
    )


def matrices(spaces: Sequence[WordVectors], words: Sequence[str]) -> list[SimilarityMatrix]:
    """Return the matrix of the known words of each of ``spaces`` that knows two of them."""
    found = [matrix(space, [word for word in words if find(space, word) is not None]) for space in spaces]
    return [one for one in found if len(one.words) > 1]


def clustered(cosines: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return the order (n,) in which words with these cosines (n, n) are next to similar words."""
    if len(cosines) < 3:
        return np.arange(len(cosines))
    from scipy.cluster.hierarchy import leaves_list, linkage

    apart = 1 - cosines[np.triu_indices(len(cosines), k=1)].astype(np.float64)
    tree = linkage(np.maximum(apart, 0), method="average", optimal_ordering=len(cosines) <= _ORDERED)
    return np.asarray(leaves_list(tree), dtype=np.intp)
