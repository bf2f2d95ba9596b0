"""Panels side by side that stand under each other on a phone, and the look of what is compared in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import phone, theme

_DASHES = ("solid", "dash", "dot", "dashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross")
GAP = 0.1


def columns(count: int, height: int, shares: Sequence[float] = ()) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the axes of panels from left to right by name, and the ``meta`` by which they are stacked on a phone.

    Args:
        count: of panels.
        height: of the figure, in pixels.
        shares: of the width; none for equal ones.
    """
    shares = shares or (1 / count,) * count
    room, left = 1 - GAP * (count - 1), 0.0
    axes: dict[str, Any] = {}
    changes: dict[str, object] = {}
    between = 0.36 / count
    high = (1 - between * (count - 1)) / count
    for number, share in enumerate(shares, start=1):
        suffix = "" if number == 1 else str(number)
        width = room * share / sum(shares)
        axes[f"xaxis{suffix}"] = {"domain": [left, min(left + width, 1)], "anchor": f"y{suffix}"}
        axes[f"yaxis{suffix}"] = {"domain": [0, 1], "anchor": f"x{suffix}"}
        left += width + GAP
        top = 1 - (number - 1) * (high + between)
        changes |= {f"xaxis{suffix}.domain": [0, 1], f"yaxis{suffix}.domain": [max(top - high, 0), top]}
    meta = phone.where_narrow(changes, round(0.85 * count * height)) if count > 1 else {}
    return axes, meta


def look(place: int) -> dict[str, str]:
    """Return the colour, dash and symbol of the thing at this place among those that are compared."""
    turn = place // len(theme.CATEGORIES)
    return {
        "color": theme.CATEGORIES[place % len(theme.CATEGORIES)],
        "dash": _DASHES[(place + turn) % len(_DASHES)],
        "symbol": _SYMBOLS[place % len(_SYMBOLS)],
    }


def band(at: Sequence[float], low: NDArray[Any], high: NDArray[Any], color: str, **here: object) -> go.Scatter:
    """Return the area between two lines."""
    x = np.asarray(at, dtype=float)
    return go.Scatter(
        x=np.concatenate([x, x[::-1]]), y=np.concatenate([high, low[::-1]]), fill="toself", fillcolor=color,
        opacity=0.16, line={"width": 0}, mode="lines", showlegend=False, hoverinfo="skip", **here,
    )  # fmt: skip
