"""Classifiers, or epochs of one, two by two: on how many test documents they disagree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.documents.pairwise import triangle
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.churn import AgreementPair, Churn, beyond
from nlpviz.stats.significance import Interval

MEASURES = {
    "churn": "disagreement, %",
    "kappa": "Cohen’s κ",
    "independent": "disagreement if errors were independent, %",
}
"""What a cell may say, and what people call it."""
_Cell = tuple[int, int, tuple[int, int], AgreementPair]
"""Where two stand, row and column, their positions, and how they agree."""


def churn_matrix(found: Churn, order: Sequence[int], measure: str, band: Interval | None, of: str) -> FigureView:
    """Return the matrix, a row and a column for each classifier; a click on a cell hands on the two, ``"3 5"``.

    Args:
        found: two classifiers at least.
        order: of their positions, from top to bottom.
        measure: one of :data:`MEASURES`.
        band: of the churn between seeds; pairs within it are framed. None for none.
        of: whose answers to what, for the caption.
    """
    count = len(order)
    values = np.full((count, count), np.nan)
    place = {at: row for row, at in enumerate(order)}
    cells: list[_Cell] = []
    for (one, other), pair in found.pairs.items():
        row, column = max(place[one], place[other]), min(place[one], place[other])
        values[row, column] = _value(pair, measure)
        cells.append((row, column, (one, other), pair))
    of_moments = all(one.key.replace(".", "").isdigit() for one in found.answering)
    short = [found.answering[at].key if of_moments else str(row + 1) for row, at in enumerate(order)]
    common = _common_end([one.title for one in found.answering])
    rows = [
        found.answering[at].title.replace(common, "") + ("" if of_moments else f"  {name}")
        for name, at in zip(short, order, strict=True)
    ]
    least = float(np.nanmin(values)) if measure == "kappa" and np.isfinite(values).any() else 0.0
    drawn = triangle(
        values,
        (rows, short),
        [_numbers(found, cells, measure), _accuracies(found, order)],
        least=least,
        shapes=[_frame(row, column) for row, column, _, pair in cells if beyond(pair, band) is False],
    )
    framed = (
        "framed: no more disagreement than between two seeds of the same recipe"
        if band
        else "no pair of seeds to compare with"
    )
    return FigureView(
        figure=drawn,
        alt=_alt(found, order, band),
        table=_table(found),
        caption=provenance(of, f"{len(found.ids):,} test documents", MEASURES[measure], "italic: accuracy, %", framed),
        name="disagreement",
    )


def _common_end(titles: Sequence[str]) -> str:
    """Return the `` on IMDB`` that all titles hold, which the caption says once; nothing where there is none."""
    corpora = {f" on {title.partition(' on ')[2].partition(',')[0]}" for title in titles if " on " in title}
    return corpora.pop() if len(corpora) == 1 and all(" on " in title for title in titles) else ""


def _value(pair: AgreementPair, measure: str) -> float:
    if measure == "kappa":
        return pair.kappa
    return 100 * (pair.churn if measure == "churn" else 1 - pair.independent)


def _numbers(
    found: Churn, cells: Sequence[tuple[int, int, tuple[int, int], AgreementPair]], measure: str
) -> go.Scatter:
    form = ".2f" if measure == "kappa" else ".1f"
    return go.Scatter(
        x=[column for _, column, _, _ in cells], y=[row for row, _, _, _ in cells], mode="text",
        text=["" if np.isnan(_value(pair, measure)) else f"{_value(pair, measure):{form}}" for *_, pair in cells],
        textfont={"size": 10.5, "color": theme.INK}, customdata=[f"{one} {other}" for _, _, (one, other), _ in cells],
        hovertext=[
            f"{theme.plain(found.answering[one].title)} and {theme.plain(found.answering[other].title)}: disagree on "
            f"{pair.churn:.2%} ({pair.churn_interval.low:.2%} to {pair.churn_interval.high:.2%}), κ {pair.kappa:.2f}, "
            f"expected with independent errors {1 - pair.independent:.1%}"
            for _, _, (one, other), pair in cells
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip


def _accuracies(found: Churn, order: Sequence[int]) -> go.Scatter:
    places = list(range(len(order)))
    return go.Scatter(
        x=places, y=places, mode="text", text=[f"<i>{100 * found.accuracies[at]:.1f}</i>" for at in order],
        textfont={"size": 10.5, "color": theme.MUTED},
        hovertext=[f"{theme.plain(found.answering[at].title)}: accuracy {found.accuracies[at]:.2%}" for at in order],
        hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip


def _frame(row: int, column: int) -> dict[str, Any]:
    return {
        "type": "rect", "x0": column - 0.47, "x1": column + 0.47, "y0": row - 0.45, "y1": row + 0.45,
        "line": {"color": theme.INK, "width": 1.5}, "fillcolor": "rgba(0,0,0,0)",
    }  # fmt: skip


def _alt(found: Churn, order: Sequence[int], band: Interval | None) -> str:
    ranked = sorted(found.pairs, key=lambda pair: found.pairs[pair].agreement)
    named = [
        f"{found.answering[one].title} and {found.answering[other].title} {found.pairs[one, other].churn:.1%}"
        for one, other in (*ranked[:3], *ranked[-3:])
    ]
    seeds = f" Seeds of the same recipe disagree on {band.low:.1%} to {band.high:.1%}." if band is not None else ""
    return (
        f"Share of {len(found.ids):,} test documents on which each pair of {len(order)} classifiers disagrees; least "
        f"and most similar pairs: {'; '.join(dict.fromkeys(named))}.{seeds}"
    )


def _table(found: Churn) -> Table:
    """Return a row for each two."""
    pairs = list(found.pairs.items())
    return {
        "first": [found.answering[one].title for (one, _), _ in pairs],
        "second": [found.answering[other].title for (_, other), _ in pairs],
        "disagree": np.array([pair.churn for _, pair in pairs]),
        "from": np.array([pair.churn_interval.low for _, pair in pairs]),
        "to": np.array([pair.churn_interval.high for _, pair in pairs]),
        "Cohen’s kappa": np.array([pair.kappa for _, pair in pairs]),
        "disagree if errors were independent": np.array([1 - pair.independent for _, pair in pairs]),
        "differ only in their seed": [pair.same_recipe for _, pair in pairs],
    }
