"""What each word of a text attends to, as a matrix: rows are queries, columns are what they attend to."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import panels, theme
from nlpviz.figures.attention.heads import (
    FROM,
    TO,
    HeadChoice,
    caption,
    describe,
    matrices,
    pair_table,
    tokens_shown,
    word_labels,
    words_shown,
)
from nlpviz.figures.view import FigureView
from nlpviz.results.attention import TextAttention

_CELL = 16  # pixels
_NAMES = 32  # under the columns, side by side


def head_matrix(result: Sequence[TextAttention], choice: HeadChoice) -> FigureView:
    """Return the chosen weights as heatmaps, one panel a checkpoint, all on one scale.

    The row or the column of a chosen word is framed. A click hands on ``from-n``, the number of its row's word from 1.

    Args:
        result: of one text; every model must have self-attention.
        choice: which layer, head and words.
    """
    labels, shown = word_labels(result, choice), matrices(result, choice)
    count = len(labels)
    bar = {
        "thickness": 10, "len": 160, "lenmode": "pixels", "y": 1, "yanchor": "top", "nticks": 5, "tickformat": ".0%",
        "outlinewidth": 0,
    }  # fmt: skip
    largest = max((float(matrix.max(initial=0)) for matrix in shown), default=0.0) or 1.0
    arranged = panels.arrange(result)
    every = {
        "tickvals": list(range(count)), "ticktext": labels, "showgrid": False, "zeroline": False,
        "tickfont": {"size": 11},
    }  # fmt: skip
    step = 1 + count * (1 + max(panel.column for panel in arranged)) // _NAMES
    axes: dict[str, dict[str, object]] = {}
    for panel in arranged:
        axes[f"xaxis{panel.number}"] = {
            **every, "tickangle": -90, "range": [-0.5, max(count, 1) - 0.5], "tickvals": list(range(count))[::step],
            "ticktext": labels[::step],
        }  # fmt: skip
        axes[f"yaxis{panel.number}"] = {
            **every, "range": [max(count, 1) - 0.5, -0.5], "showticklabels": panel.column == 0,
        }  # fmt: skip
    drawn = panels.figure(
        arranged, _CELL * max(count, 8), axes=axes, showlegend=False, margin={"l": 96, "b": 110},
        traces=[
            _cells(matrix, result, choice, panel.number) for panel, matrix in zip(arranged, shown, strict=True)
        ],
        shapes=[_frame(choice, count, panel.number) for panel in arranged if _inside(choice, count)],
        coloraxis={"colorscale": theme.WEIGHT_SCALE, "cmin": 0, "cmax": largest, "colorbar": bar},
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=describe(result, choice),
        table=pair_table(result, choice),
        caption=caption(result, choice),
        name=panels.file_name(result, "self-attention"),
    )


def _cells(matrix: NDArray[np.float32], result: Sequence[TextAttention], choice: HeadChoice, number: int) -> go.Heatmap:
    tokens = tokens_shown(result, choice)
    words = [escape(word) for word in words_shown(result, choice)]
    return go.Heatmap(
        z=matrix,
        coloraxis="coloraxis",
        customdata=[[f"{FROM}-{position + 1}"] * len(tokens) for position, _ in tokens],
        text=[[f"{query} to {key}" for key in words] for query in words],
        hovertemplate="%{text}: %{z:.1%}<extra></extra>",
        xaxis=f"x{number}",
        yaxis=f"y{number}",
    )


def _inside(choice: HeadChoice, count: int) -> bool:
    return choice.position is not None and choice.first <= choice.position < choice.first + count


def _frame(choice: HeadChoice, count: int, number: int) -> dict[str, object]:
    """Return the frame round the row or the column of the chosen word."""
    at = (choice.position or 0) - choice.first
    along, across = (-0.5, count - 0.5), (at - 0.5, at + 0.5)
    x, y = (across, along) if choice.side == TO else (along, across)
    return {
        "type": "rect", "x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1], "xref": panels.axis("x", number),
        "yref": panels.axis("y", number),
        "line": {"color": theme.INK, "width": 2},
    }  # fmt: skip
