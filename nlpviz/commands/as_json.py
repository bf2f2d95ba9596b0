"""Results as JSON holds them: fields by name, tokens with their spans, null for what is not a number. No command."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, repeat
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nlpviz.text.vocabulary import EncodedText


def as_json(record: object, *names: str) -> dict[str, Any]:
    """Return the attributes called ``names`` of a record, in this order."""
    return {name: getattr(record, name) for name in names}


def tokens_as_json(text: EncodedText, **columns: Iterable[object]) -> list[dict[str, Any]]:
    """Return a record for each token of a text: its word, its span, whether it was read, and its value in each column.

    Args:
        text: as the model saw it.
        columns: at least one; a value for each token that was read; null for the others.
    """
    filled = zip(*(chain(column, repeat(None)) for column in columns.values()), strict=False)
    return [
        token._asdict() | {"seen": seen} | dict(zip(columns, values, strict=True))
        for token, seen, values in zip(text.tokens, text.seen, filled, strict=False)
    ]


def plain(value: object) -> object:
    """Return a value as JSON can hold it: arrays as lists, and null for infinity and for what is not a number."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return None if isinstance(value, float) and not isfinite(value) else value
