"""Optimisers on a loss surface of two parameters: their paths, which are played, and the loss after each step."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.feedforward.columns import columns, look
from nlpviz.figures.frames import Frame, Playback
from nlpviz.figures.log_axis import log_axis
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.descents import SurfacePath, SurfaceRace

_FRAMES = 40
_SHADES = ((0.0, theme.SURFACE), (1.0, theme.MAGNITUDE))
_FLOOR = 1e-12  # of a distance to the least loss on a logarithmic axis
_PACE = 120  # milliseconds


def surface_race(race: SurfaceRace, steps: int, *, height: int = 470) -> FigureView:
    """Return the paths on the surface and their losses beside it; the slider stops them at any step.

    Args:
        race: what was descended.
        steps: that were asked for.
        height: of the figure, in pixels.
    """
    axes, meta = columns(2, height, (0.58, 0.42))
    axes["xaxis"] |= {"range": list(race.x[[0, -1]]), "title": {"text": "x"}, "zeroline": False}
    axes["yaxis"] |= {"range": list(race.y[[0, -1]]), "title": {"text": "y"}, "zeroline": False}
    axes["xaxis2"] |= {"range": [0, steps], "title": {"text": "step"}, "zeroline": False}
    axes["yaxis2"] |= {"title": {"text": "loss above the minimum"}, **_decades(race)}
    ground = go.Contour(
        x=race.x, y=race.y, z=np.log10(race.losses - race.lowest + 0.01), opacity=0.5,
        ncontours=18, line={"width": 0.5}, colorscale=_SHADES, showscale=False, customdata=race.losses,
        hovertemplate="x %{x:.2f}, y %{y:.2f}: loss %{customdata:.3g}<extra></extra>",
    )  # fmt: skip
    shown = _stops(steps)
    drawn = direct_labels.figure(
        [ground, *_paths(race, steps)], height=height, meta=meta, uirevision=race.surface,
        main=[path.title for path in race.paths], **axes,
    )  # fmt: skip
    caption = provenance(
        f"{race.title} surface", f"{steps:,} steps",
        f"gradient noise {race.noise:g}" if race.noise else "exact gradients",
    )  # fmt: skip
    name = f"optimisers-{race.surface}"
    frames = tuple(
        Frame(str(stop), f"step {stop:,}", _paths(race, stop), {}, _alt(race, stop), caption, name) for stop in shown
    )
    playback = Playback(str(shown[-1]), 1, frames, verb="Play descent", noun="Step", pace=_PACE, stepped=True)
    return FigureView(drawn, _alt(race, steps), _table(race), caption, name, playback)


def _stops(steps: int) -> list[int]:
    """Return the steps at which the race is shown: each at first, then at even distances."""
    return sorted({0, *np.unique(np.linspace(0, steps, min(_FRAMES, steps) + 1).round().astype(int)).tolist()})


def _paths(race: SurfaceRace, upto: int) -> list[go.Scatter]:
    """Return for each optimiser its path, where it is, and its losses, up to a step."""
    traces = []
    for place, path in enumerate(race.paths):
        ink = look(place)
        points, losses = path.points[: upto + 1], np.maximum(path.losses[: upto + 1] - race.lowest, _FLOOR)
        line = {"color": ink["color"], "width": 2, "dash": ink["dash"]}
        ended = f"{path.title}, rate {path.rate:g}"
        traces += [
            go.Scatter(x=points[:, 0], y=points[:, 1], mode="lines", line=line, hoverinfo="skip"),
            go.Scatter(x=points[-1:, 0], y=points[-1:, 1], mode="markers",
                       marker={"color": ink["color"], "symbol": ink["symbol"], "size": 11,
                               "line": {"width": 1, "color": theme.SURFACE}},
                       hovertemplate=f"{ended}<br>x %{{x:.3f}}, y %{{y:.3f}}<extra></extra>"),
            go.Scatter(x=np.arange(len(losses), dtype=float), y=losses, mode="lines", line=line, xaxis="x2", yaxis="y2",
                       name=path.title,
                       hovertemplate=f"{path.title}, step %{{x}}: %{{y:.3g}}<extra></extra>"),
        ]  # fmt: skip
    return traces


def _decades(race: SurfaceRace) -> dict[str, Any]:
    """Return the axis of the losses, with a limit below which nobody looks."""
    losses = np.concatenate([path.losses for path in race.paths]) - race.lowest if race.paths else np.array([1.0])
    return log_axis(max(float(losses.min()), 1e-8), max(float(losses.max()), 1e-7))


def _alt(race: SurfaceRace, upto: int) -> str:
    said = [_said(race, path, upto) for path in race.paths]
    return f"Optimisers on the {race.title} surface after {upto:,} steps: {'; '.join(said) or 'none'}."


def _said(race: SurfaceRace, path: SurfacePath, upto: int) -> str:
    at = min(upto, len(path.losses) - 1)
    gone = f", and left the surface at step {at + 1:,}" if path.left and upto > at else ""
    return f"{path.title} (rate {path.rate:g}) {path.losses[at] - race.lowest:.2g} above the minimum{gone}"


def _table(race: SurfaceRace) -> Table:
    return table_of(
        ("optimiser", "rate", "step", "x", "y", "loss"),
        [
            (path.title, path.rate, range(len(path.losses)), *path.points.T.tolist(), path.losses.tolist())
            for path in race.paths
        ],
    )
