"""A map of a large corpus as density: each cell in the colour of its most frequent class, and some documents above."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import map_panels, theme
from nlpviz.figures.documents.density_still import still
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.density import DensityMap

HEIGHT = 640
_SYMBOLS = ("circle", "diamond", "square", "cross")
_TITLES = {"pca": "PCA", "tsne": "t-SNE"}


def density_map(shown: DensityMap) -> FigureView:
    """Return the map: cells by their most frequent class, the darker the more documents (logarithm), and a sample."""
    ranges = [[float(ends[0]), float(ends[-1])] for ends in (shown.x, shown.y)]
    named = bool(shown.colored)
    top = 32 if named else 4
    layout = map_panels.layout(1, ranges, top, 0.0, over=0) | map_panels.axes(1, map_panels.cell(0, 1, 0.0), ranges)
    drawn = theme.figure([_cells(shown), *_points(shown)], height=HEIGHT, showlegend=named, **layout)
    return FigureView(
        figure=drawn,
        alt=_alt(shown),
        table=_table(shown),
        caption=_caption(shown),
        name=shown.name,
        still=still(shown, _darkness(shown), [_color(shown, number) for number in range(len(shown.class_names))], top),
    )


def _darkness(shown: DensityMap) -> NDArray[np.float64]:
    """Return how dark each cell is, 0 to 1: the logarithm of its documents beside that of the fullest one."""
    total = shown.counts.sum(axis=0)
    darkness: NDArray[np.float64] = np.log1p(total) / np.log1p(max(total.max(), 1))
    return darkness


def _cells(shown: DensityMap) -> go.Heatmap:
    """Return the cells as one heatmap: a class's numbers lie between its index and the next one."""
    total, classes = shown.counts.sum(axis=0), len(shown.class_names)
    values = np.where(total > 0, shown.leading + 0.999 * _darkness(shown), np.nan)
    scale: list[tuple[float, str]] = []
    for number in range(classes):
        scale += [(number / classes, theme.MIDDLE), ((number + 0.9999) / classes, _color(shown, number))]
    return go.Heatmap(
        x=shown.x,
        y=shown.y,
        z=values.astype(np.float32),
        zmin=0,
        zmax=classes,
        colorscale=[*scale[:-1], (1.0, scale[-1][1])],
        showscale=False,
        hovertext=_said(shown, total),
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
        name="density",
    )


def _said(shown: DensityMap, total: NDArray[np.int64]) -> list[list[str]]:
    """Return what is said of each cell; nothing of an empty one."""
    names = [escape(name) for name in shown.class_names]
    rows = []
    for counts, leading in zip(total.tolist(), shown.leading.tolist(), strict=True):
        rows.append(
            [_of_cell(count, names[best] if count else "") for count, best in zip(counts, leading, strict=True)]
        )
    return rows


def _of_cell(count: int, leading: str) -> str:
    many = f"{count:,} document{'s' * (count != 1)}" if count else ""
    return f"{many}, most often {leading}" if leading else many


def _points(shown: DensityMap) -> list[go.Scatter]:
    """Return the sample, a trace for each class; as SVG, since WebGL evaluates code, which a page's policy forbids."""
    traces = []
    for number, name in enumerate(shown.class_names):
        chosen = shown.sample_classes == number
        look: dict[str, Any] = {"color": _color(shown, number), "symbol": _SYMBOLS[number % len(_SYMBOLS)]}
        traces.append(
            go.Scatter(
                x=shown.sample[chosen, 0],
                y=shown.sample[chosen, 1],
                mode="markers",
                name=escape(name),
                customdata=shown.sample_rows[chosen].astype(np.int32),
                marker={"size": 5, "line": {"width": 0.6, "color": theme.SURFACE}} | look,
                hovertemplate="row %{customdata:,}<extra>%{fullData.name}</extra>",
            )
        )
    return traces


def _color(shown: DensityMap, number: int) -> str:
    """Return a class's colour: those of a sign where there are two that have one."""
    signs = {"positive": theme.POSITIVE, "negative": theme.NEGATIVE}
    if set(shown.class_names) == set(signs):
        return signs[shown.class_names[number]]
    return theme.CATEGORIES[number % len(theme.CATEGORIES)]


def _alt(shown: DensityMap) -> str:
    totals = shown.counts.sum(axis=(1, 2))
    classes = ", ".join(f"{name} {count:,}" for name, count in zip(shown.class_names, totals.tolist(), strict=True))
    by = f" By {shown.colored}: {classes}." if shown.colored else ""
    return (
        f"{_TITLES[shown.projector]} map of {shown.documents:,} documents, shown as density in "
        f"{shown.leading.shape[1]} by {shown.leading.shape[0]} cells, with a sample of {len(shown.sample):,} of them "
        f"as points.{by} Trustworthiness, measured on {shown.measured:,} documents: {shown.trustworthiness:.2f}."
    )


def _caption(shown: DensityMap) -> str:
    """Return the provenance."""
    perplexity = f" perplexity {shown.perplexity:g}" if shown.perplexity is not None else ""
    placed = (
        f", fitted on {shown.fitted:,} (the others were placed afterwards)" if shown.fitted < shown.documents else ""
    )
    parts = [f"{_TITLES[shown.projector]}{perplexity}, seed {shown.seed}{placed}", f"{shown.documents:,} documents"]
    dark = f"darker: more documents per cell (log scale), at most {shown.counts.sum(axis=0).max():,}"
    return provenance(*([shown.run] if shown.run else []), *parts, dark)


def _table(shown: DensityMap) -> Table:
    """Return the cells with documents: where they are, and how many of each class they hold."""
    rows, columns = np.nonzero(shown.counts.any(axis=0))
    middle = [(ends[1:] + ends[:-1]) / 2 for ends in (shown.x, shown.y)]
    table: Table = {"x": middle[0][columns], "y": middle[1][rows]}
    for number, name in enumerate(shown.class_names):
        table[f"documents, {name}" if name else "documents"] = shown.counts[number, rows, columns]
    return table
