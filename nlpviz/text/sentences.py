"""Sentences with their positions in the text as it was typed, for models that read sentences.

The boundaries are those of sentencex (Wikimedia), which knows abbreviations and keeps every character's place. Markup
that parts paragraphs, such as ``<br />``, ends a sentence as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from nlpviz.text.vocabulary import EncodedText, Token

_LANGUAGE = "en"
_BREAK = regex.compile(
    r"<[ ]*/?[ ]*(?=[a-z][^<>]{0,40}>)(?:br|p|div|hr|li|ul|ol|dl|dt|dd|h[1-6]|table|tr|td|th|blockquote|pre)\b[^<>]*>",
    regex.IGNORECASE,
)  # no longer than what the tokenizer takes for markup
_HALF_SIGN = regex.compile(r"\p{Cs}")  # half of a pair in UTF-16: sentencex reads none


class Sentence(NamedTuple):
    """One sentence of a text.

    Attributes:
        first: the position of its first token.
        last: the place after its last one.
        start: the character at which it begins, ``text[start:end]``; before all its tokens, and after those of others.
        end: the character after its last one; no white space at either end.
    """

    first: int
    last: int
    start: int
    end: int


def split(text: str) -> list[tuple[int, int]]:
    """Return the spans ``text[start:end]`` of the sentences of ``text`` in order.

    Between them lie white space and markup that parts paragraphs. A text without an end mark is one sentence.
    """
    from sentencex import get_sentence_boundaries

    whole = _HALF_SIGN.sub("\N{REPLACEMENT CHARACTER}", text)
    spans = []
    for start, end in _paragraphs(whole):
        for result in get_sentence_boundaries(_LANGUAGE, whole[start:end]):
            piece = whole[start + result["start_index"] : start + result["end_index"]]
            before, after = len(piece) - len(piece.lstrip()), len(piece) - len(piece.rstrip())
            if before < len(piece):
                spans.append((start + result["start_index"] + before, start + result["end_index"] - after))
    return spans


def sentences(text: str, tokens: Sequence[Token]) -> list[Sentence]:
    """Return the sentences of a text; each token belongs to exactly one sentence.

    Args:
        text: any text.
        tokens: its tokens, from :func:`nlpviz.text.vocabulary.tokenize`. Sentences without tokens are skipped.

    Returns:
        For each sentence, its range of tokens ``first:last`` and its range of characters ``start:end``.

    Example:
        >>> from nlpviz.text.sentences import sentences
        >>> from nlpviz.text.vocabulary import tokenize
        >>> text = "What a film! It costs 9.99 dollars."
        >>> [text[sentence.start : sentence.end] for sentence in sentences(text, tokenize(text))]
        ['What a film!', 'It costs 9.99 dollars.']
    """
    spans = split(text) or [(token.start, token.end) for token in tokens[:1]]
    starts = np.array([start for start, _ in spans], dtype=np.int64)
    positions = np.array([token.start for token in tokens], dtype=np.int64)
    # A token that lies in no span, or begins before the first one, goes to the sentence before it, or the first.
    of_token = np.maximum(np.searchsorted(starts, positions, side="right") - 1, 0)
    held, first, count = np.unique(of_token, return_index=True, return_counts=True)
    result: list[Sentence] = []
    end = 0
    for number, begin, last in zip(held.tolist(), first.tolist(), (first + count).tolist(), strict=True):
        start = spans[number][0]
        start = tokens[begin].start if start < end else min(start, tokens[begin].start)
        end = max(spans[number][1], tokens[last - 1].end)  # a boundary may lie within a token: ``!!`` and an emoji
        result.append(Sentence(begin, last, start, end))
    return result


def numbers(text: str, tokens: Sequence[Token]) -> NDArray[np.int64]:
    """Return the number of each token's sentence, from 0 and without gaps; shape (T,)."""
    lengths = [sentence.last - sentence.first for sentence in sentences(text, tokens)]
    return np.repeat(np.arange(len(lengths)), lengths)


def with_sentences(encoded: EncodedText) -> EncodedText:
    """Return ``encoded`` with the numbers of its read tokens' sentences."""
    return replace(encoded, sentences=numbers(encoded.text, encoded.tokens)[: len(encoded.ids)])


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans between the markup that parts paragraphs."""
    start = 0
    for mark in _BREAK.finditer(text):
        yield start, mark.start()
        start = mark.end()
    yield start, len(text)
