"""Maps of documents: one panel an epoch or run, every panel on the same axes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from nlpviz.figures import map_panels, theme
from nlpviz.figures.points import COLORINGS, MapStyle, axes, members, own_mark, trace_kind, traces
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.projection import Projection
from nlpviz.runs import Run
from nlpviz.runs.documents import documents_of, probabilities_of, projections_of

__all__ = ["COLORINGS", "MapStyle", "checkpoint_name", "document_map"]


def document_map(
    run: Run, projections: Sequence[Projection], title: str, style: MapStyle, others: Sequence[Run] = ()
) -> FigureView:
    """Return the maps of ``projections`` side by side; more than two stand in rows of two.

    Args:
        run: whose documents.
        projections: of one projector, one number of dimensions and the same documents, in the order of the panels.
        title: what people call the projector.
        style: colours and marks.
        others: runs besides ``run`` that some of the projections are of.
    """
    runs = {known.name: known for known in (run, *others)}
    first, height = projections[0], map_panels.whole_height(len(projections), style.height)
    drawn = theme.figure(height=height, showlegend=style.color in ("label", "correctness") or bool(style.placed))
    top = map_panels.HEADING + (32 if drawn.layout.showlegend else 4)
    heading = map_panels.HEADING / (height - top)
    ranges = _ranges(_framed(run, projections, style), style)
    kind = trace_kind(first.dimensions, sum(len(projection.coordinates) for projection in projections))
    for place, projection in enumerate(projections):
        marks = traces(runs[projection.run], projection, style, kind, first=place == 0)
        if style.placed:
            marks.append(own_mark(style.placed[place], kind, first=place == 0))
        domain = map_panels.cell(place, len(projections), heading)
        map_panels.add(drawn, place + 1, marks, domain, ranges)
        over = _heading(runs[projection.run], projection, several=len(_runs(projections)) > 1)
        drawn.add_annotation(map_panels.title(domain, over))
    view = f"{run.name} {first.projector} {first.dimensions} {first.alone}"
    drawn.update_layout(uirevision=view, **map_panels.layout(len(projections), ranges, top, heading))
    return FigureView(
        figure=drawn,
        alt=_alt(runs, projections, title, style),
        table=_table(runs, projections),
        caption=_caption(projections, title, every_epoch=style.every_epoch),
        name=_file_name(run, projections),
    )


def checkpoint_name(run: Run, projection: Projection, *, several: bool) -> str:
    """Return what people call the epoch of a map, with its run where there are several: ``"imdb-cnn, epoch 6"``."""
    note = " (before training)" if projection.epoch == 0 else " (chosen)" if projection.epoch == run.best_epoch else ""
    return f"{run.name}, epoch {projection.epoch}" if several else f"epoch {projection.epoch}{note}"


def _runs(projections: Sequence[Projection]) -> list[str]:
    """Return the names of the runs shown, the first panel's first."""
    return list(dict.fromkeys(projection.run for projection in projections))


def _framed(run: Run, projections: Sequence[Projection], style: MapStyle) -> Sequence[Projection]:
    """Return the maps that the axes must have room for."""
    if not style.every_epoch:
        return projections
    kind = (projections[0].projector, projections[0].dimensions, projections[0].alone)
    return [one for one in projections_of(run) if (one.projector, one.dimensions, one.alone) == kind]


def _ranges(projections: Sequence[Projection], style: MapStyle) -> list[list[float]]:
    """Return the limits of each axis, which all panels share."""
    dimensions = projections[0].dimensions
    everything = [projection.coordinates for projection in projections]
    if style.placed:
        everything.append(np.array(style.placed, dtype=np.float32))
    return [map_panels.padded(np.concatenate([places[:, axis] for places in everything])) for axis in range(dimensions)]


def _heading(run: Run, projection: Projection, *, several: bool) -> str:
    """Return what stands over a panel: the epoch, and under it the run where there are several, or what it is."""
    _, _, note = checkpoint_name(run, projection, several=False).partition(" (")
    return f"<b>Epoch {projection.epoch}</b><br>{escape(run.name) if several else note.rstrip(')')}"


def _alt(runs: dict[str, Run], projections: Sequence[Projection], title: str, style: MapStyle) -> str:
    several = len(_runs(projections)) > 1
    numbers = "; ".join(
        f"{checkpoint_name(runs[p.run], p, several=several)}: {p.purity:.0%} of the {p.neighbours} nearest neighbours "
        f"share the label, silhouette {p.silhouette:.2f}, trustworthiness {p.trustworthiness:.2f}"
        for p in projections
    )
    titles = " and ".join(runs[name].title for name in _runs(projections))
    mark = "star" if projections[0].dimensions == 2 else "cross"
    placed = f" A {mark} marks the visitor's own review." if style.placed else ""
    return (
        f"{projections[0].dimensions}-D {title} map of {len(projections[0].coordinates):,} test reviews of {titles}, "
        f"coloured by {style.color}. {numbers}.{placed}"
    )


def _caption(projections: Sequence[Projection], title: str, *, every_epoch: bool) -> str:
    """Return the provenance: runs and epochs, how the maps were fitted, and how they were made comparable."""
    first, names = projections[0], _runs(projections)
    shown = [f"{name} epoch {', '.join(str(p.epoch) for p in projections if p.run == name)}" for name in names]
    perplexity = f", perplexity {first.perplexity:g}" if first.perplexity is not None else ""
    sample = f", a sample of {len(first.coordinates):,}" if first.members is not None else ""
    how = [first.comparable.rstrip(".")] if len(projections) > 1 or every_epoch else []
    if len(names) > 1 and not first.alone:
        how.append(f"{', '.join(names[1:])} turned onto {names[0]} (Procrustes)")
    return provenance(*shown, f"{title}{perplexity}, seed {first.seed}{sample}", *how)


def _file_name(run: Run, projections: Sequence[Projection]) -> str:
    epochs = "-".join(str(projection.epoch) for projection in projections)
    alone = "-alone" if projections[0].alone else ""
    return f"{run.name}-{projections[0].projector}-{projections[0].dimensions}d{alone}-epoch-{epochs}"


def _table(runs: dict[str, Run], projections: Sequence[Projection]) -> dict[str, Any]:
    run = runs[projections[0].run]
    documents, drawn = documents_of(run), members(run, projections[0])
    table: dict[str, Any] = {
        "id": [documents.ids[place] for place in drawn],
        "label": [run.class_names[label] for label in documents.labels[drawn]],
        "stars": documents.ratings[drawn],
        "tokens": documents.lengths[drawn],
    }
    several = len(_runs(projections)) > 1
    for projection in projections:
        run = runs[projection.run]
        name = f"{run.name}, epoch {projection.epoch}" if several else f"epoch {projection.epoch}"
        table[f"P({run.class_names[-1]}), {name}"] = probabilities_of(run, projection.epoch)[members(run, projection)]
        for axis, values in axes(projection.coordinates).items():
            table[f"{axis}, {name}"] = values
    return table
