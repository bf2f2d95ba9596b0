"""The panels of a map: where they stand, and their axes: all panels share them, and one unit is as long on each."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.figures import theme

HEADING = 48
"""Pixels over a panel, for two lines: a phone's panels are too narrow for one."""
ONE_LINE = 28
"""Pixels over the only panel, whose heading is one line."""
IN_A_ROW = 2
"""More panels than that in one row could not be read on a phone."""
BELOW = 8
"""Pixels under the panels, as left and right of them."""
MAP = {"map": True}
"""The ``meta`` of a layout by which the view offers to move and to zoom; other figures are looked at as they are."""
_GAP = 0.03  # between two panels of a row, as a share of the width
_EDGE = {"showline": True, "mirror": True, "constrain": "domain"}
_FILLED = {"showline": False, "constrain": "range"}
_ROWS = 0.08
"""By how much a row is higher for each other one, as a share: what is between them is a share of the whole."""
_DIMMED = 0.3
"""Opacity of a map that stands in for another one."""
_LOWER = 0.8
"""Height of a row, as a share of the only one's."""


def whole_height(count: int, height: int) -> int:
    """Return the height of a figure of ``count`` panels, where one row of them would have ``height``, in pixels."""
    rows = -(-count // IN_A_ROW)
    return round(height * (1 if rows == 1 else _LOWER * rows))


def layout(
    count: int, ranges: Sequence[Sequence[float]], top: int, heading: float, *, over: int = HEADING, grows: bool = False
) -> dict[str, Any]:
    """Return the layout round ``count`` panels: margins, legend, and what the view needs to know of the window.

    Args:
        count: of the panels.
        ranges: of their axes.
        top: pixels over the first row.
        heading: what stands over a panel, as a share of the height that all of them have.
        over: the same in pixels.
        grows: whether the figure is higher in a high window.
    """
    meta = MAP | (_in_the_window(count, ranges, top, over) | {"grows": grows} if len(ranges) == 2 else {})
    return {"margin": {"t": top, "l": BELOW, "r": BELOW, "b": BELOW}, "legend": {"y": 1 + heading}, "meta": meta}


def _in_the_window(count: int, ranges: Sequence[Sequence[float]], top: int, over: int) -> dict[str, Any]:
    """Return the ``meta`` of a layout by which a figure of flat maps is lower where it is too narrow for its height.

    In ``"narrow"`` are the pixels that its height has in any case (``least``), how many more for each pixel of its
    width (``more``), and the pixels from the panels to the legend over them (``over``).
    """
    columns, rows = min(count, IN_A_ROW), -(-count // IN_A_ROW)
    across, up = np.ptp(ranges, axis=1).tolist()
    more = rows * (1 + _ROWS * (rows - 1)) * up / across * (1 - _GAP * (columns - 1)) / columns
    least = top + BELOW + 1.5 * HEADING * (rows - 1) - 2 * BELOW * more
    return {"narrow": {"least": least, "more": more, "over": over}}


def in_panel(marks: Sequence[Any], number: int, dimensions: int) -> list[Any]:
    """Return the ``marks``, set on the axes of one panel."""
    where = {"scene": f"scene{number}"} if dimensions == 3 else {"xaxis": f"x{number}", "yaxis": f"y{number}"}
    for mark in marks:
        mark.update(where)
    return list(marks)


def axes(
    number: int, domain: dict[str, tuple[float, float]], ranges: list[list[float]], *, alone: bool = False
) -> dict[str, Any]:
    """Return the layout of one panel's axes, which carry no ticks: only distances mean something on a map.

    A panel that stands alone fills its domain, so that its axes may reach further than ``ranges``.
    """
    bare: dict[str, Any] = {
        "showticklabels": False,
        "zeroline": False,
        "title": {"text": ""},
        "showgrid": len(ranges) == 3,
    }
    if len(ranges) == 3:
        named = {f"{name}axis": bare | {"range": limits} for name, limits in zip("xyz", ranges, strict=True)}
        ratio = dict(zip("xyz", sides(ranges).tolist(), strict=True))
        return {f"scene{number}": {"domain": domain, "aspectmode": "manual", "aspectratio": ratio, **named}}
    if alone:
        x, y = (
            {**bare, **_FILLED, "domain": domain[one], "range": ends} for one, ends in zip("xy", ranges, strict=True)
        )
        return {f"xaxis{number}": x, f"yaxis{number}": y | {"scaleanchor": f"x{number}"}}
    x, y = bare | _EDGE | {"domain": domain["x"]}, bare | _EDGE | {"domain": domain["y"]}
    return {
        f"xaxis{number}": x | {"anchor": f"y{number}", "range": ranges[0], "matches": "x", "constraintoward": "left"},
        f"yaxis{number}": y
        | {
            "anchor": f"x{number}",
            "range": ranges[1],
            "matches": "y",
            "constraintoward": "top",
            "scaleanchor": f"x{number}",
        },
    }


def padded(values: NDArray[np.float32]) -> list[float]:
    """Return the limits of an axis that has a little room round ``values``."""
    room = 0.04 * float(np.ptp(values)) or 1.0
    return [float(values.min()) - room, float(values.max()) + room]


def sides(ranges: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """Return how long the sides of the box round ``ranges`` are drawn, a unit as long on each; the longest is 1."""
    spans = np.ptp(ranges, axis=1)
    result: NDArray[np.float64] = spans / spans.max()
    return result


def cell(position: int, count: int, heading: float) -> dict[str, tuple[float, float]]:
    """Return the part of the figure, 0 to 1 each way, of the panel at ``position``; ``heading`` stands over it."""
    columns, rows = min(count, IN_A_ROW), -(-count // IN_A_ROW)
    width, height = (1 - _GAP * (columns - 1)) / columns, (1 - heading * (rows - 1)) / rows
    row, column = divmod(position, columns)
    left, top = column * (width + _GAP), 1 - row * (height + heading)
    return {"x": (left, left + width), "y": (max(top - height, 0.0), top)}


def outdated(marks: Sequence[Any], said: str) -> dict[str, Any]:
    """Dim the ``marks`` of a map that stands in for another one, and return the annotation that says so.

    Args:
        marks: traces, which are changed.
        said: what is shown and what is not, plain text.
    """
    for mark in marks:
        mark["opacity"] = _DIMMED  # of the whole trace, whatever its points have
    return {
        "text": escape(said).replace("\n", "<br>"), "x": 0.5, "y": 0.5, "xref": "paper", "yref": "paper",
        "showarrow": False, "font": {"size": 14}, "bgcolor": theme.SURFACE, "bordercolor": theme.MUTED,
        "borderwidth": 1, "borderpad": 8,
    }  # fmt: skip


def title(domain: dict[str, tuple[float, float]], text: str) -> dict[str, Any]:
    """Return the annotation that stands over the panel in ``domain``; ``text`` may hold markup."""
    return {
        "text": text, "x": domain["x"][0], "y": domain["y"][1], "xref": "paper", "yref": "paper", "xanchor": "left",
        "yanchor": "bottom", "showarrow": False, "align": "left", "font": {"size": 14},
    }  # fmt: skip
