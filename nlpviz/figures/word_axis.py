"""The words of a text along an axis, and where one of them stands out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nlpviz.figures import panels, theme

SHOWN = 600
"""Words along an axis, at most: the first ones of a text."""
_NAMED = 36  # words that have room for their names, over all panels in a row


def axis(names: Sequence[str], columns: int = 1) -> dict[str, Any]:
    """Return an axis of words, one a category: with their names where there is room, with numbers where there is not.

    Args:
        names: of each word, as :func:`nlpviz.figures.panels.row_label` writes it.
        columns: panels side by side.
    """
    every = {"type": "category", "categoryarray": list(names), "range": [-0.5, max(len(names), 1) - 0.5]}
    bare = {"showgrid": False, "zeroline": False, "title": {"text": ""}}
    if _are_named(len(names), columns):
        said = [_short(name) for name in names]
        return every | bare | {"tickvals": list(range(len(names))), "ticktext": said, "tickangle": -50}
    step = next(one for one in (5, 10, 20, 25, 50, 100, 200) if len(names) / one <= 12 / columns or one == 200)
    at = [0, *range(step - 1, len(names), step)]
    return every | bare | {"tickvals": at, "ticktext": [str(place + 1) for place in at], "tickangle": 0}


def room(count: int, columns: int = 1) -> int:
    """Return the pixels under an axis of so many words that their names, or their numbers, need."""
    return 68 if _are_named(count, columns) else 34


def _are_named(count: int, columns: int) -> bool:
    return count <= max(_NAMED // columns, 4)


def column(position: int, number: int) -> dict[str, Any]:
    """Return the line that marks the word at ``position`` in the panel of that ``number``."""
    return theme.line_at(position, color=theme.INK) | panels.upright(number)


def _short(name: str) -> str:
    """Return the name of a word without its number."""
    return name.partition("<sup>")[0]
