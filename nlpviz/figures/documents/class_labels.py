"""The names of the classes, written on a map where each class lies: no legend is looked up, and none is too long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.figures import map_panels, theme
from nlpviz.figures.class_names import short_names
from nlpviz.figures.map_labels import Label, PanelPoints, annotation, filling, fitting, shadow, to_scale
from nlpviz.figures.phone import NARROW
from nlpviz.figures.points import FEW, class_colors
from nlpviz.results.documents import RunDocuments
from nlpviz.results.projection import Projection

_ONE, _SEVERAL = (330.0, 2400.0), (150.0, 650.0)
"""Pixels: the least and the largest width of a panel alone, and of one beside another."""
_HIGHEST = 1200.0
"""Pixels that a panel alone may grow to in height."""
_TAG = {"bgcolor": f"rgba({','.join(str(one) for one in bytes.fromhex(theme.SURFACE[1:]))},0.85)", "borderwidth": 1.5}
"""Round the name of one of a few classes, with a border in the colour of its points."""
_WIDE: dict[str, Any] = {"name": "where wide"}
_NARROW: dict[str, Any] = {"name": "where narrow", "visible": False}
"""What marks a label of a flat map that is drawn in a wide or in a narrow figure alone (nlpviz/ui/plotly_fit.js)."""


def class_labels(
    documents: RunDocuments,
    projection: Projection,
    ranges: Sequence[Sequence[float]],
    height: float,
    *,
    several: bool,
) -> list[dict[str, Any]]:
    """Return the names of the classes as annotations, each at the median of its documents; axes are to be added.

    Of names that would touch, that of the class whose documents lie closest together stays; a narrow figure has fewer.

    Args:
        documents: of the run.
        projection: the map.
        ranges: the limits of its axes.
        height: of the panel, in pixels.
        several: whether panels stand side by side.
    """
    present, medians = _medians(documents.labels[projection.positions], projection.coordinates)
    short = short_names(documents.class_names)
    many, colors = len(short) > FEW, class_colors(documents.class_names)
    names = [f"{short[label]} {documents.document}s" if len(short) == 2 else short[label] for label in present]
    least, largest = _SEVERAL if several else _ONE
    between = NARROW / (map_panels.IN_A_ROW if several else 1)

    def labels(widths: tuple[float, float], highest: float = height, led: int = 0) -> list[Label]:
        return fitting(_panel(medians, ranges, widths, (height, highest)), names, len(names), over=True, led=led)

    def written(label: Label) -> dict[str, Any]:
        at = medians[label.position].tolist()
        drawn = annotation(label, names[label.position], at, bold=True)
        return drawn if many else drawn | _TAG | {"bordercolor": colors[present[label.position]]}

    if projection.dimensions == 3:  # a scene is turned and zoomed: its names are those that fit everywhere at first
        return [written(label) for label in labels((least, largest))]
    slim = labels((least, between))
    wide = labels((between, largest), height if several else _HIGHEST, len(names))
    return [
        *(written(label) for label in wide if label in slim),
        *(written(label) | _WIDE for label in wide if label not in slim),
        *(written(label) | _NARROW for label in slim if label not in wide),
    ]


def _medians(labels: NDArray[np.integer], positions: NDArray[np.float32]) -> tuple[list[int], NDArray[np.float64]]:
    """Return the classes that are there, those whose documents lie closest together first, and where each lies."""
    places: dict[int, NDArray[np.float64]] = {}
    spreads: dict[int, float] = {}
    for label in np.unique(labels).tolist():
        own = positions[labels == label].astype(np.float64)
        places[label] = np.median(own, axis=0)
        spreads[label] = float(np.median(np.linalg.norm(own - places[label], axis=1)))
    ranked = sorted(places, key=spreads.__getitem__)
    return ranked, np.array([places[label] for label in ranked])


def _panel(
    points: NDArray[np.float64],
    ranges: Sequence[Sequence[float]],
    widths: tuple[float, float],
    heights: tuple[float, float],
) -> PanelPoints:
    """Return the panel in pixels; in three dimensions as the camera sees it first."""
    if len(ranges) == 2:
        return to_scale(points, ranges, widths, heights)
    shares = (points - np.min(ranges, axis=1)) / np.ptp(ranges, axis=1)
    return filling(shadow(0.5 + (shares - 0.5) * map_panels.sides(ranges)), widths, heights[0])
