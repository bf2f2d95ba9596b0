"""Gradient descent at a wall of a loss surface, clipped and not, and the gradients that a run itself met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import cycle
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import direct_labels, phone, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.recurrence.memory_text import power
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.clipping import Descent, LossSurface

FREE, CLIPPED = "not clipped", "clipped"
_INKS = {FREE: (theme.NEGATIVE, "dash", "x"), CLIPPED: (theme.POSITIVE, "solid", "circle")}
_LEFT, _RIGHT = (0.0, 0.6), (0.74, 1.0)
_BAR = {
    "title": {"text": "loss", "font": {"size": 13}}, "thickness": 10, "outlinewidth": 0, "len": 1, "nticks": 6,
    "x": _LEFT[1] + 0.01, "y": 0, "yanchor": "bottom",
}  # fmt: skip
_SHADES = ((0.0, theme.SURFACE), (1.0, theme.MAGNITUDE))
_BLEACHED = 0.55  # of the surface, under the paths


def clipped_descent(surface: LossSurface, free: Descent, clipped: Descent, *, height: int = 440) -> FigureView:
    """Return the two paths on the surface, and the loss after each of their steps beside it.

    Args:
        surface: what is descended.
        free: the steps without clipping.
        clipped: from the same place with the same learning rate, with a threshold.
        height: of the figure, in pixels.
    """
    paths = {FREE: free, CLIPPED: clipped}
    ground = go.Contour(
        x=surface.weights, y=surface.biases, z=surface.losses, coloraxis="coloraxis", opacity=_BLEACHED, ncontours=16,
        line={"width": 0.5}, hovertemplate="w %{x:.2f}, b %{y:.2f}: loss %{z:.3f}<extra></extra>",
    )  # fmt: skip
    traces: list[go.Contour | go.Scatter] = [ground]
    for name, path in paths.items():
        traces += [_path(path, name), _losses(path, name)]
    drawn = direct_labels.figure(
        traces,
        height=height,
        xaxis={"domain": _LEFT, "range": [surface.weights[0], surface.weights[-1]], "title": {"text": "w"}},
        yaxis={"range": [surface.biases[0], surface.biases[-1]], "title": {"text": "b"}, "zeroline": False},
        xaxis2={"domain": _RIGHT, "anchor": "y2", "title": {"text": "step"}, "zeroline": False},
        yaxis2={"anchor": "x2", "rangemode": "tozero"},
        coloraxis={"colorscale": _SHADES, "colorbar": _BAR},
        meta=phone.where_narrow(
            {
                "xaxis.domain": [0, 0.86], "yaxis.domain": [0.46, 1], "xaxis2.domain": [0, 1],
                "yaxis2.domain": [0, 0.3],
                "coloraxis.colorbar": {**_BAR, "x": 0.88, "y": 0.46, "len": 0.54},
            },
            round(1.5 * height),
        ),
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(paths),
        table={
            "step": np.arange(len(free.losses)),
            **{f"{what}, {name}": values for name, path in paths.items() for what, values in _columns(path).items()},
        },
        caption=provenance(
            "recurrent network with one unit",
            f"loss (h after {surface.steps} steps − {surface.wanted:g})²",
            f"learning rate {free.rate:g}, threshold {clipped.threshold:g}",
        ),
        name=f"clipping-rate-{free.rate:g}-threshold-{clipped.threshold:g}",
    )


def _path(path: Descent, name: str) -> go.Scatter:
    """Return the steps as a line with a mark at each; the first one is larger, the last one largest."""
    color, dashed, symbol = _INKS[name]
    return go.Scatter(
        x=path.points[:, 0], y=path.points[:, 1], mode="lines+markers",
        line={"color": color, "width": 2, "dash": dashed},
        marker={"color": color, "symbol": symbol, "size": [9, *[5] * (len(path.points) - 2), 13]},
        text=[f"step {step}, loss {loss:.3f}" for step, loss in enumerate(path.losses)],
        hovertemplate=f"{name}, %{{text}}<br>w %{{x:.2f}}, b %{{y:.2f}}<extra></extra>",
    )  # fmt: skip


def _losses(path: Descent, name: str) -> go.Scatter:
    color, dashed, _ = _INKS[name]
    return go.Scatter(
        x=np.arange(len(path.losses)), y=path.losses, name=name, mode="lines",
        line={"color": color, "width": 2, "dash": dashed}, xaxis="x2", yaxis="y2",
        hovertemplate="step %{x}: %{y:.3f}",
    )  # fmt: skip


def _columns(path: Descent) -> Mapping[str, np.ndarray]:
    """Return what a table says of a path: its norms are of the step that follows."""
    norms = np.append(path.norms, np.nan)
    return {"w": path.points[:, 0], "b": path.points[:, 1], "loss": path.losses, "gradient norm": norms}


def _alt(paths: Mapping[str, Descent]) -> str:
    sentences = ["Contours of a loss with a steep wall over two parameters, with two gradient-descent paths."]
    for name, path in paths.items():
        end = f"w {number(float(path.points[-1, 0]))}, b {number(float(path.points[-1, 1]))}"
        sentences.append(
            f"{name.capitalize()}: {len(path.norms)} steps, longest step {path.longest:.2g}, end at {end} with "
            f"loss {path.losses[-1]:.3f}; the largest gradient has norm {power(float(np.log10(path.norms.max())))}."
        )
    return " ".join(sentences)


class RunNorms(NamedTuple):
    """What a run's history says of its gradients: epochs from 1, mean norms, and the threshold, 0 for none."""

    run: str
    title: str
    epochs: Sequence[int]
    norms: Sequence[float]
    threshold: float


