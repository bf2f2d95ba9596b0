"""Maps of documents: one panel an epoch or run, every panel on the same axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any, NamedTuple

import numpy as np

from nlpviz.figures import map_panels, theme
from nlpviz.figures.documents.class_labels import class_labels
from nlpviz.figures.frames import Frame, FrameTrace, Playback
from nlpviz.figures.points import (
    BY_CATEGORY,
    COLORINGS,
    MapStyle,
    axes,
    class_shown,
    names_on_map,
    own_mark,
    probability_shown,
    trace_kind,
    traces,
)
from nlpviz.figures.run_titles import title_of
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.documents import RunDocuments
from nlpviz.results.projection import Projection
from nlpviz.results.trust import trust_of

__all__ = ["COLORINGS", "MapStyle", "checkpoint_name", "document_map"]

_FAINT = 0.5
"""Opacity of what is written on a map that stands in for another one."""


def document_map(
    documents: Sequence[RunDocuments],
    projections: Sequence[Projection],
    title: str,
    style: MapStyle,
    framed: Sequence[Projection] = (),
) -> FigureView:
    """Return the maps of ``projections`` side by side; more than two stand in rows of two.

    Args:
        documents: of every run that some of the projections are of, the first one's first.
        projections: of one projector, one number of dimensions and the same documents, in the order of the panels.
        title: what people call the projector.
        style: colours and marks.
        framed: maps that the axes must have room for besides, of all kept epochs or none; with ``style.play`` those
            that the browser plays, of the last panel's run and in their order.
    """
    runs = {one.run: one for one in documents}
    first, height = projections[0], map_panels.whole_height(len(projections), style.height)
    alone = len(projections) == 1
    named = any(names_on_map(one, style) for one in documents)
    legend = (style.color in BY_CATEGORY and not named) or (bool(style.placed) and not style.named)
    over = map_panels.ONE_LINE if alone else map_panels.HEADING
    top = over + (32 if legend else 4)
    heading = over / (height - top)
    ranges = _ranges([*projections, *framed], style)
    points = sum(len(projection.coordinates) for projection in projections)
    kind = trace_kind(first.dimensions, points, regrouped=style.play and style.color == "correctness")
    asked = _Asked(runs, projections, title, style, ranges, height - top - map_panels.BELOW, heading)
    shown: list[Any] = []
    axes: dict[str, Any] = {}
    notes: list[dict[str, Any]] = []
    for position, projection in enumerate(projections):
        place = style.placed[position] if style.placed else None
        marks = _marks(runs[projection.run], projection, style, kind, place, ranges, first=position == 0)
        shown += map_panels.in_panel(marks, position + 1, first.dimensions)
        axes |= map_panels.axes(position + 1, asked.domain(position), ranges, alone=alone)
        written = _written(asked, projection, position)
        notes += written.notes
        for scene, words in written.scenes.items():
            axes[scene] |= words
    if style.outdated:
        notes.append(map_panels.outdated(shown, style.outdated))
    layout = map_panels.layout(len(projections), ranges, top, heading, over=over, grows=alone) | axes
    layout["uirevision"] = f"{documents[0].run} {first.projector} {first.dimensions} {first.alone}"
    drawn = theme.figure(shown, height=height, showlegend=legend, annotations=notes, **layout)
    view = FigureView(
        figure=drawn,
        alt=_alt(runs, projections, title, style),
        table=_table(runs, projections, style.target),
        caption=_caption(projections, title, several=len(projections) > 1 or bool(framed)),
        name=_file_name(documents[0].run, projections),
    )
    return replace(view, playback=_playback(view, asked, framed))


class _Asked(NamedTuple):
    """What :func:`document_map` was asked for, and what follows from it for all panels.

    Attributes:
        runs: the documents by the name of their run.
        projections: the maps.
        title: of the projector.
        style: as it was asked for.
        ranges: of the axes.
        room: of all panels together, in pixels up.
        heading: what stands over a panel, as a share of that.
    """

    runs: dict[str, RunDocuments]
    projections: Sequence[Projection]
    title: str
    style: MapStyle
    ranges: list[list[float]]
    room: float
    heading: float

    def domain(self, position: int) -> dict[str, tuple[float, float]]:
        """Return the part of the figure of the panel at ``position``."""
        return map_panels.cell(position, len(self.projections), self.heading)


class _Written(NamedTuple):
    """What is written on a panel: annotations of the layout, and of its scene in three dimensions."""

    notes: list[dict[str, Any]]
    scenes: dict[str, dict[str, Any]]


def _written(asked: _Asked, projection: Projection, position: int) -> _Written:
    """Return the heading of the panel at ``position``, and the names of the classes where these lie."""
    documents, domain = asked.runs[projection.run], asked.domain(position)
    if len(asked.projections) == 1:
        over = _alone(projection, documents.best_epoch)
    else:
        over = _heading(projection, documents.best_epoch, several=len(_runs(asked.projections)) > 1)
    heading = map_panels.title(domain, over)
    if not names_on_map(documents, asked.style):
        return _Written([heading], {})
    up = asked.room * (domain["y"][1] - domain["y"][0])
    names = class_labels(documents, projection, asked.ranges, up, several=len(asked.projections) > 1)
    if asked.style.outdated:
        names = [name | {"opacity": _FAINT} for name in names]
    if projection.dimensions == 3:
        return _Written([heading], {f"scene{position + 1}": {"annotations": names}})
    here = {"xref": f"x{position + 1}", "yref": f"y{position + 1}"}
    return _Written([heading, *(name | here for name in names)], {})


def _playback(view: FigureView, asked: _Asked, epochs: Sequence[Projection]) -> Playback | None:
    """Return the last panel at each of ``epochs``; None where there is nothing to play."""
    *others, last = asked.projections
    played = [one for one in epochs if one.run == last.run]
    if not asked.style.play or len(played) < 2:
        return None
    if asked.style.placed and len(asked.style.placed) != len(asked.projections) + len(played):
        raise ValueError("a point placed on an animated map needs coordinates in each panel and at each epoch")
    places, frames = asked.style.placed[len(asked.projections) :], []
    still = [note for position, one in enumerate(others) for note in _written(asked, one, position).notes]
    for position, one in enumerate(played):
        place = places[position] if places else None
        marks = _marks(asked.runs[one.run], one, asked.style, FrameTrace, place, asked.ranges, first=not others)
        shown, several = [*others, one], len(_runs(asked.projections)) > 1
        written = _written(asked, one, len(others))
        name = checkpoint_name(one, asked.runs[one.run].best_epoch, several=several)
        frames.append(
            Frame(
                value=str(one.epoch),
                label=name[:1].upper() + name[1:] if not several else name,
                traces=marks,
                layout={"annotations": [*still, *written.notes], **written.scenes},
                alt=_alt(asked.runs, shown, asked.title, asked.style),
                caption=_caption(shown, asked.title, several=True),
                name=_file_name(asked.projections[0].run, shown),
            )
        )
    return Playback(str(last.epoch), len(view.figure.data) - len(frames[0].traces), tuple(frames))


def _marks(
    documents: RunDocuments,
    projection: Projection,
    style: MapStyle,
    kind: Any,  # noqa: ANN401 - Plotly has no types
    place: Sequence[float] | None,
    ranges: Sequence[Sequence[float]],
    *,
    first: bool,
) -> list[Any]:
    """Return what is drawn in one panel: its documents, and the visitor's text at its ``place``."""
    own = []
    if place is not None:
        named = _side(place, ranges) if style.named else ""
        own = [own_mark(place, kind, documents.document, first=first, named=named)]
    return [*traces(documents, projection, style, kind, first=first), *own]


