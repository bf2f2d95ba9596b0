"""The words whose vectors point in the same direction: cosine similarity, computed exactly for every word."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.vectors import WordVectors
from nlpviz.results.word_queries import Neighbour, Neighbours
from nlpviz.word_vectors.lookup import index_of
from nlpviz.word_vectors.selection import largest

_CHUNK = 64
"""Queries that are answered at once: their scores of 70,000 words are 18 MB."""


def neighbours(vectors: WordVectors, typed: str, count: int = 10, *, among: range | None = None) -> Neighbours:
    """Return the nearest neighbours of a word by cosine similarity.

    Args:
        vectors: the word vectors.
        typed: the word; if it is unknown as written, other capitalisations are tried.
        count: the number of neighbours.
        among: the frequency ranks, counted from 0, of the candidate words, for example ``range(1000, 10000)``; None
            searches all words.

    Returns:
        The neighbours with their cosines, nearest first; no neighbours if the word's vector is zero.

    Raises:
        UnknownWord: if there is no vector for the word.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.vectors import read_vectors
        >>> from nlpviz.word_vectors.neighbours import neighbours
        >>> result = neighbours(read_vectors(open_run("enwiki-skipgram")), "physics", 2)
        >>> [(neighbour.word, round(neighbour.score, 2)) for neighbour in result.neighbours]
        [('astrophysics', 0.69), ('chemistry', 0.65)]
    """
    row = index_of(vectors, typed)
    result: tuple[Neighbour, ...] = ()
    if vectors.lengths[row] > 0:
        (result,) = nearest(vectors, vectors.directions[row : row + 1], count, [{row}], among=among)
    return Neighbours(vectors.source, vectors.words[row], row, vectors.count(row), result)


def predicted_neighbours(
    inputs: WordVectors, outputs: WordVectors, typed: str, count: int = 10, *, among: range | None = None
) -> Neighbours:
    """Return the words whose output vectors are nearest to the input vector of a word: those expected near it.

    Args:
        inputs: in which the word is looked up.
        outputs: of the same words, which are searched.
        typed: the word, as in :func:`neighbours`.
        count: the number of neighbours.
        among: the frequency ranks of the candidate words; None searches all words.

    Raises:
        UnknownWord: if there is no vector for the word.
    """
    row = index_of(inputs, typed)
    (result,) = nearest(outputs, inputs.directions[row : row + 1], count, [{row}], among=among)
    return Neighbours(f"{inputs.source}, input vs. output vectors", inputs.words[row], row, inputs.count(row), result)


def nearest(
    vectors: WordVectors,
    directions: NDArray[np.float32],
    count: int,
    exclude: Sequence[Collection[int]] = (),
    *,
    among: range | None = None,
) -> list[tuple[Neighbour, ...]]:
    """Return the ``count`` words nearest to each of ``directions`` (Q, D), which have length 1.

    Args:
        vectors: that are asked.
        directions: (Q, D).
        count: of words for each.
        exclude: for each direction the rows that are no answers; empty for none.
        among: ranks of the words that may be answers; None for all.
    """
    band = range(len(vectors))[slice(among.start, among.stop) if among is not None else slice(None)]
    candidates = vectors.directions[band.start : band.stop]
    left_out: Sequence[Collection[int]] = exclude or [()] * len(directions)
    result = []
    for start in range(0, len(directions), _CHUNK):
        chunk = directions[start : start + _CHUNK]
        scores = (candidates @ chunk[0])[None] if len(chunk) == 1 else chunk @ candidates.T  # (q, n)
        for row, no_answers in zip(scores, left_out[start : start + _CHUNK], strict=True):
            result.append(best(vectors, row, count, no_answers, band.start))
    return result


def best(
    vectors: WordVectors, scores: NDArray[np.float32], count: int, exclude: Collection[int] = (), first: int = 0
) -> tuple[Neighbour, ...]:
    """Return the ``count`` words with the highest scores, best first.

    Args:
        vectors: that the scores are of.
        scores: (n,), of the words from row ``first`` on.
        count: of words.
        exclude: rows that are no answers.
        first: the row of the first score.
    """
    rows = [int(row) + first for row in largest(scores, count + len(exclude))]
    kept = [row for row in rows if row not in exclude][:count]
    return tuple(Neighbour(vectors.words[row], row, vectors.count(row), float(scores[row - first])) for row in kept)
