"""What becomes of the codes of one network, trained in several ways: KL, active units and information by epoch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.history import CodesEpoch

_PANEL, _GAP, _ROUND = 150, 40, 110  # pixels
_DASHES = ("solid", "dash", "dot", "dashdot")
_SYMBOLS = ("circle", "square", "diamond", "cross")
MEASURES = (
    ("active", "active units", ".0f"),
    ("divergence", "KL (nats)", ".2f"),
    ("information", "information (nats)", ".2f"),
    ("bound", "perplexity bound", ".0f"),
)


class Trained(NamedTuple):
    """One way to train: what it is called, its run, and its epochs."""

    name: str
    run: str
    records: Sequence[CodesEpoch]


def remedies(trained: Sequence[Trained]) -> FigureView:
    """Return four panels under each other, in each a line for every way to train, over the validation documents."""
    high = len(MEASURES) * _PANEL + (len(MEASURES) - 1) * _GAP
    traces: list[go.Scatter] = []
    axes: dict[str, Any] = {}
    for number, (column, title, form) in enumerate(MEASURES, start=1):
        top = 1 - (number - 1) * (_PANEL + _GAP) / high
        suffix = "" if number == 1 else str(number)
        axes[f"yaxis{suffix}"] = {
            "domain": [max(top - _PANEL / high, 0), top],
            "title": {"text": title},
            "anchor": f"x{suffix}",
        }
        axes[f"xaxis{suffix}"] = {"anchor": f"y{suffix}", "dtick": 2, "matches": "x"} | (
            {"title": {"text": "epoch"}} if number == len(MEASURES) else {"showticklabels": False}
        )
        for place, one in enumerate(trained):
            traces.append(
                go.Scatter(
                    x=[record.epoch for record in one.records], y=[_value(record, column) for record in one.records],
                    mode="lines+markers", name=one.name, xaxis=f"x{suffix}", yaxis=f"y{suffix}",
                    line={"color": theme.CATEGORIES[place], "dash": _DASHES[place % len(_DASHES)], "width": 2.5},
                    marker={"symbol": _SYMBOLS[place % len(_SYMBOLS)], "size": 7},
                    hovertemplate=f"epoch %{{x}}: %{{y:{form}}}<extra>%{{fullData.name}}</extra>",
                )
            )  # fmt: skip
    drawn = direct_labels.figure(traces, height=high + _ROUND, **axes)
    last = "; ".join(
        f"{one.name}: {one.records[-1].active} active units, KL {one.records[-1].divergence:.1f} nats, perplexity "
        f"bound {np.exp(one.records[-1].bound):.0f}"
        for one in trained
    )
    return FigureView(
        figure=drawn,
        alt=f"Curves by epoch for {len(trained)} training methods. After the last epoch, {last}.",
        table=_table(trained),
        caption=provenance(", ".join(one.run for one in trained), "validation documents"),
        name="collapse",
    )


def _value(record: CodesEpoch, column: str) -> float:
    value = float(getattr(record, column))
    return float(np.exp(value)) if column == "bound" else value


def _table(trained: Sequence[Trained]) -> Table:
    rows = [(one.name, record) for one in trained for record in one.records]
    return {
        "training method": [name for name, _ in rows],
        "epoch": [record.epoch for _, record in rows],
        **{title: [_value(record, column) for _, record in rows] for column, title, _ in MEASURES},
    }