def _side(place: Sequence[float], ranges: Sequence[Sequence[float]]) -> str:
    """Return on which side of a place its name stays in the panel and off the middle, where classes are named."""
    across, up = ((at - low) / (high - low) for at, (low, high) in zip(place, ranges, strict=True))
    turned = "right" if across < 0.15 else "left" if across > 0.85 else "center"
    return f"{'bottom' if 0.1 < up < 0.5 or up > 0.9 else 'top'} {turned}"


def checkpoint_name(projection: Projection, best_epoch: int, *, several: bool) -> str:
    """Return what people call the epoch of a map, with its run where there are several: ``"CNN on IMDB, epoch 6"``."""
    if projection.named:
        return projection.named
    note = " (before training)" if projection.epoch == 0 else " (best)" if projection.epoch == best_epoch else ""
    return f"{f'{title_of(projection.run)}, ' if several else ''}epoch {projection.epoch}{note}"


def _runs(projections: Sequence[Projection]) -> list[str]:
    """Return the names of the runs shown, the first panel's first."""
    return list(dict.fromkeys(projection.run for projection in projections))


def _ranges(projections: Sequence[Projection], style: MapStyle) -> list[list[float]]:
    """Return the limits of each axis, which all panels share."""
    dimensions = projections[0].dimensions
    everything = [projection.coordinates for projection in projections]
    if style.placed:
        everything.append(np.array(style.placed, dtype=np.float32))
    return [
        map_panels.padded(np.concatenate([positions[:, axis] for positions in everything]))
        for axis in range(dimensions)
    ]


