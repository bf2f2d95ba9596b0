"""How a class of sentiment is drawn: a sign in a circle, filled where it is strong, coloured by its side."""

from __future__ import annotations

from typing import Any

from nlpviz.figures import theme
from nlpviz.results.trees import NEUTRAL

SIGNS = ("−−", "−", "0", "+", "++")
"""Of the five classes; hue alone never tells them."""
_COLORS = (theme.NEGATIVE, theme.NEGATIVE, theme.MUTED, theme.POSITIVE, theme.POSITIVE)


def color(label: int) -> str:
    """Return the colour of a class."""
    return _COLORS[label]


def marker(classes: list[int], size: int) -> dict[str, Any]:
    """Return the ``marker`` of nodes by their classes: the outermost two are filled."""
    return {
        "size": size, "opacity": 1, "symbol": "circle",
        "color": [_COLORS[label] if abs(label - NEUTRAL) == 2 else theme.SURFACE for label in classes],
        "line": {"width": [1 if label == NEUTRAL else 2 for label in classes], "color": [*map(color, classes)]},
    }  # fmt: skip


def text_color(label: int) -> str:
    """Return the colour of a class's sign in its circle."""
    return theme.SURFACE if abs(label - NEUTRAL) == 2 else theme.INK
