"""Words along two user-defined axes: two poles, ``good, great | bad, awful``, or an expression.

An axis from one group of words to its opposite is the difference of the groups' mean directions (Kozlowski, Taddy and
Evans 2019, *The Geometry of Culture*). An expression is an axis as in Parallax (Molino, Wang and Zhang 2019).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.vectors import WordVectors
from nlpviz.results.word_queries import Axes
from nlpviz.word_vectors.expressions import LONGEST, MOST_TERMS, ExpressionError, direction, parse
from nlpviz.word_vectors.lookup import UnknownWord, find, index_of


def axes(vectors: WordVectors, words: Sequence[str], x: str, y: str) -> Axes:
    """Return the positions of words along two axes that you define.

    An axis between two groups of words is the difference of their mean directions (Kozlowski, Taddy and Evans 2019).

    Args:
        vectors: the word vectors.
        words: the words to place; repeated words are placed once.
        x: two poles, such as ``"good, great | bad, awful"``, or an expression, such as ``"king - man + woman"``.
        y: the second axis, in the same form.

    Returns:
        The cosine of each of the n words with each axis, shape (n,); positive towards the first pole.

    Raises:
        ExpressionError: if an axis is empty, too long or contains an unknown word, or its two poles are equal.
        UnknownWord: if there is no vector for one of the words.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.vectors import read_vectors
        >>> from nlpviz.word_vectors.axes import axes
        >>> placed = axes(read_vectors(open_run("enwiki-skipgram")), ["nurse", "engineer"], "he | she", "good | bad")
        >>> print(placed.words, placed.x.round(2))
        ('nurse', 'engineer') [-0.08  0.09]
    """
    rows = list(dict.fromkeys(index_of(vectors, typed) for typed in words))
    along = vectors.directions[rows] @ np.stack([axis(vectors, x), axis(vectors, y)], axis=1)
    names = (" ".join(x.split()), " ".join(y.split()))
    return Axes(vectors.source, tuple(vectors.words[row] for row in rows), along[:, 0], along[:, 1], names)


def axes_of_each(spaces: Sequence[WordVectors], words: Sequence[str], x: str, y: str) -> list[Axes]:
    """Return the positions of the known words along two axes in each of ``spaces``, as :func:`axes` does."""
    return [axes(space, [word for word in words if find(space, word) is not None], x, y) for space in spaces]


def axis(vectors: WordVectors, typed: str) -> NDArray[np.float32]:
    """Return the direction of an axis, shape (D,), length 1: from the right pole to the left one, or an expression's.

    Raises:
        ExpressionError: if it is empty, holds an unknown word, or its poles are the same.
    """
    if len(typed) > LONGEST:
        raise ExpressionError(f"An axis can have at most {LONGEST:,} characters, not {len(typed):,}.")
    poles = typed.split("|")
    if len(poles) > 2:
        raise ExpressionError("An axis has two poles. Put one | between them.")
    if len(poles) == 1 and "," not in typed:
        return direction(vectors, parse(vectors, typed))
    left, *right = (_pole(vectors, pole) for pole in poles)
    between = left - right[0] if right else left
    length = float(np.linalg.norm(between))
    if length < 1e-6:
        raise ExpressionError("The two poles are identical. Choose different words.")
    return np.asarray(between / length, dtype=np.float32)


def _pole(vectors: WordVectors, typed: str) -> NDArray[np.float32]:
    """Return the mean direction of a pole's words, shape (D,)."""
    words = [word for word in typed.split(",") if word.strip()]
    if not words:
        raise ExpressionError("A pole is empty. Type words on both sides of the |, for example: good, great | bad.")
    if len(words) > MOST_TERMS:
        raise ExpressionError(f"A pole can have at most {MOST_TERMS} words.")
    try:
        rows = [index_of(vectors, word) for word in words]
    except UnknownWord as unknown:
        raise ExpressionError(str(unknown), unknown) from None
    return np.asarray(vectors.directions[rows].mean(axis=0))
