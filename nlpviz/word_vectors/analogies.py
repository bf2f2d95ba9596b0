"""The words nearest to an expression such as ``king - man + woman``, two ways, and the plane in which to draw it.

3CosAdd: Mikolov, Yih and Zweig (2013), *Linguistic Regularities in Continuous Space Word Representations*: the word
whose direction is nearest to the sum of the unit vectors. 3CosMul: Levy and Goldberg (2014), *Linguistic Regularities
in Sparse and Explicit Word Representations*, equation 4: the product of the similarities with the added words over that
with the others, cosines moved to (1 + cos) / 2. Both are defined there for ``b - a + c``; here for any signed words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.vectors import WordVectors
from nlpviz.results.word_queries import Analogy, Expression, Plane
from nlpviz.stats.principal_axes import principal_axes
from nlpviz.word_vectors.expressions import direction
from nlpviz.word_vectors.lookup import index_of
from nlpviz.word_vectors.neighbours import best

ADD, MUL = "3CosAdd", "3CosMul"
METHODS = (ADD, MUL)
EPSILON = 0.001
"""Levy and Goldberg's: keeps the quotient finite."""


def solve(
    vectors: WordVectors,
    expression: Expression,
    *,
    method: str = ADD,
    exclude: bool = True,
    count: int = 10,
    expected: str | None = None,
    among: int | None = None,
) -> Analogy:
    """Return the words nearest to an expression, such as ``france - paris + tokyo``.

    Args:
        vectors: the word vectors.
        expression: an expression from :func:`nlpviz.word_vectors.expressions.parse`.
        method: ``"3CosAdd"`` (Mikolov, Yih and Zweig 2013) or ``"3CosMul"`` (Levy and Goldberg 2014).
        exclude: whether to exclude the words of the expression from the results.
        count: the number of results.
        expected: a word whose rank is to be returned.
        among: the number of most frequent words to search; None searches all words.

    Returns:
        The nearest words, best first, with their scores, and the rank of ``expected``, counted from 1.

    Raises:
        ValueError: if the method does not exist.
        ExpressionError: if the words of the expression cancel out.
        UnknownWord: if there is no vector for the expected word.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.vectors import read_vectors
        >>> from nlpviz.word_vectors.analogies import solve
        >>> from nlpviz.word_vectors.expressions import parse
        >>> vectors = read_vectors(open_run("enwiki-skipgram"))
        >>> analogy = solve(vectors, parse(vectors, "paris : france :: tokyo"), expected="japan")
        >>> analogy.neighbours[0].word, analogy.rank
        ('japan', 1)
    """
    hoped = index_of(vectors, expected) if expected else None
    scores = _scores(vectors, expression, method, among)
    typed = sorted({vectors.positions[term.word] for term in expression.terms}) if exclude else []
    return Analogy(
        source=vectors.source,
        expression=expression,
        method=method,
        excludes=exclude,
        neighbours=best(vectors, scores, count, typed),
        expected=None if hoped is None else vectors.words[hoped],
        rank=None if hoped is None else _rank(scores, hoped, typed),
    )


def plane(vectors: WordVectors, analogy: Analogy) -> Plane:
    """Return the expression's words and the best answer in the plane that fits them best.

    The first two principal components of their directions. Where the signs add up to one, as in ``b - a + c``, the
    target point closes the parallelogram; else the sum is divided by what they add up to, which keeps where it points,
    or scaled to length 1 where that is not positive.
    """
    terms = list(dict.fromkeys((term.word, term.sign) for term in analogy.expression.terms))
    words = (*(word for word, _ in terms), *(answer.word for answer in analogy.neighbours[:1]))
    signs = (*(sign for _, sign in terms), *(0 for _ in analogy.neighbours[:1]))
    points = vectors.directions[[vectors.positions[word] for word in words]].astype(np.float64)
    axes = principal_axes(points, 2)
    target = _target(vectors, analogy.expression)
    return Plane(words, signs, axes.project(points), axes.share, axes.project(target))


def _target(vectors: WordVectors, expression: Expression) -> NDArray[np.float64]:
    """Return the vector that results from an expression, shape (D,)."""
    signs = np.array([term.sign for term in expression.terms], dtype=np.float64)
    summed = signs @ vectors.directions[[vectors.positions[term.word] for term in expression.terms]]
    return np.asarray(summed / (signs.sum() if signs.sum() > 0 else max(float(np.linalg.norm(summed)), 1e-12)))


def _scores(vectors: WordVectors, expression: Expression, method: str, among: int | None) -> NDArray[np.float32]:
    """Return the score of each of the first ``among`` words as an answer."""
    candidates = vectors.directions[:among]
    if method == ADD:
        return np.asarray(candidates @ direction(vectors, expression))
    if method != MUL:
        raise ValueError(f"unknown method {method!r}; choose from {', '.join(METHODS)}")
    rows = [vectors.positions[term.word] for term in expression.terms]
    moved = (1 + candidates @ vectors.directions[rows].T) / 2  # (n, terms), 0 to 1
    added = np.array([term.sign > 0 for term in expression.terms])
    taken_away = moved[:, ~added].prod(axis=1)  # 1 where nothing is
    return np.asarray(moved[:, added].prod(axis=1) / (taken_away + np.float32(EPSILON)))


def _rank(scores: NDArray[np.float32], row: int, excluded: list[int]) -> int | None:
    """Return the rank of a row's score from 1, or None if it is no answer."""
    if row in excluded or row >= len(scores):
        return None
    better = scores > scores[row]
    better[:row] |= scores[:row] == scores[row]  # of equal ones the first comes first
    return int(better.sum()) - int(better[[position for position in excluded if position < len(scores)]].sum()) + 1
