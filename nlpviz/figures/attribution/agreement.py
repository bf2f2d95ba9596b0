"""What attribution methods have in common on one text: a cell for each two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import phone, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.agreement import MethodAgreement

_ROW, _ROUND = 34, 44  # pixels: of a row, of what is round the matrix
_COLUMN, _NAMES = 30, 160  # pixels that a number and the names of the rows need

Measure = Literal["correlation", "overlap"]


def agreement_matrix(agreed: MethodAgreement, measure: Measure, titles: Mapping[str, str], of: str) -> FigureView:
    """Return the matrix of rank correlations, or of the strongest tokens in common.

    Args:
        agreed: two methods at least.
        measure: which of the two.
        titles: of the methods, as people call them, by name.
        of: run and epoch.
    """
    count, names = len(agreed.methods), [titles[method] for method in agreed.methods]
    values = agreed.correlation if measure == "correlation" else agreed.overlap
    signed = measure == "correlation"
    written = [[_written(value, signed=signed) for value in row] for row in values.tolist()]
    places = list(range(count))
    drawn = theme.figure(
        [
            go.Heatmap(
                z=values, x=places, y=places, xgap=2, ygap=2, showscale=False, zmax=2,  # half the colour: numbers read
                zmin=-2 if signed else 0, colorscale=theme.SIGNED_SCALE if signed else theme.WEIGHT_SCALE,
                text=written, texttemplate="%{text}", textfont={"size": 11, "color": theme.INK},
                customdata=[[f"{escape(first)} and {escape(second)}" for second in names] for first in names],
                hovertemplate="%{customdata}: %{text}<extra></extra>",
            )
        ],
        height=_ROW * count + _ROUND, meta=phone.least_width(_COLUMN * count + _NAMES),
        margin={"l": 8, "r": 8, "t": 32, "b": 8},
        xaxis=theme.row_axis([str(place + 1) for place in places], side="top", range=[-0.5, count - 0.5]),
        yaxis=theme.row_axis([f"{escape(name)}  {place}" for place, name in enumerate(names, start=1)]),
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(names, written, "Rank correlation" if signed else f"Overlap of the {agreed.top} strongest tokens"),
        table={"method": list(agreed.methods)}
        | {method: values[:, column] for column, method in enumerate(agreed.methods)},
        caption=provenance(of, *_said(agreed, measure)),
        name=f"{of.replace(',', '').replace(' ', '-')}-methods-{measure}",
    )


def _said(agreed: MethodAgreement, measure: Measure) -> tuple[str, str]:
    if measure == "correlation":
        return (
            "Spearman’s correlation, of magnitudes if one method is unsigned",
            f"95% of unrelated rankings stay within ±{agreed.unrelated:.2f}",
        )
    return (
        f"overlap of the {agreed.top} strongest of {agreed.tokens:,} tokens",
        f"expected by chance: {agreed.by_chance:.0%}",
    )


def _written(value: float, *, signed: bool) -> str:
    if np.isnan(value):
        return "–"
    return number(value, ".2f", signed=False) if signed else f"{value:.0%}"


def _alt(names: Sequence[str], written: Sequence[Sequence[str]], what: str) -> str:
    pairs = [
        f"{first} and {names[column]} {written[row][column]}"
        for row, first in enumerate(names)
        for column in range(row + 1, len(names))
    ]
    return f"{what} for each pair of methods. {', '.join(pairs)}."
