"""Edits of a text, word by word, and how an address writes them: ``swap-6-good``, ``delete-3x2``, ``insert-4-not``.

An edit knows the place of a word in the text and the words that come there, nothing else of the text. The edits of one
step all name places of the text before that step, the last place first, so that none moves another's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from nlpviz.text.aligned import align
from nlpviz.text.vocabulary import Token

Tokens = Callable[[str], list[Token]]

LONGEST_WORDS = 200
"""Characters of what is typed to come in a word's place."""
_WRITTEN = re.compile(r"(swap|delete|insert)-([0-9]{1,6})(?:x([0-9]{1,6}))?(?:-(.+))?", re.DOTALL)
_OWN_SIGNS = {"-": "%2D", ".": "%2E", "_": "%5F", "~": "%7E"}
_CONTRACTED = {
    "is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "do": "don't", "does": "doesn't",
    "did": "didn't", "has": "hasn't", "have": "haven't", "had": "hadn't", "can": "can't", "could": "couldn't",
    "will": "won't", "would": "wouldn't", "should": "shouldn't",
}  # fmt: skip
_WHOLE = {contracted: whole for whole, contracted in _CONTRACTED.items()}
_NEGATIONS = ("not", "never")
_CLOSING = (".", ",", ";", ":", "!", "?", ")")


class EditError(ValueError):
    """An edit that a text does not allow, as half a sentence."""


class WordEdit(NamedTuple):
    """Some words in place of others.

    Attributes:
        place: the number of the first token that goes, from 0; where none goes, of the token before which words come.
        gone: how many tokens go.
        words: that come in their place, as they are typed; empty for none.
    """

    place: int
    gone: int
    words: str = ""


def apply(text: str, edits: Sequence[WordEdit], tokens: Tokens) -> str:
    """Return ``text`` after the edits of one step.

    Args:
        text: anything.
        edits: the last place first, no two of the same words.
        tokens: parts a text.

    Raises:
        EditError: if there is no such place, nothing would change, or two edits meet.
    """
    there, end = tokens(text), float("inf")
    for place, count, words in edits:
        last = place + count
        if place < 0 or last > len(there) or (not count and not words):
            raise EditError(_no_place(place, count, len(there)))
        if last > end:
            raise EditError("two edits in the same step change the same word")
        end = place
        start = there[place].start if place < len(there) else len(text)
        stop = there[last - 1].end if count else start
        text = _joined(text[:start], words.strip(), text[stop:], inserted=not count)
    return text


def _no_place(place: int, count: int, there: int) -> str:
    if not count and 0 <= place <= there:
        return "there is no text to insert"
    what = f"word {place + 1:,}" if count <= 1 else f"words {place + 1:,} to {place + count:,}"
    return (
        f"there is no {what}: the text has {there:,}"
        if count <= 1
        else f"the text, with {there:,} words, does not contain all of {what}"
    )


def _joined(left: str, words: str, right: str, *, inserted: bool) -> str:
    """Return the three in one text: what is inserted gets spaces, and what is left out leaves no two."""
    if not words:
        if left.endswith((" ", "\n")) or not left:
            right = right.removeprefix(" ")
        if left.endswith(" ") and right.startswith(_CLOSING):
            left = left[:-1]
        return left + (" " if _meet(left, right) else "") + right
    before = " " if _meet(left, words) or (inserted and left[-1:] not in ("", " ", "\n", "(", '"')) else ""
    spaced = inserted and right and not right[0].isspace() and not right.startswith(_CLOSING)
    after = " " if _meet(words, right) or spaced else ""
    return left + before + words + after + right


def _meet(left: str, right: str) -> bool:
    """Return whether two words, or two marks of a kind, would become one."""
    last, first = left[-1:], right[:1]
    return (last.isalnum() and first.isalnum()) or (last == first and bool(last.strip()))


def negate(text: str, place: int, tokens: Tokens) -> WordEdit:
    """Return the edit that negates the word at ``place`` of an English text, or undoes its negation.

    A form of *be*, *do*, *have* or a modal verb gets or loses its *n't*; *not* and *never* go, at the word or before
    it; before any other word comes *not*.

    Raises:
        EditError: if there is no such place.
    """
    there = tokens(text)
    if not 0 <= place < len(there):
        raise EditError(_no_place(place, 1, len(there)))
    word, typed = there[place].word, text[there[place].start : there[place].end]
    if word in _NEGATIONS:
        return WordEdit(place, 1)
    if place and there[place - 1].word in _NEGATIONS:
        return WordEdit(place - 1, 1)
    other = _CONTRACTED.get(word) or _WHOLE.get(word)
    if other:
        return WordEdit(place, 1, other.capitalize() if typed[:1].isupper() else other)
    return WordEdit(place, 0, "not")


def change(before: str, after: str, tokens: Tokens) -> tuple[WordEdit, ...]:
    """Return the edits that make the words of ``after`` of those of ``before``; white space alone is no edit."""
    first, second = tokens(before), tokens(after)
    blocks = align(
        [before[token.start : token.end] for token in first], [after[token.start : token.end] for token in second]
    )
    edits = []
    for block in reversed(blocks):
        (start, stop), (come, last) = block.before, block.after
        if not block.same:
            words = after[second[come].start : second[last - 1].end] if last > come else ""
            edits.append(WordEdit(start, stop - start, words))
    return tuple(edits)


def write(edits: Sequence[WordEdit]) -> str:
    """Return the edits of one step as an address has them: without ``.`` and ``:``, which part steps."""
    return "_".join(map(_written, edits))


def _written(edit: WordEdit) -> str:
    name = "insert" if not edit.gone else "swap" if edit.words else "delete"
    words = "".join(_OWN_SIGNS.get(sign, sign) for sign in quote(edit.words, safe="'"))
    return f"{name}-{edit.place}{f'x{edit.gone}' if edit.gone > 1 else ''}{f'-{words}' if words else ''}"


def read(written: str) -> tuple[WordEdit, ...]:
    """Return the edits that :func:`write` wrote.

    Raises:
        EditError: if it is none.
    """
    return tuple(map(_read, written.split("_")))


def _read(written: str) -> WordEdit:
    matched = _WRITTEN.fullmatch(written)
    if matched is None:
        raise EditError("it is not a valid edit")
    name, place, count, words = matched.groups()
    typed = unquote(words or "")
    if (name == "delete") != (not typed.strip()) or (name == "insert" and count):
        raise EditError("it is not a valid edit")
    return WordEdit(int(place), 0 if name == "insert" else int(count or 1), typed)


def said(text: str, edits: Sequence[WordEdit], tokens: Tokens) -> str:
    """Return what the edits of one step do to ``text``, as a clause: ``"bad → good; “very” deleted"``."""
    there, clauses = tokens(text), []
    for place, count, words in reversed(edits):
        gone = text[there[place].start : there[place + count - 1].end] if count else ""
        if gone and words:
            clauses.append(f"{_short(gone)} → {_short(words)}")
        else:
            clauses.append(f"“{_short(gone or words)}” {'deleted' if gone else 'inserted'}")
    return "; ".join(clauses[:3]) + (f"; … {len(clauses) - 3:,} more" if len(clauses) > 3 else "")


def _short(words: str) -> str:
    flat = " ".join(words.split())
    return flat if len(flat) <= 40 else f"{flat[:39]}…"
