"""Ratings that a review states in its text: ``7/10``, ``8 out of 10``, ``** 1/2``, ``three stars``, ``Grade: B+``.

What counts as one is a convention of this module. A rating names a place on a scale:

* a number over 5, 10 or 100 that is no larger, ``7/10`` or ``4 / 10``; over 4 only with a decimal, since ``3/4`` is a
  fraction, as ``1/2`` is;
* a number, a numeral or asterisks ``out of`` 4, 5, 10 or 100; ``out of 10`` by itself; ``8 of 10`` in digits;
* two to ten asterisks in a row, or one followed by ``1/2``, unless they touch a letter (``f**k``) or are next to the
  announcement of a spoiler;
* a number of ``stars``; where it is spelt out, not after ``the`` and the like (*the two stars of the film*);
* a number from 0 to 10, or a letter grade, that the words before it call a rating: ``my vote is seven``, ``I give it a
  7.``, ``rating: 3``, ``grade: B+``.

Dates (``9/11``), years, running times and percentages are none, nor are words of praise such as ``two thumbs up``. A
rating that its context alone reveals (*a solid 8*) is missed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import Token, tokenize

MASK = "█"
"""Stands for a word of a rating: a token of its own, which no review holds and no vocabulary knows."""

_FIVE, _TEN = r"(?:[0-4](?:[.,]\d+)?|5(?:[.,]0+)?)", r"(?:0?\d(?:[.,]\d+)?|10(?:[.,]0+)?)"
_HUNDRED = r"(?:\d{1,2}(?:[.,]\d+)?|100)"
_NUMERAL = r"(?:zero|one|two|three|four|five|six|seven|eight|nine|ten)\b"
_HALF = r"(?:\s*(?:1/2|½)|\s+(?:and|&)\s+(?:an?\s+)?(?:half\b|1/2))"
_STARS = r"(?:(?:\*[ ]?){1,9}\*(?:\s?1/2|½)?|\*\s?(?:1/2|½))(?!\s?\*)"
_SCALE = rf"(?:(?:4|5|10|100)(?:[.,]0+)?(?![\d/])|(?:four|five|ten)\b|{_STARS})"
_GRADE = r"[a-f](?:[+-](?!\w)|(?![\w'’+]))"
_FILM = r"(?:(?:this|the)\s+(?:one|movie|film|flick|picture|show|series|episode|thing|mess)|it|this|that)"
_ENDS = (  # nothing that is counted follows: no *10 minutes*
    r"(?=\s*(?:[.,;:!?)\]\"<~-]|$|(?:for|because|but|and|instead|only|just|simply|since|due|on|from|overall|points?)\b))"
)
_PATTERNS = (
    rf"(?:{_TEN}\s?/\s?10|{_FIVE}\s?/\s?5|{_HUNDRED}\s?/\s?100|[0-4][.,]\d+\s?/\s?4)(?:[.,]0+)?(?!\d|/|[.,]\d)",
    rf"(?:{_HUNDRED}|\b{_NUMERAL}){_HALF}?(?:[\s-]stars?)?\s+out\s+of\s+(?:a\s+)?(?:possible\s+)?{_SCALE}",
    rf"(?:{_STARS}|\*)(?:\s+stars?)?\s*(?:\b(?:out\s+of|outta|from)\b|/)\s*(?:a\s+)?(?:possible\s+)?{_SCALE}",
    r"\bout\s+of\s+(?:a\s+)?(?:possible\s+)?(?:10(?![\d/,])|ten\b)",
    rf"{_TEN}\s+of\s+10(?![\d/,])",
    rf"(?P<asterisks>{_STARS})",
    rf"(?:{_TEN}{_HALF}?|1/2)[\s-]+stars?\b",
    rf"(?P<numeral>\b{_NUMERAL}{_HALF}?[\s-]+stars?\b)(?!\s+(?:in|of|are|were|who|from|wars)\b)",
    rf"\b(?:rating|score|vote|grade|verdict)\b\s*(?:is|was|of|[:=-])?\s*(?:(?:only|just)\s+)?"
    rf"(?P<voted>(?:an?\s+)?(?:{_TEN}(?!\w|[.,/]\d|/)|{_NUMERAL}){_HALF}?){_ENDS}",
    rf"\b(?:rating|score|grade|verdict)\s*(?:\bis\b|\bwas\b|\bof\b|[:=-])\s*(?P<graded>(?:an?\s+)?{_GRADE}){_ENDS}",
    rf"\b(?:give|gives|gave|giving|given|rate|rates|rated|gets?|got|deserves|earns)\s+(?:{_FILM}\s+)?"
    rf"(?:(?:only|just|about|maybe|as|at)\s+)?(?P<given>(?:an?\s+)?(?:(?:solid|strong|generous|low|high|weak|big)\s+)?"
    rf"{_TEN}(?!\w|[.,/]\d|/){_HALF}?|an?\s+(?:{_NUMERAL}{_HALF}?|{_GRADE})){_ENDS}",
)
_BEGINS = r"(?<![\w/*])(?<!\d[.,])(?=[\d*defgnorstvz½])"  # never within a number or a word; most letters begin none
_RATING = re.compile(f"{_BEGINS}(?:{'|'.join(_PATTERNS)})", re.IGNORECASE)
_OWN = re.compile(r"\b(?:the|its|their|his|her|our|these|those|all|both|other|main|of)\s+$", re.IGNORECASE)
_ANNOUNCED = re.compile(r"\bspoil|\bwarning|\balert|\bahead|\bcontain", re.IGNORECASE)
_NEAR = 30  # signs before and after asterisks in which a spoiler may be announced


def rating_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans ``text[start:end]`` of the ratings that ``text`` states, in order and apart from each other."""
    return [match.span(_value(match)) for match in _RATING.finditer(text) if _is_rating(text, match)]


def masked(text: str) -> str:
    """Return ``text`` with :data:`MASK` in place of every token of a rating: as many tokens, each of them unknown.

    Masked and not taken out: no words meet that stood apart, and a text keeps its length.
    """
    tokens = tokenize(text)
    pieces, end = [], 0
    for token, inside in zip(tokens, in_ratings(text, tokens), strict=True):
        if inside:
            pieces += [text[end : token.start], MASK]
            end = token.end
    return "".join([*pieces, text[end:]])


def in_ratings(text: str, tokens: Sequence[Token]) -> NDArray[np.bool_]:
    """Return which of the ``tokens`` of ``text`` are part of a rating, shape (T,)."""
    result = np.zeros(len(tokens), dtype=np.bool_)
    if spans := rating_spans(text):
        starts, ends = (np.array([token[edge] for token in tokens]) for edge in (1, 2))
        for start, end in spans:
            result |= (starts < end) & (ends > start)
    return result


def _value(match: re.Match[str]) -> str | int:
    """Return the group of a match that is the rating; words that lead up to it are none. ``an`` is: it leaks an 8."""
    return next((name for name in ("voted", "graded", "given") if match[name]), 0)


def _is_rating(text: str, match: re.Match[str]) -> bool:
    """Return whether what stands round a match lets it be a rating."""
    start, end = match.span()
    if match["numeral"]:
        return not _OWN.search(text[max(start - 8, 0) : start])
    if match["asterisks"]:
        touched = text[end : end + 1].isalpha() or text[end : end + 1] == "*"
        return not touched and not _ANNOUNCED.search(text[max(start - _NEAR, 0) : end + _NEAR])
    return True
