"""Maps of documents: one panel an epoch, every panel on the same axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, provenance
from nlpviz.projection import Projection
from nlpviz.runs import Run

COLORINGS = ("label", "probability", "correctness", "rating", "length")
_RIGHT, _WRONG = ("right", theme.CATEGORIES[2]), ("wrong", theme.CATEGORIES[4])
_SYMBOLS = ("circle", "diamond", "square", "cross")
_SVG_POINTS = 9000
_EDGE = {"showline": True, "mirror": True}


@dataclass(frozen=True)
class MapStyle:
    """What a map shows besides places.

    Attributes:
        color: one of :data:`COLORINGS`.
        selected: the id of the document to ring; None for none.
        height: of the figure, in pixels.
    """

    color: str = "label"
    selected: str | None = None
    height: int = 470


def document_map(run: Run, projections: Sequence[Projection], title: str, style: MapStyle) -> FigureView:
    """Return the maps of ``projections`` side by side.

    Args:
        run: whose documents.
        projections: of one projector and one number of dimensions, one for each epoch shown.
        title: what people call the projector.
        style: colours and marks.
    """
    count = len(projections)
    flat = projections[0].dimensions == 2
    drawn = theme.figure(height=style.height, showlegend=style.color in ("label", "correctness"))
    ranges = [_padded(np.concatenate([p.coordinates[:, axis] for p in projections])) for axis in range(2 + (not flat))]
    kind = _kind(projections[0].dimensions, count * len(run.documents.ids))
    for place, projection in enumerate(projections):
        left, right = _columns(place, count)
        for trace in _traces(run, projection, style, kind, first=place == 0):
            trace.update(
                {"scene": f"scene{place + 1}"} if not flat else {"xaxis": f"x{place + 1}", "yaxis": f"y{place + 1}"}
            )
            drawn.add_trace(trace)
        drawn.update_layout(_panel(place + 1, (left, right), ranges))
        drawn.add_annotation(
            text=_heading(run, projection), x=left, y=1, xref="paper", yref="paper", xanchor="left", yanchor="bottom",
            showarrow=False, font={"size": 14},
        )  # fmt: skip
    drawn.update_layout(
        uirevision=f"{run.name} {projections[0].projector} {projections[0].dimensions}",
        margin={"t": 64 if drawn.layout.showlegend else 40, "l": 8, "r": 8, "b": 8},
        legend={"y": 1.07},
    )
    epochs = ", ".join(str(projection.epoch) for projection in projections)
    return FigureView(
        figure=drawn,
        alt=_alt(run, projections, title, style),
        table=_table(run, projections),
        caption=provenance(run.name, f"epoch {epochs}", f"{title}, seed {projections[0].seed}"),
        name=f"{run.name}-{projections[0].projector}-{projections[0].dimensions}d-epoch-{epochs.replace(', ', '-')}",
    )


def _kind(dimensions: int, points: int) -> Any:  # noqa: ANN401 - Plotly has no types
    """Return the kind of trace: SVG is drawn first and moves best, WebGL bears more points."""
    if dimensions == 3:
        return go.Scatter3d
    return go.Scattergl if points > _SVG_POINTS else go.Scatter


def _traces(run: Run, projection: Projection, style: MapStyle, make: Callable[..., Any], *, first: bool) -> list[Any]:
    """Return the points of one panel: a trace for each category, or one along a scale; then the ring."""
    documents, places = run.documents, projection.coordinates
    size = 5.0 if projection.dimensions == 2 else 2.6
    probability = run.probabilities(projection.epoch)
    # numbers and ids, which travel packed: the words round them stand in the template, once
    hover = f"%{{customdata}}<br>P({run.class_names[-1]}) = %{{text:.2f}}<extra>%{{fullData.name}}</extra>"
    traces = []
    for group in _groups(run, probability, style.color):
        chosen = group.members
        traces.append(
            make(
                **_axes(places[chosen]),
                mode="markers",
                name=group.name,
                legendgroup=group.name,
                showlegend=first and bool(group.name),
                marker={
                    "size": size * (0.8 if group.look.get("symbol") == "diamond" else 1),
                    "opacity": 0.7,
                    **group.marker(first),
                },
                customdata=[documents.ids[place] for place in np.flatnonzero(chosen)],
                text=probability[chosen],
                hovertemplate=hover,
            )
        )
    ring = np.array([identifier == style.selected for identifier in documents.ids])
    ringed = {"size": size * 3, "symbol": "circle-open", "color": theme.INK, "line": {"width": 3, "color": theme.INK}}
    traces.append(
        make(**_axes(places[ring]), mode="markers", name="selected", showlegend=False, hoverinfo="skip", marker=ringed)
    )
    return traces


@dataclass(frozen=True)
class _Group:
    """Documents that are drawn alike."""

    name: str
    members: NDArray[np.bool_]
    look: dict[str, Any]

    def marker(self, first: bool) -> dict[str, Any]:
        """Return the points' look; only the first panel shows the scale."""
        return self.look | ({"showscale": first} if "colorscale" in self.look else {})


