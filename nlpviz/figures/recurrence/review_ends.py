"""What is drawn behind paths and slow points: where test reviews end, where the score is zero, and the plane's axes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import panels, theme
from nlpviz.figures.recurrence.plane import titles, unit_of
from nlpviz.results.state_plane import StatePlane
from nlpviz.results.state_space import StateSpace

IN_A_ROW = 2
"""Planes: of more, words could not be read beside their points."""
_MARGIN = 0.06  # of the span, round all points


def arrange(results: Sequence[panels.OfCheckpoint]) -> list[panels.Panel]:
    """Return a panel for each result, :data:`IN_A_ROW`."""
    return [
        panel._replace(row=position // IN_A_ROW, column=position % IN_A_ROW)
        for position, panel in enumerate(panels.arrange(results))
    ]


def bounds(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return low and high of each axis, (2, 2), with some room round ``points`` (N, 2)."""
    low, high = points.min(axis=0), points.max(axis=0)
    span = np.where(high - low > 0, high - low, 1.0)
    return np.stack([low - _MARGIN * span, high + _MARGIN * span], axis=1)


def plane_axes(panel: panels.Panel, drawn: StatePlane, box: NDArray[np.float64]) -> dict[str, dict[str, object]]:
    """Return the two axes of a panel, each with its own title: every checkpoint has its own variance."""
    across, up = ({"text": title, "standoff": 4} for title in titles(drawn))
    same = {"zeroline": False, "nticks": 5}
    return {
        f"xaxis{panel.number}": {**same, "range": box[0].tolist(), "title": across},
        f"yaxis{panel.number}": {**same, "range": box[1].tolist(), "title": up},
    }


def cloud(
    space: StateSpace,
    ends: NDArray[np.float64],
    names: Sequence[str],
    target: int,
    here: dict[str, str],
    *,
    first: bool,
) -> list[go.Scatter]:
    """Return where test reviews end, ``ends`` (N, 2), a trace for those of the class ``target`` and for the others."""
    others = names[1 - target] if len(names) == 2 else "other classes"
    result = []
    for name, own, color, symbol in (
        (others, space.labels != target, theme.NEGATIVE, "diamond"),
        (names[target], space.labels == target, theme.POSITIVE, "circle"),
    ):
        result.append(
            go.Scatter(
                x=ends[own, 0], y=ends[own, 1], mode="markers", name=f"{escape(name)}: final states of documents",
                hoverinfo="skip", legendgroup=name, showlegend=first and bool(own.any()),
                marker={"color": color, "symbol": symbol, "size": 5, "opacity": 0.35}, **here,
            )
        )  # fmt: skip
    return result


def boundary(drawn: StatePlane, box: NDArray[np.float64], here: dict[str, str], *, first: bool) -> list[go.Scatter]:
    """Return the line on which points of the plane score zero; none where there is no such line."""
    line = drawn.boundary(box)
    if line is None:
        return []
    return [
        go.Scatter(
            x=line[:, 0], y=line[:, 1], mode="lines", name=f"{unit_of(drawn)} 0", hoverinfo="skip",
            legendgroup="boundary", showlegend=first, line={"color": theme.MUTED, "width": 1.5, "dash": "dash"}, **here,
        )
    ]  # fmt: skip
