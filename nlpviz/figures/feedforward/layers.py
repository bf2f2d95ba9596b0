"""A training watched layer by layer: update over weights, activations, flat units, gradients, by step."""

from __future__ import annotations

from math import log10
from typing import Any

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.feedforward.columns import columns, look
from nlpviz.figures.log_axis import log_axis
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.layers_watched import WatchedTraining

WANTED = 1e-3
"""The ratio of updates to weights that CS231n's notes ask for."""
_PANELS = (
    ("ratio", "update-to-weight ratio", True), ("spread", "std of activations", False),
    ("flat", "saturated or inactive", False), ("gradient", "RMS of gradients δ", True),
)  # fmt: skip
_LEAST = 1e-12


def by_layer(training: WatchedTraining, *, height: int = 620) -> FigureView:
    """Return four panels, a line for each layer by step; each layer has its colour and its dash."""
    axes, meta = _grid(height)
    traces: list[go.Scatter] = []
    last = len(training.layers) - 1
    for number, (field, title, log) in enumerate(_PANELS, start=1):
        suffix = "" if number == 1 else str(number)
        axes[f"xaxis{suffix}"] |= {"title": {"text": "step"}, "zeroline": False}
        axes[f"yaxis{suffix}"] |= {
            "title": {"text": title}, "tickformat": ".0%" if field == "flat" else "",
            **({"range": [-0.02, 1.02]} if field == "flat" else {}), **(_decades(training, field) if log else {}),
        }  # fmt: skip
        for place, layer in enumerate(training.layers):
            values, ink = getattr(layer, field), look(place)
            values = np.where(values > _LEAST, values, np.nan) if log else values
            if field == "flat" and place == last:
                continue  # the output has no activation
            traces.append(
                go.Scatter(
                    x=training.steps, y=values, mode="lines", name=layer.name, xaxis=f"x{suffix}", yaxis=f"y{suffix}",
                    line={"color": ink["color"], "width": 2.2, "dash": ink["dash"]},
                    hovertemplate=f"{layer.name}, step %{{x}}: %{{y:.3g}}<extra></extra>",
                )
            )  # fmt: skip
    wanted = theme.line_at(y=WANTED, width=1.5, dash="dash", xref="x domain", yref="y")
    note = {
        "text": "wanted", "x": 1, "xref": "x domain", "xanchor": "right", "y": log10(WANTED), "yref": "y",
        "yanchor": "bottom", "showarrow": False, "font": {"size": 12, "color": theme.MUTED},
    }  # fmt: skip
    drawn = direct_labels.figure(
        traces, height=height, meta=meta, uirevision=training.name, shapes=[wanted], annotations=[note], **axes
    )
    return FigureView(
        figure=drawn,
        alt=_alt(training),
        table=_table(training),
        caption=provenance("20 Newsgroups, bag of words", training.title, "SGD, seed 0, batches of 100"),
        name=f"layers-{training.name}",
    )


def _decades(training: WatchedTraining, field: str) -> dict[str, Any]:
    """Return the logarithmic axis of a measure of all layers; the wanted ratio is always on it."""
    values = np.concatenate([getattr(layer, field) for layer in training.layers])
    values = values[np.isfinite(values) & (values > _LEAST)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (WANTED, 1.0)
    return log_axis(min(low, WANTED), max(high, WANTED)) if field == "ratio" else log_axis(low, high)


def _grid(height: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the axes of two rows of two panels, and the ``meta`` by which they are stacked on a phone."""
    axes, meta = columns(4, round(0.7 * height))
    for number in range(4):
        suffix, left, top = "" if number == 0 else str(number + 1), number % 2, number < 2
        axes[f"xaxis{suffix}"]["domain"] = [0.55, 1] if left else [0, 0.45]
        axes[f"yaxis{suffix}"]["domain"] = [0.58, 1] if top else [0, 0.42]
    return axes, meta


def _alt(training: WatchedTraining) -> str:
    said = [
        f"{layer.name}: update-to-weight ratio {layer.ratio[-1]:.2g}, std of activations {layer.spread[-1]:.2g}, "
        f"saturated or inactive {layer.flat[-1]:.0%}, gradients {layer.gradient[-1]:.2g}"
        for layer in training.layers
        if len(training.steps)
    ]
    return f"{training.title}, layer by layer at the last recorded step. {'; '.join(said) or 'No step was recorded'}."


def _table(training: WatchedTraining) -> Table:
    rows = [(layer, place) for layer in training.layers for place in range(len(training.steps))]
    return {
        "layer": [layer.name for layer, _ in rows],
        "step": [int(training.steps[place]) for _, place in rows],
        "update-to-weight ratio": [float(layer.ratio[place]) for layer, place in rows],
        "mean of activations": [float(layer.mean[place]) for layer, place in rows],
        "std of activations": [float(layer.spread[place]) for layer, place in rows],
        "share saturated or inactive": [float(layer.flat[place]) for layer, place in rows],
        "RMS of gradients": [float(layer.gradient[place]) for layer, place in rows],
    }
