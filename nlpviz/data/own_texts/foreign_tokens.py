"""The tokens of somebody else's model, found in the text that they stand for, and numbers of a known shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.data.own_texts.rows import OwnTextsError
from nlpviz.text.vocabulary import Token, shortened

MOST_TOKENS = 2_000
_BEFORE = ("##", "Ġ", "▁")  # what word pieces begin with: WordPiece, byte-level BPE, SentencePiece
_AFTER = ("</w>", "@@")
_LARGEST = 1e9


def tokens_of(given: object, text: str, where: str) -> tuple[list[Token], dict[str, list[Any]]]:
    """Return the tokens with their spans, in order; and the scores and weights of those that were read.

    A token is its string, looked for in the text after the one before, whatever its case; or an object with ``start``
    and ``end``, in characters.

    Raises:
        OwnTextsError: if one is not found, or spans overlap or lie outside of the text.
    """
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_TOKENS:
        raise OwnTextsError(f"{where}: `tokens` must be a list of 1 to {MOST_TOKENS:,} tokens.")
    low = text.lower() if len(text.lower()) == len(text) else text
    tokens: list[Token] = []
    end = 0
    for at, token in enumerate(given, start=1):
        which = f"{where}: token {at}"
        if isinstance(token, str):
            start, end = _found(token, low, end, which)
        else:
            start, end = _span(token, end, len(text), which)
        tokens.append(Token(text[start:end], start, end))
    return tokens, {key: values for key in ("score", "weight") if (values := _each(given, key))}


def numbers(value: object, shape: tuple[int | None, ...], what: str) -> NDArray[np.float64] | None:
    """Return numbers of a shape, in which None is any length; None where there are none.

    Raises:
        OwnTextsError: if they are no finite numbers, or of another shape.
    """
    if value is None:
        return None
    try:
        array = np.array(value)
    except ValueError:
        raise OwnTextsError(f"{what} have rows of different lengths.") from None
    if array.dtype.kind not in "if" or not np.isfinite(array).all() or np.abs(array).max(initial=0) > _LARGEST:
        raise OwnTextsError(f"{what} must be finite numbers.")
    pairs = zip(shape, array.shape, strict=False)
    same = len(array.shape) == len(shape) and all(want in (None, have) for want, have in pairs)
    if not same:
        expected = " × ".join("any" if want is None else f"{want:,}" for want in shape)
        found = " × ".join(f"{have:,}" for have in array.shape)
        raise OwnTextsError(f"{what} must be {expected} numbers, one per token, not {found}.")
    return array.astype(np.float64)


def _found(token: str, low: str, after: int, which: str) -> tuple[int, int]:
    for spelt in (token, _bare(token)):
        wanted = spelt.lower()
        start = low.find(wanted, after) if wanted else -1
        if start >= 0 and not low[after:start].strip():
            return start, start + len(wanted)
    raise OwnTextsError(
        f"{which}, {shortened(token)!r}, does not occur in the text after character {after:,}. Omit "
        "special tokens such as [CLS], or specify `start` and `end`."
    )


def _bare(token: str) -> str:
    """Return a word piece without the mark of its tokenizer."""
    for mark in _BEFORE:
        token = token.removeprefix(mark)
    for mark in _AFTER:
        token = token.removesuffix(mark)
    return token


def _span(token: object, after: int, length: int, which: str) -> tuple[int, int]:
    start, end = (token.get("start"), token.get("end")) if isinstance(token, dict) else (None, None)
    if type(start) is not int or type(end) is not int or not after <= start < end <= length:
        raise OwnTextsError(
            f"{which} must be a string, or an object whose `start` and `end` lie within the text and after "
            "the preceding token."
        )
    return start, end


def _each(given: list[Any], key: str) -> list[Any]:
    """Return a number of each token up to the last one that has it: the others were cut off. Empty where none has."""
    values = [token.get(key) if isinstance(token, dict) else None for token in given]
    while values and values[-1] is None:
        values.pop()
    return values
