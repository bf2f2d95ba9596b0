"""What a figure does where it is narrow: other values in its layout, or a width under which it scrolls sideways.

Both stand in the ``meta`` of a layout, where ``nlpviz/ui/plotly_fit.js`` reads them: how wide a window is, only the
browser knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NARROW = 560
"""Pixels: a figure that is narrower takes the other values."""


def least_width(pixels: float) -> dict[str, Any]:
    """Return the ``meta`` of a figure that scrolls sideways where it would be narrower, for its words would collide."""
    return {"least_width": round(pixels)}


def where_narrow(changes: Mapping[str, Any], height: int | None = None) -> dict[str, Any]:
    """Return the ``meta`` of a figure whose layout is another one where it is narrower than :data:`NARROW`.

    Args:
        changes: values by place, ``"xaxis.domain"`` for example.
        height: of the figure there, in pixels; None for the same.
    """
    return {"where_narrow": {"under": NARROW, "height": height, "changes": dict(changes)}}