def _groups(run: Run, probability: NDArray[np.float32], color: str) -> list[_Group]:
    """Return the documents by what ``color`` names."""
    documents = run.documents
    everyone = np.ones(len(documents.ids), dtype=bool)
    if color == "label":
        colors = theme.CATEGORIES if len(run.class_names) > 2 else (theme.NEGATIVE, theme.POSITIVE)
        return [
            _Group(name, documents.labels == label, {"color": colors[label], "symbol": _SYMBOLS[label % 4]})
            for label, name in enumerate(run.class_names)
        ]
    if color == "correctness":
        right = (probability > 0.5) == (documents.labels == len(run.class_names) - 1)
        pairs = ((_RIGHT, right, "circle"), (_WRONG, ~right, "diamond"))
        return [_Group(name, members, {"color": hue, "symbol": mark}) for (name, hue), members, mark in pairs]
    values = {"probability": probability, "rating": documents.ratings, "length": np.log10(documents.lengths)}[color]
    bar: dict[str, Any] = {"title": {"text": _scale_title(run, color)}, "thickness": 12, "outlinewidth": 0, "len": 0.8}
    if color == "length":
        ticks = [value for value in (10, 30, 100, 300, 1000, 3000) if value <= documents.lengths.max() * 1.5]
        bar |= {"tickvals": np.log10(ticks), "ticktext": [f"{value:,}" for value in ticks]}
    scale = {"colorscale": theme.SIGNED_SCALE, "cmin": 0, "cmax": 1} if color == "probability" else {}
    look = {"color": values, "colorscale": theme.MAGNITUDE_SCALE, "colorbar": bar} | scale
    return [_Group("", everyone, look)]


def _scale_title(run: Run, color: str) -> str:
    names = {"probability": f"P({run.class_names[-1]})", "rating": "stars", "length": "tokens"}
    return names[color]


def _heading(run: Run, projection: Projection) -> str:
    """Return the line over a panel: the epoch and its numbers."""
    note = " (before training)" if projection.epoch == 0 else " (chosen)" if projection.epoch == run.best_epoch else ""
    return f"<b>Epoch {projection.epoch}</b>{note}"


def _axes(places: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
    return dict(zip("xyz", places.T, strict=False))


def _columns(place: int, count: int) -> tuple[float, float]:
    """Return where the panel at ``place`` of ``count`` begins and ends, 0 to 1."""
    gap = 0.03
    width = (1 - gap * (count - 1)) / count
    return place * (width + gap), place * (width + gap) + width


def _padded(values: NDArray[np.float32]) -> list[float]:
    room = 0.04 * float(np.ptp(values)) or 1.0
    return [float(values.min()) - room, float(values.max()) + room]


def _panel(number: int, columns: tuple[float, float], ranges: list[list[float]]) -> dict[str, Any]:
    """Return the layout of one panel's axes, which carry no ticks: a map has no units."""
    bare: dict[str, Any] = {
        "showticklabels": False,
        "zeroline": False,
        "title": {"text": ""},
        "showgrid": len(ranges) == 3,
    }
    if len(ranges) == 3:
        axes = {f"{name}axis": bare | {"range": limits} for name, limits in zip("xyz", ranges, strict=True)}
        return {f"scene{number}": {"domain": {"x": columns}, "aspectmode": "cube", **axes}}
    return {
        f"xaxis{number}": bare
        | _EDGE
        | {"domain": columns, "anchor": f"y{number}", "range": ranges[0], "matches": "x"},
        f"yaxis{number}": bare | _EDGE | {"anchor": f"x{number}", "range": ranges[1], "matches": "y"},
    }


def _alt(run: Run, projections: Sequence[Projection], title: str, style: MapStyle) -> str:
    numbers = "; ".join(
        f"epoch {p.epoch}: {p.purity:.0%} of the {p.neighbours} nearest neighbours share the label, "
        f"trustworthiness {p.trustworthiness:.2f}"
        for p in projections
    )
    return (
        f"{projections[0].dimensions}-D {title} map of {len(run.documents.ids):,} test reviews of {run.title}, "
        f"coloured by {style.color}. {numbers}."
    )


def _table(run: Run, projections: Sequence[Projection]) -> dict[str, Any]:
    documents = run.documents
    table: dict[str, Any] = {
        "id": documents.ids,
        "label": [run.class_names[label] for label in documents.labels],
        "stars": documents.ratings,
        "tokens": documents.lengths,
    }
    for projection in projections:
        table[f"P({run.class_names[-1]}), epoch {projection.epoch}"] = run.probabilities(projection.epoch)
        for axis, values in _axes(projection.coordinates).items():
            table[f"{axis}, epoch {projection.epoch}"] = values
    return table
