"""A text inferred several times as a cloud on a map of documents, and how sure its place is by epoch."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.documents import RunDocuments
from nlpviz.results.inferred import Inferred
from nlpviz.results.projection import Projection

HEIGHT = 520


def cloud_on_map(
    inferred: Inferred,
    places: NDArray[np.float32],
    projection: Projection,
    documents: RunDocuments,
    title: str,
) -> FigureView:
    """Return a map of documents with the places of a text that was inferred M times.

    Args:
        inferred: the M inferences.
        places: (M, 2), where each lies on the map.
        projection: the map, two-dimensional, of the same epoch.
        documents: that are on it.
        title: what people call the projector.
    """
    made = [_documents(documents, projection, label) for label in range(len(inferred.class_names))]
    drawn = theme.figure([*made, *_cloud(inferred, places)], height=HEIGHT, hovermode="closest")
    drawn.update_layout(
        xaxis={"showticklabels": False},
        yaxis={"showticklabels": False, "scaleanchor": "x"},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "itemsizing": "constant"},
        uirevision=f"{inferred.run} {inferred.epoch} {projection.projector}",
    )
    position, often = inferred.commonest
    return FigureView(
        figure=drawn,
        alt=f"A text inferred {inferred.times} times by {inferred.title} at epoch {inferred.epoch}, on the {title} map "
        f"of {len(projection.coordinates):,} documents. The median distance between inferences is "
        f"{inferred.spread:.2f} times that between documents; the nearest document is most often "
        f"{documents.ids[position]} ({often} times).",
        table=_table(inferred, places, documents),
        caption=provenance(
            inferred.run,
            f"epoch {inferred.epoch}",
            f"seeds 0 to {inferred.times - 1}",
            f"{title}, 2-D, seed {projection.seed}",
        ),
        name=f"{inferred.run}-epoch-{inferred.epoch}-inferred",
    )


def _table(inferred: Inferred, places: NDArray[np.float32], documents: RunDocuments) -> Table:
    likeliest = inferred.probabilities.argmax(axis=1)
    return {
        "seed": list(range(inferred.times)),
        "x": [float(place) for place in places[:, 0]],
        "y": [float(place) for place in places[:, 1]],
        "predicted": [inferred.class_names[label] for label in likeliest],
        "probability": [float(row[label]) for row, label in zip(inferred.probabilities, likeliest, strict=True)],
        "nearest document": [documents.ids[position] for position in inferred.nearest[:, 0]],
    }


def _documents(documents: RunDocuments, projection: Projection, label: int) -> Any:  # noqa: ANN401 - Plotly has no types
    """Return the documents of one class, small and faint."""
    drawn = projection.positions
    own = documents.labels[drawn] == label
    return go.Scatter(
        x=projection.coordinates[own, 0],
        y=projection.coordinates[own, 1],
        mode="markers",
        name=escape(documents.class_names[label]),
        customdata=[documents.ids[position] for position in drawn[own]],
        marker={"size": 5, "opacity": 0.35, **_look(label, len(documents.class_names))},
        hovertemplate="%{customdata}<extra>%{fullData.name}</extra>",
    )


def _cloud(inferred: Inferred, places: NDArray[np.float32]) -> list[Any]:
    """Return the inferences, a trace for each class that is predicted, and their mean."""
    likeliest, result = inferred.probabilities.argmax(axis=1), []
    for label, name in enumerate(inferred.class_names):
        own = np.flatnonzero(likeliest == label)
        if not len(own):
            continue
        result.append(
            go.Scatter(
                x=places[own, 0],
                y=places[own, 1],
                mode="markers",
                name=f"inferred: {escape(name)}",
                text=[f"seed {seed}: {inferred.probabilities[seed, label]:.0%} {escape(name)}" for seed in own],
                marker={
                    "size": 13,
                    "line": {"width": 2, "color": theme.INK},
                    **_look(label, len(inferred.class_names)),
                },
                hovertemplate="%{text}<extra></extra>",
            )
        )
    middle = places.mean(axis=0)
    mark = {"symbol": "x-thin", "size": 16, "line": {"width": 3, "color": theme.INK}}
    result.append(
        go.Scatter(
            x=middle[:1], y=middle[1:2], mode="markers", name="their mean", marker=mark,
            hovertemplate="mean of the inferred positions<extra></extra>",
        )
    )  # fmt: skip
    return result


def _look(label: int, classes: int) -> dict[str, str]:
    if classes == 2:
        return {"color": (theme.NEGATIVE, theme.POSITIVE)[label], "symbol": ("circle", "diamond")[label]}
    return {"color": theme.CATEGORIES[label % len(theme.CATEGORIES)], "symbol": "circle"}


def sureness_by_epoch(clouds: Sequence[Inferred], *, height: int = 260) -> FigureView:
    """Return how far inferences of one text lie apart, and how many neighbours they share, epoch by epoch.

    Args:
        clouds: of one run and one text, an epoch each, ascending.
        height: of the figure, in pixels.
    """
    epochs = [one.epoch for one in clouds]
    lines = (
        (
            "distance between inferences / between documents",
            [one.spread for one in clouds],
            theme.MUTED,
            "dot",
            "diamond",
        ),
        ("nearest neighbours in common", [one.shared for one in clouds], theme.POSITIVE, "solid", "circle"),
        ("same class", [int(one.votes.max()) / one.times for one in clouds], theme.CATEGORIES[2], "dash", "square"),
    )
    made = [
        go.Scatter(
            x=epochs, y=values, name=name, mode="lines+markers", line={"color": color, "dash": dash, "width": 2.5},
            marker={"symbol": symbol, "size": 8, "color": color}, hovertemplate="%{y:.2f}",
        )
        for name, values, color, dash, symbol in lines
    ]  # fmt: skip
    drawn = theme.figure(made, height=height, x="epoch", hovermode="x unified")
    drawn.update_layout(xaxis={"tickvals": epochs}, yaxis={"rangemode": "tozero"}, margin={"t": 36, "b": 46})
    first, last = clouds[0], clouds[-1]
    said = "; ".join(f"{name} {values[0]:.2f} at epoch {epochs[0]}, {values[-1]:.2f} at epoch {epochs[-1]}"
                     for name, values, *_ in lines)  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=f"A text inferred {last.times} times by {last.title} at each stored epoch: {said}.",
        table={"epoch": epochs} | {name: values for name, values, *_ in lines},
        caption=provenance(first.run, f"seeds 0 to {first.times - 1}", f"{first.nearest.shape[1]} nearest documents"),
        name=f"{first.run}-inferred-by-epoch",
    )
