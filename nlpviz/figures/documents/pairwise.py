"""A triangle of numbers, one for each two of some runs or epochs: what figures of pairs have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import phone, theme

_ROW, _ROUND = 30, 64  # pixels: of a row, of what is round the triangle
_COLUMN, _LETTER = 27, 6.3  # pixels that a number and a letter of a row's name need


def triangle(
    values: NDArray[np.floating],
    names: tuple[Sequence[str], Sequence[str]],
    texts: Sequence[go.Scatter],
    *,
    least: float = 0.0,
    shapes: Sequence[dict[str, Any]] = (),
) -> go.Figure:
    """Return a heat map of the lower triangle of ``values`` (M, M), first row at the top.

    Args:
        values: what is not a number has no colour.
        names: of the M rows at the left, and of the M columns above.
        texts: that stand in the cells.
        least: the value without colour.
        shapes: drawn over it.
    """
    count, longest = len(values), max(map(len, names[0]), default=0)
    largest = float(np.nanmax(values)) if np.isfinite(values).any() else 1.0
    heat = go.Heatmap(
        z=values, x=list(range(count)), y=list(range(count)), xgap=2, ygap=2, showscale=False,
        colorscale=theme.WEIGHT_SCALE, zmin=least, zmax=2 * largest - least, hoverinfo="skip",
    )  # fmt: skip
    return theme.figure(
        [heat, *texts],
        height=_ROW * count + _ROUND, meta=phone.least_width(_COLUMN * count + _LETTER * longest + 24),
        showlegend=False, margin={"l": 8, "r": 8, "t": 46, "b": 8},
        xaxis=theme.row_axis(names[1], side="top", range=[-0.5, count - 0.5]),
        yaxis=theme.row_axis([theme.plain(name) for name in names[0]]),
        shapes=list(shapes),
    )  # fmt: skip
