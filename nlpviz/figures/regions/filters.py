"""The filters of a network, all of them by class weight and mean activation."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import panels, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.survey import FilterSummary

_HEIGHT, _LEGEND = 340, 28  # pixels: of a row of panels, over the first


class Filters(NamedTuple):
    """The filters of one checkpoint that a picture shows; in a picture of one filter, that one."""

    run: str
    epoch: int
    summaries: tuple[FilterSummary, ...]

    @classmethod
    def of_size(cls, run: str, epoch: int, summaries: Sequence[FilterSummary], size: int | None) -> Filters:
        """Return those of one region size; None for all."""
        return cls(run, epoch, tuple(one for one in summaries if size in (None, one.size)))


def two_in_a_row(results: Sequence[panels.OfCheckpoint]) -> list[panels.Panel]:
    """Return a panel for each result; more than two in a row could not be read on a phone."""
    return [
        panel._replace(row=position // 2, column=position % 2) for position, panel in enumerate(panels.arrange(results))
    ]


def filter_map(shown: Sequence[Filters], target: str, selected: str | None = None) -> FigureView:
    """Return all filters by class weight and mean activation, one panel a checkpoint on the same axes.

    Args:
        shown: of one run or several.
        target: the class whose weights these are.
        selected: the id of the filter that stands out.
    """
    arranged = two_in_a_row(shown)
    every = [one for filters in shown for one in filters.summaries]
    widest = 1.08 * max((abs(one.weight) for one in every), default=1.0)
    highest = 1.08 * max((one.mean for one in every), default=1.0)
    marks, named, axes = [], set(), {}
    for panel, filters in zip(arranged, shown, strict=True):
        for mark in _marks(filters, panel.number, target, selected):
            new = bool(mark.name) and len(mark.x) > 0 and mark.name not in named
            named |= {mark.name} if new else set()
            marks.append(mark.update(showlegend=new))
        axes[f"xaxis{panel.number}"] = {"range": [-widest, widest], "zeroline": True, "nticks": 5}
        axes[f"yaxis{panel.number}"] = {
            "range": [-0.04 * highest, highest], "nticks": 5, "showticklabels": panel.column == 0,
            "title": {"text": "" if panel.column else "mean activation"},
        }  # fmt: skip
    drawn = panels.figure(
        arranged, _HEIGHT, traces=marks, axes=axes, below=f"weight for class {escape(target)}", key=_LEGEND,
        legend={"y": 1, "yref": "container", "yanchor": "top"},
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(panels.reference(shown).summaries, target),
        table=_table(shown),
        caption=provenance(panels.checkpoints(shown), "filters over all test documents"),
        name=panels.file_name(shown, "filters"),
    )


def _alt(filters: Sequence[FilterSummary], target: str) -> str:
    strongest = sorted(filters, key=lambda one: -abs(one.weight * one.mean))[:5]
    said = ", ".join(f"{one.id} with weight {number(one.weight)}, mean {one.mean:.2f}" for one in strongest)
    dead, twins = sum(one.dead for one in filters), sum(one.duplicate for one in filters)
    return (
        f"{len(filters)} filters by weight for class {target} and mean activation: {said}. "
        f"{dead} are dead, "
        f"{twins} are near-duplicates of another filter."
    )


def _marks(filters: Filters, panel: int, target: str, selected: str | None) -> list[go.Scatter]:
    """Return the marks of one panel: by sign and state, those of duplicates hollow; then the ring."""
    kinds = {
        f"for {target}": ([one for one in filters.summaries if one.weight > 0 and not one.dead], "circle"),
        f"against {target}": ([one for one in filters.summaries if one.weight <= 0 and not one.dead], "diamond"),
        "dead": ([one for one in filters.summaries if one.dead], "x"),
    }
    colors = (theme.POSITIVE, theme.NEGATIVE, theme.MUTED)
    here = {"xaxis": f"x{panel}", "yaxis": f"y{panel}"}
    traces = [
        go.Scatter(
            x=[one.weight for one in members], y=[one.mean for one in members], mode="markers", name=escape(name),
            legendgroup=name, customdata=[one.id for one in members],
            hovertext=[escape(describe(one)) for one in members], hoverinfo="text",
            marker={
                "color": color, "size": 9, "opacity": 0.8, "line": {"width": 1.5, "color": color},
                "symbol": [f"{symbol}-open" if one.duplicate else symbol for one in members],
            },
            **here,
        )
        for (name, (members, symbol)), color in zip(kinds.items(), colors, strict=True)
    ]  # fmt: skip
    ringed = [one for one in filters.summaries if one.id == selected]
    ring = {"size": 20, "symbol": "circle-open", "color": theme.INK, "line": {"width": 3, "color": theme.INK}}
    traces.append(
        go.Scatter(
            x=[one.weight for one in ringed], y=[one.mean for one in ringed], mode="markers",
            hoverinfo="skip", marker=ring, **here,
        )
    )  # fmt: skip
    return traces


def describe(one: FilterSummary) -> str:
    """Return what is known of a filter in plain words: weight, activity, flags, its strongest n-gram."""
    parts = [
        f"filter {one.id}: weight {number(one.weight)}",
        f"active in {one.alive:.0%} of documents",
        "dead" if one.dead else f"mean {one.mean:.2f}",
        "duplicate" if one.duplicate else "",
        f"“{one.ngrams[0].ngram}”" if one.ngrams else "",
    ]
    return ", ".join(part for part in parts if part)


def _table(shown: Sequence[Filters]) -> Table:
    """Return a row for each filter at each checkpoint."""
    rows = [(filters, one) for filters in shown for one in filters.summaries]
    ids = {(filters.run, filters.epoch, one.position): one.id for filters, one in rows}
    return {
        "run": [filters.run for filters, _ in rows],
        "epoch": [filters.epoch for filters, _ in rows],
        "filter": [one.id for _, one in rows],
        "weight": np.array([one.weight for _, one in rows], dtype=np.float32),
        "mean activation": np.array([one.mean for _, one in rows], dtype=np.float32),
        "share of documents that activate it": np.array([one.alive for _, one in rows], dtype=np.float32),
        "dead": ["yes" if one.dead else "" for _, one in rows],
        "duplicate": ["yes" if one.duplicate else "" for _, one in rows],
        "most correlated": [
            ids.get((filters.run, filters.epoch, one.twin), "") if one.correlation else "" for filters, one in rows
        ],
        "correlation": np.array([one.correlation for _, one in rows], dtype=np.float32),
        "strongest n-gram": [one.ngrams[0].ngram if one.ngrams else "" for _, one in rows],
    }
