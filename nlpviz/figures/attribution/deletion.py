"""Deletion curves: how fast the target loses its probability, beside random orders of the same tokens."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import panels, theme
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.deletion import DeletionCurve

_HEIGHT = 220  # pixels, of a panel


def deletion_curves(curves: Sequence[DeletionCurve], title: str) -> FigureView:
    """Return the curves, one panel a checkpoint on the same scales, each with the mean and range at random.

    Args:
        curves: of one text by one method, one for each checkpoint shown.
        title: the method's, as people call it.
    """
    chosen = panels.reference(curves)
    arranged = panels.arrange(curves)
    ticks = [0, 0.25, 0.5, 0.75, 1] if len(curves) == 1 else [0, 0.5]  # labels next to it must not overlap them
    axes: dict[str, dict[str, object]] = {}
    for panel, curve in zip(arranged, curves, strict=True):
        first = panel.column == 0
        axes[f"xaxis{panel.number}"] = {"tickformat": ".0%", "range": [0, 1], "tickvals": ticks}
        axes[f"yaxis{panel.number}"] = {
            "tickformat": ".0%", "range": [-0.03, 1.03], "showticklabels": first, "nticks": 5,
            "title": {"text": f"probability of {escape(curve.target)}" if first else None},
        }  # fmt: skip
    lines = [line for panel, curve in zip(arranged, curves, strict=True) for line in _lines(curve, panel.number, title)]
    drawn = panels.figure(
        arranged, _HEIGHT, traces=lines, axes=axes, below="tokens removed", named=True, hovermode="x unified"
    )
    return FigureView(
        figure=drawn,
        alt=_alt(curves, title),
        table=_table(curves),
        caption=provenance(
            panels.checkpoints(curves), chosen.method, f"{len(chosen.random)} random orders, seed {chosen.seed}"
        ),
        name=panels.file_name(curves, f"{chosen.method}-deletion"),
    )


def _lines(curve: DeletionCurve, number: int, title: str) -> list[go.Scatter]:
    """Return the range at random, its mean, and the method's own curve."""
    share = curve.share
    low, high, mean = curve.random.min(axis=0), curve.random.max(axis=0), curve.random.mean(axis=0)
    here = {"x": share, "xaxis": f"x{number}", "yaxis": f"y{number}"}
    shaped = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    return [
        go.Scatter(y=low, **shaped, **here),
        go.Scatter(y=high, fill="tonexty", fillcolor=theme.GRID, **shaped, **here),
        go.Scatter(
            y=mean, mode="lines", line={"color": theme.MUTED, "dash": "dash", "width": 1.5},
            name="random orders: mean and range", hovertemplate="%{y:.0%}", **here,
        ),
        go.Scatter(
            y=curve.probability, mode="lines+markers", line={"color": theme.MAGNITUDE, "width": 2.5},
            marker={"size": 6, "color": theme.MAGNITUDE}, name=title,
            hovertemplate="%{y:.0%}", **here,
        ),
    ]  # fmt: skip


def _alt(curves: Sequence[DeletionCurve], title: str) -> str:
    parts = []
    for panel, curve in zip(panels.arrange(curves), curves, strict=True):
        steps = ", ".join(
            f"{taken} of {curve.tokens} removed: {own:.0%} (in random order: {mean:.0%})"
            for taken, own, mean in zip(curve.taken, curve.probability, curve.random.mean(axis=0), strict=True)
        )
        parts.append(f"{panel.title}: {steps}")
    return (
        f"The probability of {curves[0].target} as tokens are removed in the order given by {title}. "
        f"{'; '.join(parts)}."
    )


def _table(curves: Sequence[DeletionCurve]) -> Table:
    """Return a row for each number of tokens removed at each checkpoint."""
    return {
        "run": [curve.run for curve in curves for _ in curve.taken],
        "epoch": [curve.epoch for curve in curves for _ in curve.taken],
        "tokens removed": np.concatenate([curve.taken for curve in curves]),
        "probability": np.concatenate([curve.probability for curve in curves]),
        "random order, mean": np.concatenate([curve.random.mean(axis=0) for curve in curves]),
        "random order, lowest": np.concatenate([curve.random.min(axis=0) for curve in curves]),
        "random order, highest": np.concatenate([curve.random.max(axis=0) for curve in curves]),
    }
