"""An alignment as a matrix: target words by rows, source words by columns, entropy and coverage at its sides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.translation.alignments import (
    CENTRE,
    SOURCE,
    TARGET,
    Aligned,
    Chosen,
    alignment_caption,
    describe,
    file_name,
    labels,
    pairs_table,
    room_below,
    size,
)
from nlpviz.figures.view import FigureView

_MANY = 36  # words beyond which cells are small
_NARROW = 18  # words beyond which the labels of a narrow matrix are small
_LABELLED = 48  # words of an axis that are named at most: to lay out more takes a browser seconds
_CELL, _SMALL_CELL = 26, 15  # pixels
_SIDE, _GAP = 0.14, 0.025  # shares of the width: the bars of the entropy, and what is between
_TOP, _BUTTONS, _BARS = 12, 24, 62  # pixels: over the figure, for Plotly's buttons, for the bars of the coverage


def alignment_matrix(aligned: Aligned, chosen: Chosen | None = None, *, bare: bool = False) -> FigureView:
    """Return the weights as a heatmap from 0 to 1, with each row's entropy and each column's coverage as bars.

    Of local attention each row has its window in a frame, and a diamond at p_t. A click on a cell hands on its target
    word, one on a bar of the coverage its source word, as :attr:`Chosen.id`.

    Args:
        aligned: the translation.
        chosen: the word whose row or column is framed.
        bare: whether the bars are left out, for small matrices side by side.
    """
    rows, columns = aligned.weights.shape
    cell = _CELL if max(rows, columns) <= _MANY and not bare else _SMALL_CELL + 3 * (rows <= _MANY)
    high, bars = cell * max(rows, 3), 0 if bare else _BARS
    whole, below, top = high + bars, room_below(aligned.source), _TOP if bare else _TOP + _BUTTONS
    drawn = theme.figure(height=top + whole + below, showlegend=False, margin={"t": top, "b": below, "l": 84, "r": 8})
    letters = 7 if bare and columns > _NARROW else 12 if cell > _SMALL_CELL else 9
    drawn.update_layout(
        xaxis={
            **_axis(labels(aligned.source, SOURCE, chosen), letters), "tickangle": -90, "range": [-0.5, columns - 0.5],
            "domain": [0, 1 if bare else 1 - _SIDE - _GAP],
        },
        yaxis={
            **_axis(labels(aligned.target, TARGET, chosen), letters), "range": [rows - 0.5, -0.5],
            "domain": [0, high / whole],
        },
    )  # fmt: skip
    drawn.add_trace(_cells(aligned))
    if aligned.best.centres is not None:
        drawn.add_traces(_windows(aligned, aligned.best.centres.tolist()))
    if not bare:
        drawn.add_traces(_margins(aligned, chosen))
        drawn.update_layout(**_margin_axes(aligned, high / whole, 6 / whole))
    if chosen is not None:
        drawn.add_shape(_frame(chosen, rows, columns))
    return FigureView(
        figure=drawn,
        alt=f"{describe(aligned)} {_range(aligned.best.entropies.tolist())}",
        table=pairs_table(aligned),
        caption=alignment_caption(aligned, size(aligned)),
        name=file_name(aligned.translation, "alignment"),
    )


def _range(values: Sequence[float]) -> str:
    return f"Entropy {min(values):.2f} to {max(values):.2f} nats." if values else "No target word."


def _axis(names: Sequence[str], letters: int) -> dict[str, object]:
    """Return an axis that names each word, or of very many every second, third and so on; hovering names all."""
    step = -(-len(names) // _LABELLED) or 1
    return {
        "tickvals": list(range(0, len(names), step)), "ticktext": list(names[::step]), "showgrid": False,
        "zeroline": False,
        "tickfont": {"size": letters, "color": theme.INK},
    }  # fmt: skip


def _cells(aligned: Aligned) -> go.Heatmap:
    source = [escape(word) for word in aligned.source]
    return go.Heatmap(
        z=aligned.weights, zmin=0, zmax=1, colorscale=theme.WEIGHT_SCALE, showscale=False, xgap=1, ygap=1,
        customdata=[[f"{TARGET}-{row + 1}"] * len(source) for row in range(len(aligned.target))],
        text=[[f"{escape(word)} at {other}" for other in source] for word in aligned.target],
        hovertemplate="%{text}: %{z:.1%}<extra></extra>",
    )  # fmt: skip


def _windows(aligned: Aligned, centres: Sequence[float]) -> list[go.Scatter]:
    """Return the frames of the windows, as far as they reach into the sentence, and a mark at each of ``centres``."""
    x: list[float | None] = []
    y: list[float | None] = []
    last = len(aligned.source) - 0.5
    for row, centre in enumerate(centres):
        first = max(math.ceil(centre - aligned.window) - 0.5, -0.5)
        end = min(math.floor(centre + aligned.window) + 0.5, last)
        x += [first, end, end, first, first, None]
        y += [row - 0.42, row - 0.42, row + 0.42, row + 0.42, row - 0.42, None]
    hover = [
        f"{escape(word)}: p = {centre + 1:.2f}, window ± {aligned.window}"
        for word, centre in zip(aligned.target, centres, strict=True)
    ]
    return [
        go.Scatter(x=x, y=y, mode="lines", line={"color": theme.MUTED, "width": 1}, hoverinfo="skip"),
        go.Scatter(
            x=centres, y=list(range(len(centres))), mode="markers", hovertext=hover, hoverinfo="text",
            customdata=[f"{TARGET}-{row + 1}" for row in range(len(aligned.target))], cliponaxis=False,
            marker={"symbol": "diamond", "size": 9, "color": CENTRE, "line": {"color": theme.SURFACE, "width": 1.5}},
        ),
    ]  # fmt: skip


def _margins(aligned: Aligned, chosen: Chosen | None) -> list[go.Bar]:
    """Return the bars of the entropy, to the right, and of the coverage, on top."""
    rows, columns = (list(range(len(words))) for words in (aligned.target, aligned.source))
    faint = {
        side: [
            1.0 if chosen is None or chosen.side != side or chosen.position == position else 0.45
            for position in positions
        ]
        for side, positions in ((TARGET, rows), (SOURCE, columns))
    }
    return [
        go.Bar(
            x=aligned.best.entropies, y=rows, orientation="h", xaxis="x2", yaxis="y",
            customdata=[f"{TARGET}-{row + 1}" for row in rows],
            marker={"color": theme.MUTED, "opacity": faint[TARGET]}, hoverinfo="text",
            hovertext=[
                f"{escape(word)}: entropy {value:.2f} nats"
                for word, value in zip(aligned.target, aligned.best.entropies.tolist(), strict=True)
            ],
        ),
        go.Bar(
            x=columns, y=aligned.best.coverage, xaxis="x", yaxis="y2",
            customdata=[f"{SOURCE}-{column + 1}" for column in columns],
            marker={"color": theme.MAGNITUDE, "opacity": faint[SOURCE]}, hoverinfo="text",
            hovertext=[
                f"{escape(word)}: coverage {value:.2f}"
                for word, value in zip(aligned.source, aligned.best.coverage.tolist(), strict=True)
            ],
        ),
    ]  # fmt: skip


def _margin_axes(aligned: Aligned, share: float, between: float) -> dict[str, object]:
    """Return the axes of the bars: entropy up to that of even weights, coverage from 0, a line at 1.

    Args:
        aligned: the translation.
        share: of the height, that of the cells.
        between: of the height, what is between the cells and the bars over them.
    """
    even = float(np.log(max(len(aligned.source), 2)))
    highest = max(float(aligned.best.coverage.max(initial=0)), 1.0) * 1.08
    small = {"size": 11, "color": theme.MUTED}
    title = {"font": {"size": 11, "color": theme.MUTED}, "standoff": 4}
    return {
        "xaxis2": {
            "domain": [1 - _SIDE, 1], "anchor": "y", "range": [0, even], "tickvals": [0, math.floor(10 * even) / 10],
            "tickfont": small, "title": {"text": "entropy<br>(nats)", **title}, "fixedrange": True,
        },
        "yaxis2": {
            "domain": [share + between, 1], "anchor": "x", "range": [0, highest], "tickvals": [0, 1],
            "tickfont": small, "title": {"text": "coverage", **title}, "fixedrange": True,
        },
    }  # fmt: skip


def _frame(chosen: Chosen, rows: int, columns: int) -> dict[str, object]:
    """Return the frame round the row or the column of the chosen word."""
    across = (chosen.position - 0.5, chosen.position + 0.5)
    x, y = (across, (-0.5, rows - 0.5)) if chosen.side == SOURCE else ((-0.5, columns - 0.5), across)
    return {
        "type": "rect", "x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1], "line": {"color": theme.INK, "width": 2},
    }  # fmt: skip
