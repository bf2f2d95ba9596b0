"""What losses and activations are: lines of a function and of its derivative."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import direct_labels
from nlpviz.figures.feedforward.columns import columns, look
from nlpviz.figures.view import FigureView, provenance

Limits = tuple[tuple[float, float] | None, tuple[float, float] | None]
Lines = Mapping[str, tuple[NDArray[np.floating], NDArray[np.floating]]]
"""By title: values and derivatives, (N,) each."""


def loss_curves(z: NDArray[np.floating], lines: Lines) -> FigureView:
    """Return losses of two outputs, z (N,) and 0, where the first class is right, beside their derivatives by z."""
    return _functions(
        z,
        lines,
        "z, output of the correct class; the other output is 0",
        ("loss", "derivative with respect to z"),
        "Losses for two outputs",
        limits=((-0.2, 9.0), (-2.2, 2.2)),
    )


def activation_curves(z: NDArray[np.floating], lines: Lines) -> FigureView:
    """Return activations of sums z (N,) beside their derivatives."""
    return _functions(z, lines, "z, input of a unit", ("g(z)", "g′(z)"), "Activations")


def _functions(
    at: NDArray[np.floating],
    lines: Lines,
    axis: str,
    names: tuple[str, str],
    about: str,
    *,
    limits: Limits = (None, None),
) -> FigureView:
    """Return two panels: functions, and their derivatives.

    Args:
        at: (N,), where they were computed.
        lines: by title: values and derivatives, (N,) each.
        axis: what ``at`` is.
        names: what is drawn in each panel.
        about: whose functions they are, for the caption.
        limits: what is shown of each panel's values; None for all.
    """
    axes, meta = columns(2, 380)
    traces = []
    for number, title in enumerate(names, start=1):
        suffix = "" if number == 1 else "2"
        axes[f"xaxis{suffix}"] |= {"title": {"text": axis}}
        axes[f"yaxis{suffix}"] |= {"title": {"text": title}, "range": limits[number - 1]}
        for place, (name, both) in enumerate(lines.items()):
            ink = look(place)
            traces.append(
                go.Scatter(
                    x=at, y=both[number - 1], mode="lines", name=name,
                    xaxis=f"x{suffix}", yaxis=f"y{suffix}",
                    line={"color": ink["color"], "dash": ink["dash"], "width": 2.2},
                    hovertemplate=f"{name} at %{{x:.2f}}: %{{y:.3f}}<extra></extra>",
                )
            )  # fmt: skip
    middle = int(np.abs(at).argmin())
    said = [f"{name} {both[0][middle]:.2f}, slope {both[1][middle]:.2f}" for name, both in lines.items()]
    columns_of = {f"{name}, {names[side]}": both[side] for name, both in lines.items() for side in (0, 1)}
    return FigureView(
        figure=direct_labels.figure(traces, height=380, meta=meta, **axes),
        alt=f"{about} and their derivatives; at {at[middle]:.0f}: {'; '.join(said)}.",
        table={axis: at, **columns_of},
        caption=provenance(about),
        name=about.split(maxsplit=1)[0].lower(),
    )
