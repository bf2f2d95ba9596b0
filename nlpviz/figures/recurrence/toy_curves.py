"""What networks reach on a toy task: by training step and by length, seeds as a band, beside what needs no memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import phone, theme
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.toys import Reached, ToyCurve, ToyFacts, ToyPoint

_NETWORKS = ("elman", "lstm", "gru", "gated", "qrnn", "tcn", "skip-rnn", "elman-relu")
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
_GAP = 0.09
_HEIGHT = 360


class _Spread(NamedTuple):
    """A network's numbers over its seeds: where they were measured, their mean, the lowest and the highest."""

    at: NDArray[np.float64]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def learning_curves(
    facts: ToyFacts, curves: Sequence[ToyCurve], chance: Reached, length: int, *, horizon: int = 0
) -> FigureView:
    """Return error and loss by training step, a panel each; of a task with values the loss alone.

    Args:
        facts: of the task.
        curves: a network may have several, one a seed: their mean is drawn, and a band from lowest to highest.
        chance: what is reached without memory.
        length: of the sequences on which they were measured.
        horizon: the last step of the training; 0 for the last one drawn.
    """
    names = _measures(facts)
    spreads = {
        name: {network: _spread([curve.learning for curve in some], name, "step") for network, some in _by(curves)}
        for name in names
    }
    drawn = _figure(facts, curves, spreads, {name: (getattr(chance, name),) for name in names})
    drawn.update_xaxes(title_text="training steps", range=[0, max(horizon, *(c.last.step for c in curves), 1)])
    return FigureView(
        figure=drawn,
        alt=_said(facts, spreads, chance, f"after the last step, on sequences of {length} {facts.unit}"),
        table=_table([(curve, curve.learning) for curve in curves], facts, lambda _: chance),
        caption=_caption(facts, curves, f"{length} {facts.unit}"),
        name=f"{facts.name}-{length}-learning",
    )


def length_curves(
    facts: ToyFacts, curves: Sequence[ToyCurve], chances: Mapping[int, Reached], trained: int
) -> FigureView:
    """Return the error by length after training, and the share of sequences without any error where that is another.

    Args:
        facts: of the task, whose answers are classes.
        curves: as for :func:`learning_curves`, with what they reach on other lengths.
        chances: what is reached without memory, by length.
        trained: the longest sequences that the networks learnt from.
    """
    several = any(abs(1 - one.error - one.exact) > 1e-9 for one in chances.values())  # answers to a sequence
    names = ("error", "exact") if several else ("error",)
    spreads = {
        name: {network: _spread([curve.lengths for curve in some], name, "length") for network, some in _by(curves)}
        for name in names
    }
    lengths = sorted(chances)
    lines = {name: [getattr(chances[length], name) for length in lengths] for name in names}
    drawn = _figure(facts, curves, spreads, lines, lengths)
    # lengths that double stand at equal distances
    drawn.update_xaxes(
        title_text=f"length ({facts.unit})", tickvals=lengths, ticktext=[str(one) for one in lengths],
        type="log" if lengths[-1] > 16 * lengths[0] else "linear",
    )  # fmt: skip
    for number in range(1, len(names) + 1):
        suffix = "" if number == 1 else str(number)
        drawn.add_shape(
            type="line", x0=trained, x1=trained, y0=0, y1=1, xref=f"x{suffix}", yref=f"y{suffix} domain",
            line={"color": theme.MUTED, "width": 1, "dash": "dash"},
        )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_said(facts, spreads, chances[trained], f"at {lengths[-1]} {facts.unit}"),
        table=_table([(curve, curve.lengths) for curve in curves], facts, lambda point: chances[point.length]),
        caption=_caption(facts, curves, f"trained on up to {trained} {facts.unit} (dashed line)"),
        name=f"{facts.name}-lengths",
    )


def _measures(facts: ToyFacts) -> tuple[str, ...]:
    return ("error", "loss") if facts.error else ("loss",)


def _title(facts: ToyFacts, name: str) -> str:
    titles = {"error": facts.error, "loss": facts.loss, "exact": "sequences without any error"}
    return titles[name]


def _by(curves: Sequence[ToyCurve]) -> list[tuple[str, list[ToyCurve]]]:
    names = dict.fromkeys(curve.network for curve in curves)
    return [(name, [curve for curve in curves if curve.network == name]) for name in names]


def _spread(some: Sequence[Sequence[ToyPoint]], name: str, along: str) -> _Spread:
    """Return the spread of several seeds at the places where all of them were measured."""
    found = [{getattr(point, along): getattr(point.reached, name) for point in points} for points in some]
    at = sorted(set.intersection(*(set(one) for one in found)))
    values = np.array([[one[place] for place in at] for one in found], dtype=float)
    return _Spread(np.array(at, dtype=float), values.mean(axis=0), values.min(axis=0), values.max(axis=0))


def _figure(
    facts: ToyFacts,
    curves: Sequence[ToyCurve],
    spreads: Mapping[str, Mapping[str, _Spread]],
    chances: Mapping[str, Sequence[float]],
    along: Sequence[int] = (),
) -> go.Figure:
    """Return a panel for each measure: a line for each network, a band where it has several seeds, what chance is."""
    titles = {curve.network: curve.title for curve in curves}
    layout: dict[str, Any] = {}
    traces: list[go.Scatter] = []
    across: list[go.Scatter] = []
    count = len(spreads)
    width = (1 - _GAP * (count - 1)) / count
    for number, (name, networks) in enumerate(spreads.items(), start=1):
        here = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
        for network, spread in networks.items():
            traces += _lines(network, titles[network], spread, number == 1, here, name != "loss")
        largest = max(chances[name])
        highest = max([largest, *(float(np.nanmax(one.high, initial=0)) for one in networks.values())])
        left = (number - 1) * (width + _GAP)
        layout[f"xaxis{number}"] = {"domain": [left, left + width], "anchor": f"y{number}"}
        layout[f"yaxis{number}"] = {
            "anchor": f"x{number}", "title": {"text": _title(facts, name)},
            "range": [0, 1.08 * min(highest, 2.5 * largest)],  # at first, an error may be a multiple of chance
            "tickformat": ".0%" if name != "loss" else "",
        }  # fmt: skip
        across.append(_chance(chances[name], along, facts, name, number == 1, here))
    drawn = theme.figure(height=_HEIGHT, hovermode="closest", uirevision=facts.name, **layout)
    drawn.add_traces([*across, *traces])
    if count > 1:
        drawn.update_layout(meta=_stacked(count))
    return drawn


