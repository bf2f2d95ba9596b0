"""Expressions of words as typed: ``king - man + woman``, or ``man : king :: woman``."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.vectors import WordVectors
from nlpviz.results.word_queries import Expression, Term
from nlpviz.word_vectors import WordVectorsError
from nlpviz.word_vectors.lookup import UnknownWord, find, index_of, shown

MOST_TERMS, LONGEST = 50, 1_000
_SIGNS = str.maketrans({"−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "＋": "+", "－": "-"})
_PROPORTION = re.compile(r"(?P<a>[^:]+):(?P<b>[^:]+)::(?P<c>[^:]+)(?::(?P<d>[^:]*))?")
_LEFT_OPEN = "?_… "
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?\s*[*×·x]?")
_JOINED = 4
"""A word with hyphens has at most so many parts."""


class ExpressionError(WordVectorsError):
    """An invalid expression; the message is one sentence.

    Attributes:
        unknown: the word that is not known, with its spellings, if that is what is wrong.
    """

    def __init__(self, message: str, unknown: UnknownWord | None = None) -> None:
        """Keep what is wrong."""
        super().__init__(message)
        self.unknown = unknown


def parse(vectors: WordVectors, typed: str) -> Expression:
    """Return a typed sum of words, or an analogy, as an expression.

    ``a : b :: c`` is read as ``b - a + c``. Hyphenated words and phrases with spaces are each treated as one word if
    they are in the vocabulary. Numbers cannot be used as factors.

    Args:
        vectors: the word vectors, which define the known words.
        typed: for example ``"king - man + woman"`` or ``"paris : france :: tokyo"``.

    Raises:
        ExpressionError: if the expression is empty or too long, contains an unknown word, lacks a sign, or both adds
            and subtracts the same word.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.vectors import read_vectors
        >>> from nlpviz.word_vectors.expressions import parse
        >>> str(parse(read_vectors(open_run("enwiki-skipgram")), "paris : france :: tokyo"))
        'france - paris + tokyo'
    """
    if len(typed) > LONGEST:
        raise ExpressionError(f"An expression can have at most {LONGEST:,} characters, not {len(typed):,}.")
    proportion = _PROPORTION.fullmatch(typed)
    terms: list[Term] = []
    for sign, phrase in _proportion(proportion) if proportion else _signed(vectors, typed):
        if len(terms) == MOST_TERMS:
            raise ExpressionError(f"An expression can have at most {MOST_TERMS} words.")
        terms.append(Term(sign, vectors.words[_known(vectors, phrase)], phrase))
    if not terms:
        raise ExpressionError("Type words with + and - between them, or an analogy: paris : france :: tokyo.")
    added, taken = ({term.word for term in terms if term.sign == sign} for sign in (1, -1))
    if both := sorted(added & taken):
        raise ExpressionError(f"{shown(both[0])} cancels out: it is both added and subtracted.")
    return Expression(tuple(terms))


def expected(typed: str) -> str:
    """Return the expected answer in ``a : b :: c : d``, as it was typed; empty if there is none."""
    proportion = _PROPORTION.fullmatch(typed)
    return (proportion["d"] or "").strip(_LEFT_OPEN) if proportion else ""


def direction(vectors: WordVectors, expression: Expression) -> NDArray[np.float32]:
    """Return the direction of an expression, shape (D,), length 1: the signed sum of the words' directions, scaled.

    Raises:
        ExpressionError: if the sum is zero.
    """
    rows = [vectors.positions[term.word] for term in expression.terms]
    signs = np.array([term.sign for term in expression.terms], dtype=np.float32)
    summed = signs @ vectors.directions[rows]
    length = float(np.linalg.norm(summed))
    if length < 1e-6:
        raise ExpressionError("The words of this expression cancel out, so no direction remains.")
    return np.asarray(summed / length, dtype=np.float32)


def _proportion(match: re.Match[str]) -> list[tuple[int, str]]:
    """Return the signed words of ``a : b :: c``."""
    return [(1, match["b"].strip()), (-1, match["a"].strip()), (1, match["c"].strip())]


def _signed(vectors: WordVectors, typed: str) -> Iterator[tuple[int, str]]:
    """Yield each phrase with its sign."""
    sign: int | None = None
    phrase: list[str] = []
    for piece in _pieces(vectors, typed):
        if piece not in ("+", "-"):
            phrase.append(piece)
            continue
        if phrase:
            yield sign or 1, " ".join(phrase)
        elif sign is not None:
            raise ExpressionError("There are two consecutive signs. Put a word between them.")
        sign, phrase = (1 if piece == "+" else -1), []
    if phrase:
        yield sign or 1, " ".join(phrase)
    elif sign is not None:
        raise ExpressionError("The expression ends with a sign. Put a word after it.")


def _pieces(vectors: WordVectors, typed: str) -> Iterator[str]:
    """Yield signs and words: a sign inside a word parts it, unless the word is known with it."""
    for chunk in typed.split():
        parts = [part for part in re.split(r"([+-])", chunk.translate(_SIGNS)) if part]
        at = 0
        while at < len(parts):
            longest = 1 if parts[at] in "+-" else min(2 * _JOINED - 1, len(parts) - at)
            sizes = range(longest, 1, -1)
            size = next((size for size in sizes if find(vectors, "".join(parts[at : at + size])) is not None), 1)
            yield "".join(parts[at : at + size])
            at += size


def _known(vectors: WordVectors, phrase: str) -> int:
    """Return the row of a word or a phrase; what is wrong with it if it is neither."""
    result = find(vectors, phrase)
    if result is None and (number := _NUMBER.match(phrase)) and find(vectors, phrase[number.end() :]) is not None:
        word = phrase[number.end() :].strip()
        raise ExpressionError(f"Words cannot be multiplied by numbers. Repeat {shown(word)} instead.")
    if result is None and " " in phrase:
        raise ExpressionError(f"The phrase {shown(phrase)} is not in the vocabulary. Put + or - between its words.")
    if result is not None:
        return result
    try:
        return index_of(vectors, phrase)
    except UnknownWord as unknown:
        raise ExpressionError(str(unknown), unknown) from None
