"""Which of many analogy questions are answered correctly, without scoring every word for every question.

The answer to a : b :: c : ? is the word d with the largest ``(S_b[d] - S_a[d]) + S_c[d]``, S the cosines (for 3CosMul
their logarithms): a part that the pair a, b gives, shared by many questions, and one that c gives. A word that is at
the top of neither part gets at most the sum of what the last ones there get. Where that is no more than the expected
word's score, the tops decide (Fagin, Lotem and Naor 2001, *Optimal Aggregation Algorithms for Middleware*, the
threshold algorithm). What is left open is asked of every word, so that the result is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.vectors import WordVectors
from nlpviz.word_vectors.analogies import ADD, EPSILON, METHODS
from nlpviz.word_vectors.selection import largest

Rows = tuple[int, int, int, int]
"""The rows of a, b, c and d."""

_TOP = 128
"""Words at the top of each part: enough to decide most questions."""
_NUMBERS = 16 << 20
"""A chunk of questions takes its words' scores with every candidate: at most so many numbers, 64 MiB."""


class _Chunk(NamedTuple):
    """Questions over few words.

    Attributes:
        positions: of the questions in the whole list.
        questions: (q, 4), indices into ``words``.
        words: (w,), candidates.
    """

    positions: list[int]
    questions: NDArray[np.intp]
    words: NDArray[np.intp]


class _Lists(NamedTuple):
    """The candidates to which each word of a chunk gives most as c.

    Attributes:
        tops: (w, k), candidates.
        values: (w, k), what it gives them; minus infinity where they are no answer.
        bounds: (w,), nobody else gets more.
    """

    tops: NDArray[np.intp]
    values: NDArray[np.float32]
    bounds: NDArray[np.float32]


def right(
    vectors: WordVectors, questions: Sequence[Rows], candidates: Sequence[int], *, method: str, exclude: bool
) -> NDArray[np.bool_]:
    """Return which questions are answered correctly, (q,): no candidate has a higher score than the expected one.

    Args:
        vectors: that are asked.
        questions: the rows of each question's words.
        candidates: rows that may be answers, ascending; each d is one.
        method: one of :data:`nlpviz.word_vectors.analogies.METHODS`.
        exclude: whether a, b and c are no answers.

    Raises:
        ValueError: if there is no such method.
    """
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}; choose from {', '.join(METHODS)}")
    result = np.zeros(len(questions), dtype=bool)
    whole = candidates[-1] + 1 == len(candidates) if candidates else True  # then no row is skipped, and none copied
    directions = vectors.directions[: len(candidates)] if whole else vectors.directions[list(candidates)]
    index_of = {row: position for position, row in enumerate(candidates)}
    indexed = [tuple(index_of[row] for row in rows) for rows in questions]
    for chunk in _chunks(indexed, max(8, _NUMBERS // max(len(candidates), 1))):
        result[chunk.positions] = _decide(directions, chunk, method, exclude)
    return result


def _chunks(questions: Sequence[tuple[int, ...]], most: int) -> Iterator[_Chunk]:
    """Yield the questions in chunks over at most ``most`` words; the questions of a section share theirs."""
    positions: list[int] = []
    words: dict[int, int] = {}
    for position, rows in enumerate(questions):
        if len(words) + sum(row not in words for row in set(rows)) > most:
            yield _chunk(questions, positions, words)
            positions, words = [], {}
        for row in rows:
            words.setdefault(row, len(words))
        positions.append(position)
    if positions:
        yield _chunk(questions, positions, words)


def _chunk(questions: Sequence[tuple[int, ...]], positions: list[int], words: dict[int, int]) -> _Chunk:
    numbers = np.array([[words[row] for row in questions[position]] for position in positions], dtype=np.intp)
    return _Chunk(positions, numbers, np.array(list(words), dtype=np.intp))


def _decide(directions: NDArray[np.float32], chunk: _Chunk, method: str, exclude: bool) -> NDArray[np.bool_]:
    """Return which questions of a chunk are answered right."""
    added, taken = _parts(directions, chunk.words, method)
    tops = np.stack([largest(row, _TOP) for row in added])  # (w, k)
    values = np.take_along_axis(added, tops, axis=1)
    lists = _Lists(tops, np.where(tops == chunk.words[:, None], -np.inf, values) if exclude else values, values[:, -1])
    result = np.zeros(len(chunk.questions), dtype=bool)
    pairs, group = np.unique(chunk.questions[:, :2], axis=0, return_inverse=True)
    order = np.argsort(group, kind="stable")
    ends = np.searchsorted(group[order], np.arange(len(pairs) + 1))
    for (a, b), start, end in zip(pairs, ends, ends[1:], strict=False):
        positions = order[start:end]
        c, d = chunk.questions[positions, 2], chunk.words[chunk.questions[positions, 3]]
        own = chunk.words[[a, b]] if exclude else chunk.words[:0]
        beaten = _beaten(added[b] - taken[a], added, lists, own, chunk.words, c, d)
        repeated = (d == chunk.words[c]) | np.isin(d, own)
        result[positions] = ~beaten & ~(repeated & exclude)
    return result


def _parts(
    directions: NDArray[np.float32], words: NDArray[np.intp], method: str
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return what each word of a chunk adds to each candidate as b or c, and what it subtracts as a, (w, n) each."""
    cosines = directions[words] @ directions.T
    if method == ADD:
        return cosines, cosines
    moved = np.maximum((1 + cosines) / 2, np.float32(1e-12))
    return np.log(moved), np.log(moved + np.float32(EPSILON))


def _beaten(
    pair: NDArray[np.float32],
    added: NDArray[np.float32],
    lists: _Lists,
    own: NDArray[np.intp],
    words: NDArray[np.intp],
    c: NDArray[np.intp],
    d: NDArray[np.intp],
) -> NDArray[np.bool_]:
    """Return which questions of one pair a, b have an answer with a higher score than d.

    Args:
        pair: (n,), what the pair gives each candidate.
        added: (w, n), what each word of the chunk gives as c.
        lists: the top of ``added``.
        own: candidates that are no answers: a and b, or none.
        words: (w,), the candidates that the chunk's words are.
        c: (q,), indices into ``words``.
        d: (q,), candidates.
    """
    aimed = pair[d] + added[c, d]
    top = largest(pair, _TOP)
    bound = pair[top[-1]] + lists.bounds[c]
    top = top[~np.isin(top, own)]
    by_pair = pair[top] + added[np.ix_(c, top)]
    by_word = pair[lists.tops[c]] + lists.values[c]
    if len(own):
        by_pair[top == words[c][:, None]] = -np.inf
        by_word[np.isin(lists.tops[c], own)] = -np.inf
    beaten = np.maximum(by_pair.max(axis=1, initial=-np.inf), by_word.max(axis=1)) > aimed
    for position in np.flatnonzero(~beaten & (bound > aimed)):
        scores = pair + added[c[position]]
        if len(own):
            scores[[*own, words[c[position]]]] = -np.inf
        beaten[position] = scores.max() > aimed[position]
    return np.asarray(beaten)
