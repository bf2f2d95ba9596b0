"""What is known of one unit: its mean by the feature, its correlation by epoch, and what holding it changes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import direct_labels, panels, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.units import Ablation, UnitSearch, UnitSurvey

_HEIGHT = 300


def unit_bins(shown: Sequence[tuple[str, UnitSearch]], title: str, unit: str) -> FigureView:
    """Return a unit's mean where the feature has similar values; of units that their search does not rank, nothing.

    Args:
        shown: the id of a unit and a search, for each checkpoint; a search ranks its unit at least.
        title: of the feature.
        unit: of the feature; empty where it is 0 or 1.
    """
    kept = [(name, search, search.bins[name]) for name, search in shown if name in search.bins]
    last = max(search.epoch for _, search, _ in kept)
    traces = []
    for (name, search, bins), panel in zip(kept, panels.arrange([search for _, search, _ in kept]), strict=True):
        own = search.run == kept[0][1].run
        color = theme.epoch_color(search.epoch, last) if own else theme.CATEGORIES[2]
        traces.append(
            go.Scatter(
                x=bins.feature, y=bins.unit, mode="lines+markers", name=f"{escape(panel.title)}: {name}",
                line={"color": color, "width": 2, "dash": "solid" if own else "dash"}, marker={"size": 9},
                hovertemplate="feature %{x:.3g}: mean of the unit %{y:+.3f}<extra></extra>",
            )
        )  # fmt: skip
    rows = [(one.run, one.epoch, name, bins.feature.tolist(), bins.unit.tolist()) for name, one, bins in kept]
    ticks = {} if unit else {"tickvals": [0, 1], "ticktext": ["no", "yes"], "range": [-0.3, 1.3]}
    searches, ends = [search for _, search, _ in kept], kept[-1][2].unit
    return FigureView(
        figure=direct_labels.figure(
            traces, height=_HEIGHT, x=f"{title}{f' ({unit})' if unit else ''}", y="mean of the unit",
            xaxis=ticks, unnamed=() if len(kept) > 1 else {trace.name for trace in traces},
        ),
        alt=f"Mean of unit {kept[-1][0]} by {title}: {number(float(ends[0]))} at the lowest value of the feature, "
            f"{number(float(ends[-1]))} at the highest.",
        table=table_of(("run", "epoch", "unit", title, "mean of the unit"), rows),
        caption=provenance(panels.checkpoints(searches), f"means over {searches[-1].words:,} words"),
        name=panels.file_name(searches, "unit-by-feature"),
    )  # fmt: skip


def unit_epochs(searches: Sequence[UnitSearch], unit: str, title: str) -> FigureView:
    """Return one unit's correlation with a feature at every epoch, beside the best unit's and the null's line.

    Args:
        searches: of one run, one for each epoch, for a feature that occurs.
        unit: its id.
        title: of the feature.
    """
    epochs = [search.epoch for search in searches]
    position = searches[0].position(unit)
    own = [abs(float(search.r[position])) if position is not None else None for search in searches]
    best = [abs(float(search.r[search.best])) for search in searches]
    lines = [search.threshold for search in searches]
    named = [search.units[search.best].id for search in searches]
    ending = {"best of all units": " (%{text})"}
    styles = (
        (f"unit {unit}", own, theme.POSITIVE, "solid", "circle"),
        ("best of all units", best, theme.CATEGORIES[4], "dot", "diamond"),
        ("chance threshold (95%)", lines, theme.INK, "dash", "line-ew"),
    )
    traces = [
        go.Scatter(
            x=[str(epoch) for epoch in epochs], y=values, mode="lines+markers", name=name, text=named,
            line={"color": color, "dash": dash, "width": 2}, marker={"symbol": symbol, "size": 9},
            hovertemplate=f"epoch %{{x}}: %{{y:.3f}}{ending.get(name, '')}<extra></extra>",
        )
        for name, values, color, dash, symbol in styles
    ]  # fmt: skip
    return FigureView(
        figure=direct_labels.figure(
            traces, height=_HEIGHT, x="epoch (0 is before training)", y="|r|", yaxis={"rangemode": "tozero"},
            xaxis={"type": "category"},
        ),
        alt=f"The absolute correlation of unit {unit} with {title} by epoch: "
        + "; ".join(
            f"epoch {epoch} {value or 0:.2f}, best unit {top:.2f}, chance threshold {line:.2f}"
            for epoch, value, top, line in zip(epochs, own, best, lines, strict=True)
        )
        + ".",
        table={
            "epoch": epochs, f"|r| of {unit}": own, "best |r|": best, "best unit": named,
            "chance threshold (95%)": lines,
        },
        caption=provenance(panels.checkpoints(searches), title),
        name=panels.file_name(searches, f"unit-{unit}-epochs"),
    )  # fmt: skip


def ablation_dots(chosen: Ablation, survey: UnitSurvey, run: str, epoch: int) -> FigureView:
    """Return how the accuracy changes with a unit held at its mean, beside units drawn at random.

    Args:
        chosen: of the unit.
        survey: with the others.
        run: whose units.
        epoch: of its weights.
    """
    rows = [chosen, *sorted((one for one in survey.random if one.unit != chosen.unit), key=_change)]
    change = np.array([100 * one.change.difference for one in rows])
    ends = np.array([[100 * one.change.interval.low, 100 * one.change.interval.high] for one in rows])
    ids = [one.unit.id for one in rows]
    colors = [theme.POSITIVE, *[theme.MUTED] * (len(rows) - 1)]
    drawn = go.Scatter(
        x=change, y=ids, mode="markers",
        marker={"color": colors, "size": 10, "symbol": ["diamond", *["circle-open"] * (len(rows) - 1)]},
        error_x={
            "type": "data", "array": ends[:, 1] - change, "arrayminus": change - ends[:, 0], "color": theme.MUTED,
            "thickness": 1.2, "width": 3,
        },
        hovertemplate="%{y} ablated: %{x:+.2f} points<extra></extra>",
    )  # fmt: skip
    return FigureView(
        figure=theme.figure(
            [drawn], height=max(_HEIGHT, 90 + 20 * len(rows)), x="change in accuracy, percentage points",
            xaxis={"zeroline": True}, yaxis={"type": "category", "range": [len(rows) - 0.5, -0.5]}, margin={"l": 60},
        ),
        alt=f"Ablating unit {ids[0]} changes accuracy by {number(change[0])} points{_beside(change)}.",
        table={
            "unit": ids, "fixed at": [one.held_at for one in rows], "accuracy": [one.accuracy for one in rows],
            "change (points)": change, "95% from": ends[:, 0], "95% to": ends[:, 1],
            "p-value (McNemar’s mid-p)": [one.change.p for one in rows],
        },
        caption=provenance(
            f"{run}, epoch {epoch}", "units fixed at their means", f"{survey.documents:,} test reviews"
        ),
        name=f"{run}-epoch-{epoch}-unit-{ids[0]}-held",
    )  # fmt: skip


def _beside(change: NDArray[np.float64]) -> str:
    """Return what random units do, which stand behind the first one; nothing where there are none."""
    if len(change) < 2:
        return ""
    ends = f"{number(change[1:].min())} to {number(change[1:].max())}"
    return f"; ablating {len(change) - 1} random units changes it by {ends}"


def _change(one: Ablation) -> float:
    return one.change.difference
