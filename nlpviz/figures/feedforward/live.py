"""Networks that learn a small problem while people watch: their curves, and what one of them makes of the plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.feedforward.columns import columns, look
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.feedforward import NetworkPoint

_CLASSES = (theme.POSITIVE, theme.NEGATIVE, theme.CATEGORIES[2])
_SYMBOLS = ("circle", "x", "diamond")
_HEIGHT = 440
_STILL = 0.05  # of the span of a loss: what changes less has settled


def race_curves(
    curves: Mapping[str, Sequence[NetworkPoint]], titles: Mapping[str, str], horizon: int, problem: str
) -> FigureView:
    """Return training loss and validation accuracy by step, a line for each network.

    The axes end a little after the step from which on nothing changes, at ``horizon`` at the latest.
    """
    axes, meta = columns(2, _HEIGHT, (0.4, 0.6))
    shown = _shown(curves, horizon)
    for suffix, title, form in (("", "training loss", ""), ("2", "accuracy on held-out points", ".0%")):
        axes[f"xaxis{suffix}"] |= {
            "title": {"text": "training steps"},
            "range": [-0.01 * shown, shown],
            "zeroline": False,
        }
        axes[f"yaxis{suffix}"] |= {"title": {"text": title}, "tickformat": form, "rangemode": "tozero"}
    axes["yaxis2"] |= {"range": [0, 1.02]}
    traces = []
    for place, (name, points) in enumerate(curves.items()):
        ink, title, at = look(place), escape(titles[name]), [point.step for point in points]
        for number, field, form in ((1, "train_loss", ".3f"), (2, "validation_accuracy", ".1%")):
            traces.append(
                go.Scatter(
                    x=at, y=[getattr(point, field) for point in points],
                    mode="lines" if len(points) > 2 else "lines+markers", name=title,
                    xaxis=f"x{number}", yaxis=f"y{number}",
                    line={"color": ink["color"], "dash": ink["dash"], "width": 2.5},
                    hovertemplate=f"{title}, step %{{x}}: %{{y:{form}}}<extra></extra>",
                )
            )  # fmt: skip
    rows = [(name, point) for name, points in curves.items() for point in points]
    said = [f"{titles[name]} {points[-1].validation_accuracy:.1%}" for name, points in curves.items() if points]
    return FigureView(
        figure=direct_labels.figure(traces, height=_HEIGHT, meta=meta, uirevision=problem, **axes),
        alt=f"Loss and accuracy by training step; accuracy now: {', '.join(said) or 'no network has been built yet'}.",
        table={
            "network": [titles[name] for name, _ in rows],
            "training steps": [point.step for _, point in rows],
            "training loss": [point.train_loss for _, point in rows],
            "accuracy on held-out points": [point.validation_accuracy for _, point in rows],
        },
        caption=provenance(problem, "300 training points, 200 held-out points", "one seed"),
        name="small-problem-curves",
    )


def _shown(curves: Mapping[str, Sequence[NetworkPoint]], horizon: int) -> float:
    """Return the last step of the axes: half as many again as until every loss stays near where it is now."""
    settled = 0
    for points in curves.values():
        known = [point for point in points if np.isfinite(point.train_loss)]
        losses = np.array([point.train_loss for point in known])
        moving = np.flatnonzero(np.abs(losses - losses[-1:]) > _STILL * np.ptp(losses)) if known else np.arange(0)
        settled = max(settled, known[moving[-1] + 1].step if len(moving) else 0)
    return float(min(max(1.5 * settled, 0.1 * horizon), horizon))


def regions(
    outputs: NDArray[np.floating], points: NDArray[np.floating], labels: NDArray[np.integer], title: str, problem: str
) -> FigureView:
    """Return the class that a network gives each place of the plane, paler where it is less sure, with the points.

    Args:
        outputs: (Y, X, K), over the square from −1 to 1.
        points: (N, 2), that it learns from.
        labels: (N,), their classes.
        title: of the network.
        problem: that it learns.
    """
    side, classes = np.linspace(-1, 1, outputs.shape[0]), outputs.shape[2]
    first = np.sort(outputs, axis=2)
    lead = first[..., -1] - first[..., -2]
    chosen = outputs.argmax(axis=2)
    traces: list[object] = [
        go.Heatmap(
            x=side, y=side, z=np.where(chosen == one, np.tanh(lead / 2), np.nan), zmin=0, zmax=1, showscale=False,
            colorscale=((0.0, theme.SURFACE), (1.0, _CLASSES[one])), opacity=0.45, hoverinfo="skip",
        )
        for one in range(classes)
    ]  # fmt: skip
    traces += [
        go.Scatter(
            x=points[labels == one, 0], y=points[labels == one, 1], mode="markers", name=f"class {one + 1}",
            marker={"color": _CLASSES[one], "symbol": _SYMBOLS[one], "size": 6},
            hovertemplate=f"class {one + 1}<br>%{{x:.2f}}, %{{y:.2f}}<extra></extra>",
        )
        for one in range(classes)
    ]  # fmt: skip
    drawn = theme.figure(
        traces, height=430, xaxis={"range": [-1, 1], "title": {"text": "x₁"}, "zeroline": False, "constrain": "domain"},
        yaxis={"range": [-1, 1], "title": {"text": "x₂"}, "zeroline": False, "scaleanchor": "x", "constrain": "domain"},
    )  # fmt: skip
    shares = ", ".join(f"class {one + 1} {(chosen == one).mean():.0%}" for one in range(classes))
    return FigureView(
        figure=drawn,
        alt=f"Share of the plane that {title} assigns to each class: {shares}.",
        table={"x₁": points[:, 0], "x₂": points[:, 1], "class": labels + 1},
        caption=provenance(problem, title, "deeper colour: larger margin of the predicted class"),
        name="small-problem-regions",
    )
