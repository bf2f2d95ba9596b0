"""A caption word by word, each over the image with the places that the network looked at."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import phone, theme
from nlpviz.figures.captions.scene import picture, square
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.captions import Caption

_IN_A_ROW, _TILE, _HEAD, _GAP = 5, 150, 26, 10  # pixels: an image, its word over it, between two
_VEIL = ((0.0, "rgba(143,90,168,0)"), (1.0, "rgba(143,90,168,0.9)"))
"""Places without weight show the image, those with all of it are covered."""


def words_figure(caption: Caption, image: NDArray[np.uint8]) -> FigureView:
    """Return a small image for each word, veiled by the weights of its places; hard attention's place is framed.

    Args:
        caption: what was written.
        image: uint8 (3, S, S).
    """
    count, side = len(caption.words), image.shape[1]
    columns = min(max(count, 1), _IN_A_ROW)
    rows = max(-(-count // _IN_A_ROW), 1)
    height = rows * (_TILE + _HEAD) + (rows - 1) * _GAP
    traces: list[object] = []
    layout: dict[str, Any] = {}
    heads, frames = [], []
    for number in range(count):
        row, column = divmod(number, _IN_A_ROW)
        x, y = (letter if number == 0 else f"{letter}{number + 1}" for letter in "xy")
        top = 1 - (row * (_TILE + _HEAD + _GAP) + _HEAD) / height
        left = column / columns
        axes = square(x, y, side)
        axes[f"xaxis{x[1:]}"]["domain"] = [left, left + (1 - 0.04) / columns]
        axes[f"yaxis{y[1:]}"]["domain"] = [max(top - _TILE / height, 0), top]
        layout |= axes
        traces += [picture(image, xaxis=x, yaxis=y), _veil(caption, number, side, x, y)]
        heads.append(_head(caption, number, left, top))
        if caption.places is not None:
            frames.append(_frame(caption, number, side, x, y))
    drawn = theme.figure(
        traces, height=height + 16, margin={"l": 4, "r": 4, "t": 8, "b": 8}, showlegend=False, annotations=heads,
        shapes=frames, meta=phone.least_width(columns * (_TILE - 30)), **layout,
    )  # fmt: skip
    way = "the place that was looked at is framed" if caption.places is not None else "darker: more weight"
    return FigureView(
        figure=drawn,
        alt=_alt(caption),
        table=_table(caption),
        caption=provenance(f"{caption.run}, epoch {caption.epoch}", way, "under each word its probability"),
        name=f"{caption.run}-epoch-{caption.epoch}-caption",
    )


def _veil(caption: Caption, number: int, side: int, x: str, y: str) -> go.Heatmap:
    weights = caption.weights[number]
    pixels = side / len(weights)
    centres = (np.arange(len(weights)) + 0.5) * pixels - 0.5
    return go.Heatmap(
        z=weights, x=centres, y=centres, xaxis=x, yaxis=y, colorscale=_VEIL, zmin=0,
        zmax=max(float(weights.max()), 2 / weights.size), showscale=False,
        hovertemplate=f"{escape(caption.words[number])}: %{{z:.1%}}<extra></extra>",
    )  # fmt: skip


def _head(caption: Caption, number: int, left: float, top: float) -> dict[str, Any]:
    return {
        "text": f"<b>{escape(caption.words[number])}</b> {caption.probabilities[number]:.0%}", "x": left, "y": top,
        "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom", "showarrow": False,
        "font": {"size": 14},
    }  # fmt: skip


def _frame(caption: Caption, number: int, side: int, x: str, y: str) -> dict[str, Any]:
    """Return the frame round the place that hard attention looked at."""
    row, column = caption.places[number].tolist() if caption.places is not None else (0, 0)
    pixels = side / caption.weights.shape[1]
    return {
        "type": "rect", "xref": x, "yref": y, "x0": column * pixels - 0.5, "x1": (column + 1) * pixels - 0.5,
        "y0": row * pixels - 0.5, "y1": (row + 1) * pixels - 0.5, "line": {"color": "#1B1F27", "width": 2},
    }  # fmt: skip


def _alt(caption: Caption) -> str:
    if not caption.words:
        return "No word was written."
    told = "; ".join(
        f"{word} ({probability:.0%}) looks most at row {row + 1}, column {column + 1} "
        f"({caption.weights[place].max():.0%})"
        for place, (word, probability, (row, column)) in enumerate(
            zip(caption.words, caption.probabilities, caption.looked.tolist(), strict=True)
        )
    )
    return f"The caption {caption.text!r}, of {caption.weights.shape[1]} by {caption.weights.shape[2]} places: {told}."


def _table(caption: Caption) -> dict[str, Any]:
    """Return a row for each word: its probability, and the place with the most weight."""
    looked = caption.looked
    return {
        "word": list(caption.words),
        "probability": caption.probabilities,
        "row": looked[:, 0] + 1,
        "column": looked[:, 1] + 1,
        "weight": caption.weights.reshape(len(caption.words), -1).max(axis=1, initial=0),
    }
