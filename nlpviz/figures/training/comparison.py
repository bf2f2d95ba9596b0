"""Classifiers two by two: differences of accuracy in points, filled where a paired test is significant."""

from __future__ import annotations

from html import escape

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import phone, theme
from nlpviz.figures.numbers import number, p_said
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.comparison import Comparison
from nlpviz.stats.significance import LEVEL, PairedDifference

_ROW, _ROUND = 36, 64  # pixels: of a row, of what is round the matrix
_COLUMN, _NAMES = 46, 200  # pixels that a number and the names of the rows need


def comparison_matrix(shown: Comparison, corpus: str) -> FigureView:
    """Return the matrix, a row and a column for each run, both by accuracy, which is on the diagonal.

    A cell is the column's accuracy less the row's, in points; an empty cell is a pair without a
    significant difference, its number muted.

    Args:
        shown: the runs, two at least.
        corpus: on whose test documents.
    """
    count = len(shown.runs)
    values = np.full((count, count), np.nan)
    for (first, second), found in shown.pairs.items():
        values[second, first] = 100 * found.difference if found.significant else np.nan
    largest = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 1.0
    drawn = theme.figure(
        [
            go.Heatmap(
                z=values, x=list(range(count)), y=list(range(count)), xgap=2, ygap=2, showscale=False,
                colorscale=theme.SIGNED_SCALE, zmin=-2 * largest, zmax=2 * largest, hoverinfo="skip",
            ),
            _numbers(shown),
            _accuracies(shown),
        ],
        height=_ROW * count + _ROUND, meta=phone.least_width(_COLUMN * count + _NAMES),
        showlegend=False, margin={"l": 8, "r": 8, "t": 32, "b": 8},
        xaxis=theme.row_axis([str(position + 1) for position in range(count)], side="top", range=[-0.5, count - 0.5]),
        yaxis=theme.row_axis([f"{escape(title)}  {place}" for place, title in enumerate(shown.titles, start=1)]),
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(shown),
        table=_table(shown),
        caption=provenance(
            f"best epochs on the {shown.documents:,} test documents of {corpus}",
            "accuracies, and percentage points by which the column exceeds the row",
            f"filled: p < {LEVEL:g} in McNemar’s test"
            + (f", not corrected for {len(shown.pairs)} comparisons" if len(shown.pairs) > 1 else ""),
        ),
        name=f"comparison-{corpus}",
    )


def described(found: PairedDifference) -> str:
    """Return a difference with its interval and p in words: ``"+0.46 points (+0.10 to +0.82), p = 0.012"``."""
    low, high = (number(100 * end) for end in found.interval)
    return f"{number(100 * found.difference)} points ({low} to {high}), {p_said(found.p)}"


def _numbers(shown: Comparison) -> go.Scatter:
    pairs = list(shown.pairs.items())
    return go.Scatter(
        x=[first for (first, _), _ in pairs], y=[second for (_, second), _ in pairs], mode="text",
        text=[number(100 * found.difference) for _, found in pairs],
        textfont={"size": 12, "color": [theme.INK if found.significant else theme.MUTED for _, found in pairs]},
        hovertext=[
            f"{escape(shown.titles[first])} minus {escape(shown.titles[second])}: {described(found)}"
            for (first, second), found in pairs
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip


def _accuracies(shown: Comparison) -> go.Scatter:
    places = list(range(len(shown.runs)))
    return go.Scatter(
        x=places, y=places, mode="text", text=[f"{share:.1%}" for share in shown.accuracies],
        textfont={"size": 12, "color": theme.INK},
        hovertext=[
            f"{escape(title)}: {share:.2%} (95% interval {low:.2%} to {high:.2%})"
            for title, share, (low, high) in zip(shown.titles, shown.accuracies, shown.intervals, strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip


def _alt(shown: Comparison) -> str:
    named = [
        f"{title} {share:.2%} ({low:.2%} to {high:.2%})"
        for title, share, (low, high) in zip(shown.titles, shown.accuracies, shown.intervals, strict=True)
    ]
    accuracies = f"Test accuracies with 95% intervals: {', '.join(named)}."
    if len(shown.pairs) == 1:
        return (
            f"{accuracies} By a paired test, the two {'do not differ' if shown.indistinct else 'differ'} significantly."
        )
    apart = len(shown.pairs) - len(shown.indistinct)
    same = "; ".join(f"{shown.titles[first]} and {shown.titles[second]}" for first, second in shown.indistinct)
    return (
        f"{accuracies} By a paired test, {apart} of {len(shown.pairs)} pairs differ "
        f"significantly{f'; the exceptions are {same}' if same else ''}."
    )


def _table(shown: Comparison) -> Table:
    """Return a row for each two runs, the more accurate one first."""
    pairs = list(shown.pairs.items())
    return {
        "run": [shown.runs[first] for (first, _), _ in pairs],
        "other run": [shown.runs[second] for (_, second), _ in pairs],
        "accuracy": [shown.accuracies[first] for (first, _), _ in pairs],
        "accuracy of the other run": [shown.accuracies[second] for (_, second), _ in pairs],
        "difference, points": [100 * found.difference for _, found in pairs],
        "from, points": [100 * found.interval.low for _, found in pairs],
        "to, points": [100 * found.interval.high for _, found in pairs],
        "p-value (McNemar’s mid-p)": [found.p for _, found in pairs],
        "only the first correct": [found.first_only for _, found in pairs],
        "only the other correct": [found.second_only for _, found in pairs],
    }