def norms_by_epoch(runs: Sequence[RunNorms], *, height: int = 260) -> FigureView:
    """Return the mean norm of the gradients of each epoch's steps before clipping, with the threshold as a line.

    Args:
        runs: with an epoch at least.
        height: of the figure, in pixels.
    """
    thresholds = sorted({one.threshold for one in runs if one.threshold})
    last = max(one.epochs[-1] for one in runs)
    traces = [
        go.Scatter(
            x=list(one.epochs), y=list(one.norms), name=escape(one.title), mode="lines+markers",
            line={"color": color, "width": 2.5}, hovertemplate="epoch %{x}: %{y:.2f}",
        )
        for one, color in zip(runs, cycle(theme.CATEGORIES), strict=False)
    ]  # fmt: skip
    traces += [
        go.Scatter(
            x=[1, last], y=[threshold] * 2, name=f"threshold {threshold:g}", mode="lines", hoverinfo="skip",
            line={"color": theme.MUTED, "width": 1.5, "dash": "dash"},
        )
        for threshold in thresholds
    ]  # fmt: skip
    drawn = direct_labels.figure(
        traces, height=height, x="epoch", y="mean gradient norm", yaxis={"rangemode": "tozero"},
        xaxis={"dtick": 1 if max(len(one.epochs) for one in runs) <= 14 else None},
        unnamed=() if len(runs) > 1 else [escape(runs[0].title)],
    )  # fmt: skip
    said = [
        f"{one.title}: from {one.norms[0]:.2f} in epoch {one.epochs[0]} to {one.norms[-1]:.2f} in epoch "
        f"{one.epochs[-1]}, {f'threshold {one.threshold:g}' if one.threshold else 'not clipped'}."
        for one in runs
    ]
    return FigureView(
        figure=drawn,
        alt=" ".join(["Mean gradient norm per epoch, before clipping.", *said]),
        table=table_of(
            ("run", "epoch", "mean gradient norm", "threshold"),
            [(one.run, list(one.epochs), list(one.norms), one.threshold) for one in runs],
        ),
        caption=provenance(", ".join(one.run for one in runs), "mean over the steps of an epoch, before clipping"),
        name="-".join([*(one.run for one in runs), "gradient-norms"]),
    )
