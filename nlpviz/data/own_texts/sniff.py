"""Which columns hold the texts and the labels, and whether a file's first line names them: guesses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from statistics import fmean

MOST_CLASSES = 100
"""Classes that a classifier may have."""

_TEXTS = (
    "text", "texts", "body", "review", "reviewtext", "sentence", "content", "message", "comment", "tweet",
    "description", "document", "utterance", "question", "abstract", "summary", "headline", "title",
)  # fmt: skip
_LABELS = (
    "label", "labels", "class", "category", "target", "sentiment", "queue", "topic", "intent", "polarity", "tag",
    "emotion", "rating", "stars", "score", "y",
)  # fmt: skip
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?%?", re.ASCII)
_DATE = re.compile(r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})([T ]\d{1,2}:\d{2}.*)?", re.ASCII)
_LONGEST_NAME = 64  # characters of a column's name
_LONGEST_LABEL = 60  # and of a label, on average


def is_number(value: str) -> bool:
    """Return whether a cell holds a number."""
    return _NUMBER.fullmatch(value.strip()) is not None


def is_date(value: str) -> bool:
    """Return whether a cell holds a date, with or without a time."""
    return _DATE.fullmatch(value.strip()) is not None


def moment(time: str) -> float | None:
    """Return when a time is, in seconds, or the number that it is; None where it is neither a number nor ISO 8601."""
    if is_number(time):
        return float(time.strip().strip("%").replace(",", "."))
    try:
        read = datetime.fromisoformat(time.strip())
    except ValueError:
        return None
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row names the columns.

    Names are short, distinct, no numbers, and stand nowhere below in their own column; a first row that holds a usual
    name is one.
    """
    first = [cell.strip() for cell in rows[0]]
    if any(cell.lower() in (*_TEXTS, *_LABELS) for cell in first):
        return True
    named = all(cell and len(cell) <= _LONGEST_NAME and not (is_number(cell) or is_date(cell)) for cell in first)
    if not named or len(set(first)) < len(first) or len(rows) == 1:
        return False
    below = [{row[at].strip() for row in rows[1:] if at < len(row)} for at in range(len(first))]
    return not any(cell in values for cell, values in zip(first, below, strict=True))


def text_column(columns: Sequence[str], sample: Sequence[Mapping[str, str]]) -> str:
    """Return the column that is likely to hold the texts: one of a usual name, else the one with the longest cells."""
    usual = _usual(columns, _TEXTS)
    if usual and any(_words(row[usual]) > 1 for row in sample):
        return usual
    return max(columns, key=lambda name: fmean(len(row[name]) for row in sample) if sample else 0.0)


def label_column(columns: Sequence[str], sample: Sequence[Mapping[str, str]], text: str) -> str:
    """Return the column that is likely to hold the labels; ``""`` where none looks like one.

    One of a usual name; else the one with the fewest values, of those whose values are short, neither numbers nor
    dates, and each stand twice on average.
    """
    others = [name for name in columns if name != text]
    usual = _usual(others, _LABELS)
    if usual:
        return usual
    values = {name: [value for row in sample if (value := row[name].strip())] for name in others}
    likely = [name for name in others if _looks_like_labels(values[name])]
    return min(likely, key=lambda name: len(set(values[name])), default="")


def _looks_like_labels(values: Sequence[str]) -> bool:
    different = len(set(values))
    if not 2 <= different <= min(MOST_CLASSES, len(values) // 2):
        return False
    return fmean(map(len, values)) <= _LONGEST_LABEL and not all(is_number(one) or is_date(one) for one in values)


def _usual(columns: Sequence[str], names: Sequence[str]) -> str:
    """Return the column with the most usual name, whatever its case."""
    known = {name.strip().lower().replace("_", ""): name for name in reversed(columns)}
    return next((known[name] for name in names if name in known), "")


def _words(text: str) -> int:
    return len(text.split())
