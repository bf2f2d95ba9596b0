"""The plane through the epochs with the path on it, and the true loss of each epoch beside that of its projection."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.feedforward.columns import columns, look
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.descents import EpochPlane

_SHADES = ((0.0, theme.SURFACE), (1.0, theme.MAGNITUDE))


def epoch_plane(plane: EpochPlane, titles: Mapping[str, str], *, height: int = 470) -> FigureView:
    """Return the loss on the plane with the epochs as numbered marks; beside it both losses by epoch.

    Args:
        plane: through the epochs.
        titles: of the optimisers.
        height: of the figure, in pixels.
    """
    axes, meta = columns(2, height, (0.58, 0.42))
    first, second = plane.share
    axes["xaxis"] |= {"title": {"text": f"first component ({first:.0%} of the variance)"}, "zeroline": False}
    axes["yaxis"] |= {"title": {"text": f"second component ({second:.0%})"}, "zeroline": False}
    axes["xaxis2"] |= {"title": {"text": "epoch"}, "zeroline": False}
    axes["yaxis2"] |= {"title": {"text": "loss, nats (dotted: projected)"}, "rangemode": "tozero"}
    hidden = np.log10(np.maximum(plane.losses, 1e-6))
    traces: list[go.Contour | go.Scatter] = [
        go.Contour(
            x=plane.along, y=plane.across, z=hidden, customdata=plane.losses, colorscale=_SHADES, showscale=False,
            opacity=0.5, ncontours=18, line={"width": 0.5},
            hovertemplate="loss on the plane %{customdata:.3f} nats<extra></extra>",
        )
    ]  # fmt: skip
    for place, name in enumerate(plane.paths):
        traces += _of_one(plane, name, titles.get(name, name), place)
    drawn = direct_labels.figure(traces, height=height, meta=meta, uirevision=plane.name, **axes)
    return FigureView(
        figure=drawn,
        alt=_alt(plane, titles),
        table=_table(plane, titles),
        caption=provenance(
            "20 Newsgroups, bag of words", "seed 0", "plane of the first two principal components of the weights"
        ),
        name=f"plane-{plane.name}",
    )


def _of_one(plane: EpochPlane, name: str, title: str, place: int) -> list[go.Scatter]:
    ink, path, epochs = look(place), plane.paths[name], np.arange(len(plane.paths[name]))
    alone = len(plane.paths) == 1
    both = [
        f"{title}, epoch {epoch}<br>true loss {true:.3f}, projected {projected:.3f}"
        for epoch, true, projected in zip(epochs, plane.true[name], plane.projected[name], strict=True)
    ]
    on_plane = go.Scatter(
        x=path[:, 0], y=path[:, 1], mode="lines+markers+text" if alone else "lines+markers",
        text=[str(epoch) for epoch in epochs], textposition="top center",
        line={"color": ink["color"], "width": 2}, marker={"color": ink["color"], "symbol": ink["symbol"], "size": 8},
        hovertext=both, hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip
    lines = [
        go.Scatter(
            x=epochs, y=values, xaxis="x2", yaxis="y2", mode="lines+markers",
            name=what if alone else title if what == "true" else None,
            line={"color": theme.MUTED if alone and what != "true" else ink["color"], "width": 2.5, "dash": dash},
            marker={"size": 6, "symbol": "circle" if dash == "solid" else "circle-open"}, hovertext=both,
            hovertemplate="%{hovertext}<extra></extra>",
        )
        for what, values, dash in (("true", plane.true[name], "solid"), ("projected", plane.projected[name], "dot"))
    ]  # fmt: skip
    return [on_plane, *lines]


def _alt(plane: EpochPlane, titles: Mapping[str, str]) -> str:
    said = [
        f"{titles.get(name, name)}: true loss from {plane.true[name][0]:.3f} to {plane.true[name][-1]:.3f}, projected "
        f"from {plane.projected[name][0]:.3f} to {plane.projected[name][-1]:.3f}"
        for name in plane.paths
    ]
    return f"Weight trajectories on a plane that explains {sum(plane.share):.0%} of the variance. {'; '.join(said)}."


def _table(plane: EpochPlane, titles: Mapping[str, str]) -> Table:
    rows = [(name, epoch) for name, path in plane.paths.items() for epoch in range(len(path))]
    return {
        "optimiser": [titles.get(name, name) for name, _ in rows],
        "epoch": [epoch for _, epoch in rows],
        "first component": [float(plane.paths[name][epoch, 0]) for name, epoch in rows],
        "second component": [float(plane.paths[name][epoch, 1]) for name, epoch in rows],
        "true loss, nats": [float(plane.true[name][epoch]) for name, epoch in rows],
        "projected loss, nats": [float(plane.projected[name][epoch]) for name, epoch in rows],
    }
