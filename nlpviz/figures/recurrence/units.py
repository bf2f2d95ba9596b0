"""The units that follow a feature most closely, as bars, with what the best of all units would reach by chance."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import panels, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.run_titles import title_of
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.units import UnitSearch

SHOWN = 10
"""Units of a panel."""
_ROW = 18  # pixels
_KEY = 14  # pixels, over the panels
_BELOW = "|r| with the feature (hatched: r is negative)"
NULL, OTHER = "chance threshold (95% of best units)", "best unit of the other seed"


def unit_bars(searches: Sequence[UnitSearch], title: str, other: UnitSearch | None, selected: str) -> FigureView:
    r"""Return the units with the largest absolute correlation, one panel a checkpoint; a click hands on a unit's id.

    Args:
        searches: for one feature that occurs, one for each checkpoint shown.
        title: of the feature.
        other: the same search in a run of the first one's network from another seed; None where there is none.
        selected: the id of the first run's unit that stands out.
    """
    arranged = panels.arrange(searches)
    longest = max(_reach(one, other) for one in searches)
    rows = max(min(SHOWN, len(one.units)) for one in searches)
    traces: list[go.Bar | go.Scatter] = []
    axes: dict[str, dict[str, object]] = {}
    for panel, search in zip(arranged, searches, strict=True):
        own = search.run == searches[0].run  # a unit of another run has nothing but its number in common
        traces.append(_bars(search, selected if own else "", panel.number))
        traces += _lines(search, other if own else None, rows, panel.number)
        axes[f"xaxis{panel.number}"] = {"range": [0, 1.06 * longest], "nticks": 5}
        axes[f"yaxis{panel.number}"] = {
            "range": [rows - 0.5, -0.5], "tickfont": {"size": 12, "color": theme.INK}, "showgrid": False,
            "tickvals": list(range(rows)), "zeroline": False,
            "ticktext": [search.units[position].id for position in search.ranked(SHOWN)],
        }  # fmt: skip
    drawn = panels.figure(
        arranged, _ROW * rows, traces=traces, axes=axes, below=_BELOW, key=_KEY,
        legend={"y": 1, "yref": "container", "yanchor": "top"}, margin={"l": 60}, bargap=0.3,
    )  # fmt: skip
    first = panels.reference(searches)
    return FigureView(
        figure=drawn,
        alt=_alt(searches, title, other),
        table=_table(searches),
        caption=provenance(
            panels.checkpoints(searches), title, f"{first.words:,} words of {first.documents} test texts",
            f"{first.redraws} draws per null distribution",
        ),
        name=panels.file_name(searches, f"units-{first.feature}"),
    )  # fmt: skip


def _reach(search: UnitSearch, other: UnitSearch | None) -> float:
    """Return the largest number that a panel shows."""
    first = search.ranked(SHOWN)
    ends = np.nanmax(np.abs([search.low[first], search.high[first], search.r[first]]))
    best = 0.0 if other is None or not other.ever else abs(float(other.r[other.best]))
    return max(float(ends), search.threshold, best)


def _bars(search: UnitSearch, selected: str, panel: int) -> go.Bar:
    first = search.ranked(SHOWN)
    r, low, high = (values[first] for values in (search.r, search.low, search.high))
    ids = [search.units[position].id for position in first]
    sizes = np.abs(r)
    far, near = np.where(r < 0, -low, high), np.where(r < 0, -high, low)
    hover = [
        f"{one}: r {number(value)} (95% interval {number(left)} to {number(right)})"
        for one, value, left, right in zip(ids, r, low, high, strict=True)
    ]
    outline = {"color": theme.INK, "width": [2 if one == selected else 0 for one in ids]}
    return go.Bar(
        x=sizes, y=list(range(len(ids))), orientation="h", customdata=ids, hovertext=hover, hoverinfo="text",
        showlegend=False,
        marker={**theme.signed_bars(r), "line": outline}, xaxis=f"x{panel}", yaxis=f"y{panel}",
        error_x={
            "type": "data", "array": far - sizes, "arrayminus": sizes - near, "color": theme.MUTED, "thickness": 1.2,
            "width": 3,
        },
    )  # fmt: skip


def _lines(search: UnitSearch, other: UnitSearch | None, rows: int, panel: int) -> list[go.Scatter]:
    """Return the null's line and that of the other seed's best unit, across all bars."""
    lines = [(NULL, search.threshold, theme.INK, "dash")]
    if other is not None and other.ever:
        lines.append((OTHER, abs(float(other.r[other.best])), theme.MUTED, "dot"))
    return [
        go.Scatter(
            x=[value, value], y=[-0.5, rows - 0.5], mode="lines", name=name, legendgroup=name, showlegend=panel == 1,
            line={"color": color, "dash": dash, "width": 2}, xaxis=f"x{panel}", yaxis=f"y{panel}",
            hovertemplate=f"{escape(name)}: %{{x:.3f}}<extra></extra>",
        )
        for name, value, color, dash in lines
    ]  # fmt: skip


def _alt(searches: Sequence[UnitSearch], title: str, other: UnitSearch | None) -> str:
    parts = []
    for panel, search in zip(panels.arrange(searches), searches, strict=True):
        best = search.best
        parts.append(
            f"{panel.title}: best unit {search.units[best].id} with r {number(float(search.r[best]))}, chance "
            f"threshold {search.threshold:.2f}, {search.followers} of {len(search.units)} units above it"
        )
    if other is not None and other.ever:
        parts.append(f"best unit of {title_of(other.run)}: r {number(float(other.r[other.best]))}")
    return f"The units that track {title} most closely, by absolute correlation. {'; '.join(parts)}."


def _table(searches: Sequence[UnitSearch]) -> Table:
    """Return a row for each ranked unit of each checkpoint."""
    rows = []
    for search in searches:
        ranked = search.ranked()
        values = (numbers[ranked].tolist() for numbers in (search.r, search.low, search.high))
        rows.append((search.run, search.epoch, [search.units[at].id for at in ranked], *values, search.threshold))
    return table_of(("run", "epoch", "unit", "r", "95% from", "95% to", "chance threshold (95%)"), rows)
