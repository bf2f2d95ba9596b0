"""How often gates are closed or open over a text, one point a unit: Karpathy, Johnson and Fei-Fei 2016, figure 3."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from nlpviz.figures import panels, phone, theme
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.gates import CLOSED, OPEN, Saturation, saturation
from nlpviz.results.states import TextStates

_HEIGHT = 230  # pixels of a panel
_SYMBOLS = ("circle", "diamond-open", "square-open", "triangle-up-open")
_COLORS = (theme.MAGNITUDE, theme.CATEGORIES[2], theme.CATEGORIES[4], theme.MUTED)


def saturated_gates(shown: Sequence[TextStates], layer: int = 0, unit: int | None = None) -> FigureView:
    """Return the share of words at which each unit's gates are open against that at which they are closed.

    One panel a gate, one row a checkpoint, one mark a layer. A click hands on a unit's number from 1.

    Args:
        shown: of one text, one for each checkpoint; each has gates, and read a word.
        layer: from 0, whose ``unit`` stands out.
        unit: from 0; None for none.
    """
    counted = [saturation(states) for states in shown]
    most = max(len({one.gate for one in result}) for result in counted)
    arranged: list[panels.Panel] = []
    traces: list[go.Scatter] = []
    axes: dict[str, dict[str, object]] = {}
    named: set[int] = set()
    for row, (states, result, across) in enumerate(zip(shown, counted, panels.arrange(shown), strict=True)):
        for column, gate in enumerate(dict.fromkeys(one.gate for one in result)):
            number = len(arranged) + 1
            title = f"{across.title}: {gate}" if len(shown) > 1 else gate
            arranged.append(panels.Panel(number, title, row, column))
            for one in (one for one in result if one.gate == gate):
                legend = states.layers > 1 and one.layer not in named
                traces.append(_points(one, unit if one.layer == layer else None, number, legend=legend))
                named.add(one.layer)
            axes[f"xaxis{number}"] = {"range": [-0.06, 1.06], "tickformat": ".0%", "nticks": 4}
            axes[f"yaxis{number}"] = {
                "range": [-0.06, 1.06], "tickformat": ".0%", "nticks": 4, "showticklabels": column == 0,
                "title": {"text": f"closed (< {CLOSED}), share of words" if column == 0 else ""},
            }  # fmt: skip
    drawn = panels.figure(
        arranged, _HEIGHT, traces=traces, axes=axes, below=f"open (> {OPEN}), share of words",
        key=28 if len(named) > 1 else 0, showlegend=len(named) > 1, margin={"l": 64, "r": 12},
        meta=phone.least_width(most * 190), legend={"yref": "container", "y": 1, "yanchor": "top"},
    )  # fmt: skip
    if len(arranged) == 1:
        drawn.update_layout(title_text=arranged[0].title)
    return FigureView(
        figure=drawn,
        alt=_alt(shown, counted),
        table=_table(shown, counted),
        caption=provenance(
            panels.checkpoints(shown), f"one text of {len(shown[0].states):,} words, one point per unit"
        ),
        name=panels.file_name(shown, "saturated-gates"),
    )


def _points(one: Saturation, unit: int | None, number: int, *, legend: bool) -> go.Scatter:
    color, symbol = _COLORS[one.layer % len(_COLORS)], _SYMBOLS[one.layer % len(_SYMBOLS)]
    chosen = [position == unit for position in range(len(one.opened))]
    return go.Scatter(
        x=one.opened, y=one.closed, mode="markers", name=f"layer {one.layer + 1}", showlegend=legend,
        legendgroup=f"layer {one.layer + 1}",
        marker={
            "color": color, "symbol": symbol, "size": [12 if mark else 8 for mark in chosen],
            "opacity": [1 if mark else 0.5 for mark in chosen],
            "line": {"color": theme.INK, "width": [2 if mark else 0 for mark in chosen]},
        },
        customdata=[str(position + 1) for position in range(len(one.opened))],
        hovertemplate="unit %{customdata}: open %{x:.0%}, closed %{y:.0%}<extra></extra>",
        xaxis=f"x{number}", yaxis=f"y{number}",
    )  # fmt: skip


def _alt(shown: Sequence[TextStates], counted: Sequence[Sequence[Saturation]]) -> str:
    parts = [
        f"{panel.title}: "
        + ", ".join(
            f"{one.gate} of layer {one.layer + 1} open {one.opened.mean():.0%} and closed {one.closed.mean():.0%}"
            for one in result
        )
        for panel, result in zip(panels.arrange(shown), counted, strict=True)
    ]
    return f"Share of words at which each unit’s gates are saturated; means: {'; '.join(parts)}."


def _table(shown: Sequence[TextStates], counted: Sequence[Sequence[Saturation]]) -> Table:
    """Return a row for each unit of each gate."""
    return table_of(
        ("run", "epoch", "gate", "layer", "unit", f"open (> {OPEN})", f"closed (< {CLOSED})"),
        [
            (states.run, states.epoch, one.gate, one.layer + 1, range(1, 1 + len(one.opened)), one.opened, one.closed)
            for states, result in zip(shown, counted, strict=True)
            for one in result
        ],
    )
