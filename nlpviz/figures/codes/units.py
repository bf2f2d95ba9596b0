"""A text's code unit by unit: its value, how sure the network is of it, and what it costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.codes import TextCode

_HIGH, _LOW = 190, 120  # pixels of the two panels
_GAP, _ROUND = 56, 88


def code_units(code: TextCode, selected: int | None = None) -> FigureView:
    """Return bars of the code's units, and under them what each costs, where that is known; a click hands on a unit."""
    units = np.arange(len(code.mean))
    ids = [str(unit) for unit in units.tolist()]
    marker = theme.signed_bars(code.mean.tolist())
    marker["line"] = {"color": theme.INK, "width": [2 if unit == selected else 0 for unit in units.tolist()]}
    bars: dict[str, Any] = {
        "type": "bar", "x": units, "y": code.mean, "customdata": ids, "marker": marker, "xaxis": "x", "yaxis": "y",
        "hovertemplate": "unit %{x}: %{y:.2f}<extra></extra>", "name": "code",
    }  # fmt: skip
    traces = [bars]
    axes: dict[str, Any] = {
        "xaxis": {"title": {"text": "unit"}, "dtick": max(len(units) // 16, 1)},
        "yaxis": {"title": "code"},
    }
    height = _HIGH + _ROUND
    if code.deviation is not None and code.divergence is not None:
        bars["error_y"] = {"type": "data", "array": code.deviation, "color": theme.MUTED, "thickness": 1.2, "width": 2}
        height = _HIGH + _GAP + _LOW + _ROUND
        high = _HIGH / (_HIGH + _GAP + _LOW)
        traces.append(
            {
                "type": "bar", "x": units, "y": code.divergence, "customdata": ids, "xaxis": "x2", "yaxis": "y2",
                "marker": {"color": theme.MAGNITUDE}, "name": "KL",
                "hovertemplate": "unit %{x}: %{y:.2f} nats<extra></extra>",
            }
        )  # fmt: skip
        axes["xaxis"] |= {"anchor": "y", "title": {"text": ""}, "matches": "x2"}
        axes["yaxis"] |= {"domain": [1 - high, 1], "anchor": "x", "title": "mean ± standard deviation"}
        axes["xaxis2"] = {"title": {"text": "unit"}, "anchor": "y2", "dtick": max(len(units) // 16, 1)}
        axes["yaxis2"] = {"domain": [0, 1 - high - _GAP / (_HIGH + _GAP + _LOW)], "anchor": "x2", "title": "KL (nats)"}
    drawn = theme.figure(traces, height=height, showlegend=False, **axes)
    return FigureView(
        figure=drawn,
        alt=_alt(code),
        table={
            "unit": units,
            "code": code.mean,
            **({} if code.deviation is None else {"deviation": code.deviation}),
            **({} if code.divergence is None else {"KL (nats)": code.divergence}),
        },
        caption=provenance(f"{code.run}, epoch {code.epoch}", f"{code.words:,} words read"),
        name=f"{code.run}-epoch-{code.epoch}-code",
    )


def _alt(code: TextCode) -> str:
    largest = int(np.abs(code.mean).argmax())
    said = (
        f"The {len(code.mean)} units of a text’s code as bars; the value of largest magnitude is that of unit "
        f"{largest} ({code.mean[largest]:.2f})."
    )
    if code.divergence is None:
        return said
    most = int(code.divergence.argmax())
    total = float(code.divergence.sum())
    return (
        f"{said} The total KL divergence is {total:.1f} nats; unit {most} contributes most "
        f"({code.divergence[most]:.2f})."
    )
