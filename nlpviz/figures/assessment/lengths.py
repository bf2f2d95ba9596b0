"""How long the texts are that a model is to be trained on: a histogram whose bars widen with the length."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView
from nlpviz.results.own_texts import TextsReport

_BARS, _TICKS = 24, 8


def text_lengths(report: TextsReport, *, height: int = 240) -> FigureView:
    """Return how many texts are how many words long, by lengths of which each has about the same ratio to the next.

    Args:
        report: with one text at least.
        height: of the figure, in pixels.
    """
    lengths = report.lengths
    low, middle, high = (int(each) for each in np.quantile(lengths, (0.05, 0.5, 0.95), method="nearest"))
    edges = _edges(int(lengths.min()), int(lengths.max()))
    counts = np.histogram(lengths, np.array(edges) - 0.5)[0]
    names = [f"{first}" if last == first + 1 else f"{first:,}–{last - 1:,}" for first, last in pairwise(edges)]
    every = -(-len(names) // _TICKS)
    drawn = theme.figure(
        [
            go.Bar(
                x=list(range(len(names))), y=counts, marker_color=theme.MAGNITUDE, customdata=names,
                hovertemplate="%{customdata} words: %{y:,} texts<extra></extra>",
            )
        ],
        height=height, x="words per text", y="texts", bargap=0.08, margin={"t": 12},
        xaxis={"tickvals": list(range(0, len(names), every)), "ticktext": names[::every], "showgrid": False},
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=f"Lengths of {len(lengths):,} texts: median {middle:,} words, 90% between {low:,} and {high:,}, "
        f"maximum {int(lengths.max()):,}.",
        table={"words": names, "texts": counts.tolist()},
        caption=f"{' and '.join(report.files)} · {len(lengths):,} texts · words split at white space",
        name="text-lengths",
    )


def _edges(least: int, most: int) -> list[int]:
    """Return where bars begin, and where the last one ends: whole numbers, no two the same."""
    between = np.geomspace(max(least, 1), most + 1, _BARS + 1).round().astype(int)
    return sorted({least, *between.tolist(), most + 1})