def _heading(projection: Projection, best_epoch: int, *, several: bool) -> str:
    """Return what stands over a panel: the epoch, and under it the run where there are several, or what it is."""
    if projection.named:
        return f"<b>{escape(projection.named)}</b>"
    _, _, note = checkpoint_name(projection, best_epoch, several=False).partition(" (")
    if not several:
        return f"<b>Epoch {projection.epoch}</b><br>{note.rstrip(')')}"
    chosen = " (best)" if projection.epoch == best_epoch else ""  # a phone's panels have no room for more
    return f"<b>Epoch {projection.epoch}{chosen}</b><br>{escape(title_of(projection.run))}"


def _alone(projection: Projection, best_epoch: int) -> str:
    """Return what stands over the only panel: the epoch, and how far to trust the map."""
    name = checkpoint_name(projection, best_epoch, several=False)
    trust = f"trust {projection.trustworthiness:.2f} ({trust_of(projection).verdict})"
    return f"<b>{escape(name[:1].upper() + name[1:])}</b>, {trust}"


def _alt(runs: dict[str, RunDocuments], projections: Sequence[Projection], title: str, style: MapStyle) -> str:
    several = len(_runs(projections)) > 1
    numbers = "; ".join(
        f"{checkpoint_name(p, runs[p.run].best_epoch, several=several)}: {p.purity:.0%} of the {p.neighbours} nearest "
        f"neighbours share the label, silhouette {p.silhouette:.2f}, trustworthiness {p.trustworthiness:.2f}, "
        f"{trust_of(p).verdict}"
        for p in projections
    )
    titles = " and ".join(runs[name].title for name in _runs(projections))
    mark = "star" if projections[0].dimensions == 2 else "cross"
    document = runs[projections[0].run].document
    placed = f" A {mark} marks your {document}." if style.placed else ""
    instead = f" {style.outdated}".replace("\n", " ") if style.outdated else ""
    return (
        f"{projections[0].dimensions}-D {title} map of {len(projections[0].coordinates):,} test {document}s of "
        f"{titles}, coloured by {COLORINGS[style.color]}. {numbers}.{placed}{instead}"
    )


def _caption(projections: Sequence[Projection], title: str, *, several: bool) -> str:
    """Return the provenance: runs and epochs, how the maps were fitted, and how they were made comparable."""
    first, names = projections[0], _runs(projections)
    epochs = {name: sorted(p.epoch for p in projections if p.run == name) for name in names}
    shown = [f"{name} epoch {', '.join(map(str, own))}" if not first.named else name for name, own in epochs.items()]
    perplexity = f" perplexity {first.perplexity:g}" if first.perplexity is not None else ""
    sample = f", a sample of {len(first.coordinates):,}" if first.members is not None else ""
    how = [first.comparable.rstrip(".")] if several else []
    if len(names) > 1 and not first.alone:
        how.append(f"{', '.join(names[1:])} aligned to {names[0]} (Procrustes)")
    return provenance(*shown, f"{title}{perplexity}, seed {first.seed}{sample}", *how)


def _file_name(run: str, projections: Sequence[Projection]) -> str:
    epochs = "-".join(str(projection.epoch) for projection in projections)
    alone = "-alone" if projections[0].alone else ""
    return f"{run}-{projections[0].projector}-{projections[0].dimensions}d{alone}-epoch-{epochs}"


def _table(runs: dict[str, RunDocuments], projections: Sequence[Projection], target: int | None) -> Table:
    documents, drawn = runs[projections[0].run], projections[0].positions
    table: Table = {
        "id": [documents.ids[position] for position in drawn],
        "label": [documents.class_names[label] for label in documents.labels[drawn]],
        **({"stars": documents.ratings[drawn]} if documents.ratings.any() else {}),
        "tokens": documents.lengths[drawn],
    }
    several = len(_runs(projections)) > 1
    for projection in projections:
        documents = runs[projection.run]
        name = f"{documents.title}, epoch {projection.epoch}" if several else f"epoch {projection.epoch}"
        if documents.probabilities:
            given = documents.probabilities[projection.epoch][projection.positions]
            table[f"P({class_shown(documents, target)}), {name}"] = probability_shown(given, target)
            if len(documents.class_names) > 2:
                table[f"predicted, {name}"] = [documents.class_names[label] for label in given.argmax(axis=1)]
        for axis, values in axes(projection.coordinates).items():
            table[f"{axis}, {name}"] = values
    return table
