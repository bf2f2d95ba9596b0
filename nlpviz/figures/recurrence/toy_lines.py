"""Lines of toy tasks: one for each network, a band over its seeds, and what needs no memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import direct_labels, phone, theme
from nlpviz.results.toys import ToyCurve, ToyFacts, ToyPoint

_NETWORKS = ("elman", "lstm", "gru", "gated", "qrnn", "tcn", "skip-rnn", "elman-relu")
_DASHES = ("solid", "dash", "dot", "dashdot")
_GAP = 0.1
_FIRST = 0.62  # of the width: the first measure's panel, on the right, where the lines' names stand
_HEIGHT = 400


class Spread(NamedTuple):
    """A network's numbers over its seeds: where they were measured, their mean, the lowest and the highest."""

    at: NDArray[np.float64]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def by_network(curves: Sequence[ToyCurve]) -> list[tuple[str, list[ToyCurve]]]:
    """Return the curves of each network, by its name."""
    names = dict.fromkeys(curve.network for curve in curves)
    return [(name, [curve for curve in curves if curve.network == name]) for name in names]


def spread_of(some: Sequence[Sequence[ToyPoint]], name: str, along: str) -> Spread:
    """Return the spread of several seeds at the places where all of them were measured."""
    found = [{getattr(point, along): getattr(point.reached, name) for point in points} for points in some]
    at = sorted(set.intersection(*(set(one) for one in found)))
    values = np.array([[one[place] for place in at] for one in found], dtype=float)
    return Spread(np.array(at, dtype=float), values.mean(axis=0), values.min(axis=0), values.max(axis=0))


def panels_of(
    facts: ToyFacts,
    curves: Sequence[ToyCurve],
    spreads: Mapping[str, Mapping[str, Spread]],
    chances: Mapping[str, Sequence[float]],
    lengths: Sequence[int],
    across_axis: Mapping[str, Any],
    shapes: Sequence[Mapping[str, Any]] = (),
    notes: Sequence[Mapping[str, Any]] = (),
) -> go.Figure:
    """Return a panel for each measure: a line for each network, a band where it has several seeds, what chance is.

    The first measure has the largest one, on the right. Where there are several ``lengths``, they are what runs from
    left to right.
    """
    titles = {curve.network: curve.title for curve in curves}
    layout: dict[str, Any] = {}
    traces: list[go.Scatter] = []
    across: list[go.Scatter] = []
    count = len(spreads)
    for number, (name, networks) in enumerate(spreads.items(), start=1):
        here = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
        for network, spread in networks.items():
            traces += _lines(network, titles[network], spread, here, name != "loss")
        largest = max(chances[name])
        highest = max([largest, *(float(np.nanmax(one.high, initial=0)) for one in networks.values())])
        domain = [0, 1] if count == 1 else [1 - _FIRST, 1] if number == 1 else [0, 1 - _FIRST - _GAP]
        layout[f"xaxis{number}"] = {"domain": domain, "anchor": f"y{number}", **across_axis}
        layout[f"yaxis{number}"] = {
            "anchor": f"x{number}", "title": {"text": title_of(facts, name)},
            "range": [0, 1.08 * min(highest, 2.5 * largest)],  # at first, an error may be a multiple of chance
            "tickformat": ".0%" if name != "loss" else "",
        }  # fmt: skip
        form = ".3f" if name == "loss" else ".1%"
        if name == "error" and facts.shortcut[0]:
            title, errors = facts.shortcut
            values = [errors[length] for length in lengths]
            across.append(_across(title, values, lengths, form, {"width": 1, "dash": "dot"}, here))
        line = {"width": 2, "dash": "longdashdot"}
        across.append(_across(facts.without, chances[name], lengths, form, line, here))
    return direct_labels.figure(
        [*across, *traces], height=_HEIGHT, hovermode="closest",
        main={*_best(next(iter(spreads.values())), titles), *(line.name for line in across)},
        uirevision=facts.name, shapes=shapes, annotations=notes, margin={"t": 24},
        meta=_stacked(count) if count > 1 else {}, **layout,
    )  # fmt: skip


def _best(networks: Mapping[str, Spread], titles: Mapping[str, str]) -> list[str]:
    """Return the names of the networks that end lowest, as many as have colours."""
    ends = {name: spread.mean[-1] if len(spread.mean) else np.nan for name, spread in networks.items()}
    order = sorted(ends, key=lambda name: (not np.isfinite(ends[name]), ends[name]))
    return [escape(titles[name]) for name in order[: direct_labels.COLOURED]]


def _lines(network: str, title: str, spread: Spread, here: Mapping[str, str], share: bool) -> list[go.Scatter]:
    color, dash = _style(network)
    kept = np.isfinite(spread.mean)
    at, mean = spread.at[kept], spread.mean[kept]
    form = ".1%" if share else ".3f"
    line = go.Scatter(
        x=at, y=mean, name=escape(title),
        mode="lines+markers" if len(at) < 16 else "lines", line={"color": color, "width": 2.5, "dash": dash},
        marker={"size": 6, "color": color}, hovertemplate=f"{escape(title)}, %{{x}}: %{{y:{form}}}<extra></extra>",
        **here,
    )  # fmt: skip
    if np.array_equal(spread.low, spread.high, equal_nan=True):
        return [line]
    band = go.Scatter(
        x=np.concatenate([at, at[::-1]]), y=np.concatenate([spread.high[kept], spread.low[kept][::-1]]), fill="toself",
        fillcolor=color, opacity=0.18, line={"width": 0}, mode="lines", hoverinfo="skip",
        legendgroup=escape(title), **here,
    )  # fmt: skip
    return [band, line]


def _across(
    title: str,
    values: Sequence[float],
    lengths: Sequence[int],
    form: str,
    line: Mapping[str, object],
    here: Mapping[str, str],
) -> go.Scatter:
    """Return the line of what is reached without the network: from length to length, or across the panel."""
    flat = len(values) == 1
    return go.Scatter(
        x=[0, 10_000_000] if flat else list(lengths), y=[values[0]] * 2 if flat else list(values), mode="lines",
        name=escape(title), line={"color": theme.MUTED, **line},
        hovertemplate=f"{escape(title)}: %{{y:{form}}}<extra></extra>", **here,
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


def title_of(facts: ToyFacts, name: str) -> str:
    """Return what a measure is called on an axis."""
    titles = {"error": facts.error, "loss": facts.loss, "exact": "sequences without errors"}
    return titles[name]
