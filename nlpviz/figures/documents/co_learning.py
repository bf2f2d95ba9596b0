"""Trainings two by two: how alike they rank the documents that both have logged."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.documents.pairwise import triangle
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.co_learning import MEASURES, LearntTogether


def together_matrix(found: LearntTogether, measure: str, of: str) -> FigureView:
    """Return the matrix of Spearman's correlations, a row and a column for each training.

    Args:
        found: two trainings at least.
        measure: one of :data:`MEASURES`.
        of: what was learnt, for the caption.
    """
    order = found.by_likeness(measure)
    values = found.correlations[measure][np.ix_(order, order)]
    values[np.triu_indices(len(order))] = np.nan
    names = [str(row + 1) for row in range(len(order))]
    rows = [f"{found.titles[at]}  {name}" for at, name in zip(order, names, strict=True)]
    least = min(0.0, float(np.nanmin(values))) if np.isfinite(values).any() else 0.0
    return FigureView(
        figure=triangle(values, (rows, names), [_numbers(found, order, measure)], least=least),
        alt=_alt(found, measure),
        table=_table(found),
        caption=provenance(of, f"{len(found.ids):,} documents", f"Spearman’s rank correlation by {MEASURES[measure]}"),
        name="learnt-together",
    )


def _numbers(found: LearntTogether, order: list[int], measure: str) -> go.Scatter:
    place = {at: row for row, at in enumerate(order)}
    pairs = found.pairs
    return go.Scatter(
        x=[min(place[one], place[other]) for one, other in pairs],
        y=[max(place[one], place[other]) for one, other in pairs],
        mode="text", text=[_written(found.correlations[measure][pair]) for pair in pairs],
        textfont={"size": 11, "color": theme.INK},
        hovertext=[
            f"{' and '.join(theme.plain(found.titles[at]) for at in pair)}: "
            + ", ".join(f"{title} {_written(found.correlations[name][pair])}" for name, title in MEASURES.items())
            for pair in pairs
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip


def _written(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"


def _alt(found: LearntTogether, measure: str) -> str:
    ranked = reversed(found.ranked(measure))
    named = [f"{found.titles[one]} and {found.titles[other]} {value:.2f}" for value, (one, other) in ranked]
    ends = "; ".join(dict.fromkeys((*named[:3], *named[-3:])))
    return (
        f"Rank correlations of {len(found.titles)} training runs by {MEASURES[measure]} over {len(found.ids):,} "
        f"documents; "
        f"most and least similar pairs: {ends or 'none can be ranked'}."
    )


def _table(found: LearntTogether) -> Table:
    """Return a row for each two."""
    return table_of(
        ("first", "second", *MEASURES.values()),
        [
            (found.titles[one], found.titles[other], *(found.correlations[name][one, other] for name in MEASURES))
            for one, other in found.pairs
        ],
    )
