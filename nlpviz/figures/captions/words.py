"""A caption word by word, each over the image with the places that the network looked at."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import phone, theme
from nlpviz.figures.captions.scene import picture, square
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.captions import Caption

_IN_A_ROW, _TILE, _HEAD, _GAP = 4, 128, 24, 8  # pixels: an image, its word over it, between two
_LEAST, _LOW = 94, 110  # pixels of an image's room where a figure is narrow: at least in width, and in height
_VEIL = ((0.0, "rgba(22,24,29,0.72)"), (1.0, "rgba(22,24,29,0)"))
"""Places without weight are dark, the one with the most shows the image: no colour is added to those of the image."""


def words_figure(caption: Caption, image: NDArray[np.uint8]) -> FigureView:
    """Return a small image for each word, lit by the weights of its places; hard attention's place is framed.

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
        axes = square(x, y, side, towards=("left", "top"))
        axes[f"xaxis{x[1:]}"]["domain"] = [left, left + (1 - 0.04) / columns]
        axes[f"yaxis{y[1:]}"]["domain"] = [max(top - _TILE / height, 0), top]
        layout |= axes
        traces += [picture(image, xaxis=x, yaxis=y), _veil(caption, number, side, x, y)]
        heads.append(_head(caption, number, left, top))
        if caption.places is not None:
            frames += _frame(caption, number, side, x, y)
    drawn = theme.figure(
        traces, height=height + 16, margin={"l": 4, "r": 4, "t": 8, "b": 8}, showlegend=False, annotations=heads,
        shapes=frames, meta=_narrow(columns, rows), **layout,
    )  # fmt: skip
    framed = "" if caption.places is None else "; frame: attended position"
    return FigureView(
        figure=drawn,
        alt=_alt(caption),
        table=_table(caption),
        caption=provenance(
            f"{caption.run}, epoch {caption.epoch}",
            f"brighter positions carry more weight{framed}",
            "probabilities next to the words",
        ),
        name=f"{caption.run}-epoch-{caption.epoch}-caption",
    )


def _narrow(columns: int, rows: int) -> dict[str, Any]:
    """Return the ``meta`` of a figure: where it is narrow its images are smaller."""
    height = rows * (_LOW + _HEAD) + (rows - 1) * _GAP
    return phone.least_width(columns * _LEAST) | phone.where_narrow({}, height + 16)


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


def _frame(caption: Caption, number: int, side: int, x: str, y: str) -> list[dict[str, Any]]:
    """Return the frame round the place that hard attention looked at: light round dark, to be seen on any image."""
    row, column = caption.places[number].tolist() if caption.places is not None else (0, 0)
    pixels = side / caption.weights.shape[1]
    place = {
        "type": "rect", "xref": x, "yref": y, "x0": column * pixels - 0.5, "x1": (column + 1) * pixels - 0.5,
        "y0": row * pixels - 0.5, "y1": (row + 1) * pixels - 0.5,
    }  # fmt: skip
    return [place | {"line": {"color": color, "width": width}} for color, width in (("#FFFFFF", 5), ("#16181D", 2))]


def _alt(caption: Caption) -> str:
    if not caption.words:
        return "The caption is empty."
    told = "; ".join(
        f"{word} ({probability:.0%}) attends most to row {row + 1}, column {column + 1} "
        f"({caption.weights[place].max():.0%})"
        for place, (word, probability, (row, column)) in enumerate(
            zip(caption.words, caption.probabilities, caption.looked.tolist(), strict=True)
        )
    )
    return (
        f"The caption {caption.text!r}, with attention over {caption.weights.shape[1]} by "
        f"{caption.weights.shape[2]} positions: {told}."
    )


def _table(caption: Caption) -> Table:
    """Return a row for each word: its probability, and the place with the most weight."""
    looked = caption.looked
    return {
        "word": list(caption.words),
        "probability": caption.probabilities,
        "row": looked[:, 0] + 1,
        "column": looked[:, 1] + 1,
        "weight": caption.weights.max(axis=(1, 2), initial=0),
    }