def _lines(
    network: str, title: str, spread: _Spread, legend: bool, here: Mapping[str, str], share: bool
) -> list[go.Scatter]:
    color, dash = _style(network)
    kept = np.isfinite(spread.mean)
    at, mean = spread.at[kept], spread.mean[kept]
    form = ".1%" if share else ".3f"
    line = go.Scatter(
        x=at, y=mean, name=escape(title), legendgroup=network, showlegend=legend,
        mode="lines+markers" if len(at) < 16 else "lines", line={"color": color, "width": 2.5, "dash": dash},
        marker={"size": 6, "color": color}, hovertemplate=f"{escape(title)}, %{{x}}: %{{y:{form}}}<extra></extra>",
        **here,
    )  # fmt: skip
    if np.array_equal(spread.low, spread.high, equal_nan=True):
        return [line]
    band = go.Scatter(
        x=np.concatenate([at, at[::-1]]), y=np.concatenate([spread.high[kept], spread.low[kept][::-1]]), fill="toself",
        fillcolor=color, opacity=0.18, line={"width": 0}, mode="lines", legendgroup=network, showlegend=False,
        hoverinfo="skip", **here,
    )  # fmt: skip
    return [band, line]


def _chance(
    values: Sequence[float], along: Sequence[int], facts: ToyFacts, name: str, legend: bool, here: Mapping[str, str]
) -> go.Scatter:
    """Return the line of what is reached without memory: across the panel, or from length to length."""
    flat = len(values) == 1
    form = ".1%" if name != "loss" else ".3f"
    return go.Scatter(
        x=[0, 10_000_000] if flat else list(along), y=[values[0]] * 2 if flat else list(values), mode="lines",
        name=escape(facts.without), legendgroup="without", showlegend=legend,
        line={"color": theme.MUTED, "width": 2, "dash": "longdashdot"},
        hovertemplate=f"{escape(facts.without)}: %{{y:{form}}}<extra></extra>", **here,
    )  # fmt: skip


def _style(network: str) -> tuple[str, str]:
    """Return colour and dash of a network, the same in every figure; of a new one by its name."""
    place = _NETWORKS.index(network) if network in _NETWORKS else sum(map(ord, network))
    return theme.CATEGORIES[place % len(theme.CATEGORIES)], _DASHES[place % len(_DASHES)]


def _stacked(count: int) -> dict[str, object]:
    """Return the ``meta`` by which panels stand under each other on a phone."""
    gap = 0.36 / count
    high = (1 - gap * (count - 1)) / count
    changes: dict[str, object] = {}
    for number in range(count):
        top, suffix = 1 - number * (high + gap), "" if number == 0 else str(number + 1)
        changes |= {f"xaxis{suffix}.domain": [0, 1], f"yaxis{suffix}.domain": [max(top - high, 0), top]}
    return phone.where_narrow(changes, round(0.8 * count * _HEIGHT))


def _said(facts: ToyFacts, spreads: Mapping[str, Mapping[str, _Spread]], chance: Reached, where: str) -> str:
    """Return the last number of each network, beside what needs no memory."""
    name, networks = next(iter(spreads.items()))
    form = ".3f" if name == "loss" else ".1%"
    told = [
        f"{network} {spread.mean[-1]:{form}}"
        for network, spread in networks.items()
        if len(spread.mean) and isfinite(spread.mean[-1])
    ]
    reached = ", ".join(told) or "no network has been measured yet"
    return f"{facts.title}: {_title(facts, name)}, {where}: {reached}; {facts.without} {getattr(chance, name):{form}}."


def _table(
    rows: Sequence[tuple[ToyCurve, Sequence[ToyPoint]]], facts: ToyFacts, find: Callable[[ToyPoint], Reached]
) -> dict[str, Sequence[object]]:
    """Return a row for each network, seed and point, with what needs no memory there."""
    every = [(curve, point) for curve, points in rows for point in points]
    table: dict[str, Sequence[object]] = {
        "network": [curve.title for curve, _ in every],
        "seed": [curve.seed for curve, _ in every],
        "training steps": [point.step for _, point in every],
        f"length ({facts.unit})": [point.length for _, point in every],
        facts.loss: [point.reached.loss for _, point in every],
        f"{facts.loss}, {facts.without}": [find(point).loss for _, point in every],
    }
    if facts.error:
        table[facts.error] = [point.reached.error for _, point in every]
        table[f"{facts.error}, {facts.without}"] = [find(point).error for _, point in every]
        table["sequences without any error"] = [point.reached.exact for _, point in every]
    return table


def _caption(facts: ToyFacts, curves: Sequence[ToyCurve], what: str) -> str:
    seeds = sorted({curve.seed for curve in curves})
    said = f"seed {seeds[0]}" if len(seeds) == 1 else f"mean of {len(seeds)} seeds, band from lowest to highest"
    return provenance(facts.title, what, said if seeds else "no network yet", "held-out sequences")
