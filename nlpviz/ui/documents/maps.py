"""The maps of Explore: stored or computed for this visitor, and arranged so that they can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field, replace

import numpy as np
import streamlit as st

from nlpviz.analysis.projections import title_of
from nlpviz.analysis.projections.alignment import RigidTransform, moved_map, transforms_onto_first
from nlpviz.figures.documents import maps as documents
from nlpviz.figures.documents import quality
from nlpviz.figures.documents.maps import MapStyle, checkpoint_name
from nlpviz.figures.view import FigureView
from nlpviz.results.documents import RunDocuments
from nlpviz.results.projection import Projection
from nlpviz.results.trust import trust_of
from nlpviz.run_kinds.drawn.beginnings import beginnings_of
from nlpviz.runs import Checkpoint, Run, RunError
from nlpviz.runs.documents import documents_of, predicts, run_documents, stored_projections
from nlpviz.runs.predictions import PREDICTIONS
from nlpviz.runs.without_ratings import without_ratings
from nlpviz.ui import classes, plotly_view
from nlpviz.ui.cache import figure as figure_of
from nlpviz.ui.calls import Call
from nlpviz.ui.documents.beginnings import beginnings
from nlpviz.ui.documents.computed import computed
from nlpviz.ui.documents.like_epochs import like_pairs, side_by_side
from nlpviz.ui.documents.settings import MapQuery

OUTDATED = "Stored map shown:\nthe requested map has not been computed yet"


@dataclass(frozen=True)
class DocumentMaps:
    """The maps that stand side by side.

    Attributes:
        runs: whose, by name, the first panel's first.
        maps: as they are drawn, in the order of the panels.
        fitted: the same before they were cut to common documents and turned.
        transforms: by name, what turned a run's maps; a run that is missing or has None was not turned.
        played: the maps of the last panel's run at every kept epoch, arranged like the others; empty for none.
        played_fitted: the same before they were cut and turned.
        outdated: what is said over the maps where they stand in for others, which are not computed; else empty.
    """

    runs: dict[str, Run]
    maps: tuple[Projection, ...]
    fitted: tuple[Projection, ...]
    transforms: dict[str, RigidTransform | None] = field(default_factory=dict)
    played: tuple[Projection, ...] = ()
    played_fitted: tuple[Projection, ...] = ()
    outdated: str = ""

    @property
    def title(self) -> str:
        """What people call the projector."""
        return title_of(self.maps[0].projector)

    @property
    def several(self) -> bool:
        """Whether maps of more than one run are shown."""
        return len(self.runs) > 1

    @property
    def told(self) -> int:
        """The panel that sentences are about: the last one, of two runs the other one's at the last like epochs."""
        return next((other for _, other in reversed(like_pairs(self.runs, self.fitted))), len(self.maps) - 1)

    def name(self, position: int) -> str:
        """Return what people call the checkpoint in the panel at ``position``."""
        shown = self.maps[position]
        return checkpoint_name(shown, self.runs[shown.run].best_epoch, several=self.several)


def shown_maps(checkpoints: Sequence[Checkpoint], query: MapQuery) -> DocumentMaps:
    """Return the maps to draw: those asked for, or the stored ones while those asked for are not there yet."""
    runs = {run.name: run for run, _ in checkpoints}
    epochs = {name: tuple(epoch for run, epoch in checkpoints if run.name == name) for name in runs}
    wanted = [(run, replace(query.settings, epochs=epochs[name])) for name, run in runs.items()]
    result = None if query.stored else computed(wanted, now=query.now)
    fitted = result or tuple(
        one
        for run, maps in wanted
        for one in stored_projections(run, maps.projector, maps.dimensions, maps.epochs, alone=maps.alone)
    )
    shown = side_by_side(runs, fitted)
    last = next(run for run in runs.values() if run.name == shown[-1].run)
    arranged = arrange(runs, shown, () if result else _every_epoch(last, query))
    return arranged if query.stored or result else replace(arranged, outdated=OUTDATED)


def _every_epoch(run: Run, query: MapQuery) -> tuple[Projection, ...]:
    """Return the stored maps of every kept epoch of a run."""
    maps = query.settings
    return stored_projections(run, maps.projector, maps.dimensions, run.surveyed, alone=maps.alone)


def arrange(runs: dict[str, Run], fitted: tuple[Projection, ...], played: tuple[Projection, ...] = ()) -> DocumentMaps:
    """Return the maps of all runs on the documents that they have in common, other runs' turned onto the first's.

    Each run is turned as a whole, so that its own epochs stay comparable; maps fitted alone are left as they are.

    Args:
        runs: by name, the first panel's first.
        fitted: the maps that are drawn, in the order of the panels.
        played: those of all epochs of the last panel's run, for the browser to play.

    Raises:
        RunError: if the runs keep no documents in common.
    """
    first = next(iter(runs))
    kept = {name: next(one for one in fitted if one.run == name) for name in runs}
    ids = {name: [documents_of(run).ids[position] for position in kept[name].positions] for name, run in runs.items()}
    common = set.intersection(*map(set, ids.values()))
    if not common:
        raise RunError("The two models have no documents in common, so their maps cannot be compared.")
    order = [identifier for identifier in ids[first] if identifier in common]
    rows = {name: _rows_of(order, ids[name]) for name in runs}
    maps = [_cut(one, rows[one.run]) for one in fitted]
    transforms: dict[str, RigidTransform | None] = {}
    if not fitted[0].alone:
        anchors = [_anchor(run, [one for one in maps if one.run == name]) for name, run in runs.items()]
        transforms = dict(zip(runs, transforms_onto_first([one.coordinates for one in anchors]), strict=True))
    turned, frames = (
        tuple(moved_map(transforms.get(one.run), one) for one in those)
        for those in (maps, [_cut(one, rows[one.run]) for one in played])
    )
    return DocumentMaps(runs, turned, fitted, transforms, frames, played)


def _rows_of(order: list[str], ids: list[str]) -> list[int]:
    """Return where in ``ids`` each document of ``order`` stands."""
    positions = {identifier: row for row, identifier in enumerate(ids)}
    return [positions[identifier] for identifier in order]


def _cut(projection: Projection, rows: list[int]) -> Projection:
    """Return the map of the documents in ``rows`` alone, in that order."""
    drawn = projection.positions
    if rows == list(range(len(drawn))):
        return projection
    return replace(projection, coordinates=projection.coordinates[rows], members=drawn[rows])


def _anchor(run: Run, maps: Sequence[Projection]) -> Projection:
    """Return the map by which a run is turned: that of its chosen epoch, or the last one shown."""
    return next((one for one in maps if one.epoch == run.best_epoch), maps[-1])


def figure(shown: DocumentMaps, query: MapQuery, style: MapStyle) -> FigureView | Call[FigureView]:
    """Return the figure of the maps, the last of which plays where those of all epochs are stored.

    They are dimmed where they stand in for others. Maps that were computed for this visitor, or turned, are no call:
    their figure is shared and never changed.
    """
    if not shown.several and query.stored:
        return stored_figure(shown, style)
    style = replace(style, play=bool(shown.played), outdated=shown.outdated)
    key = tuple(
        (shown.runs[one.run].fingerprint, one.projector, one.dimensions, one.epoch, one.alone, one.perplexity, one.seed)
        for one in shown.maps
    )
    known = [_documents(run, style) for run in shown.runs.values()]
    begun = ["beginnings" in one.options for one in known]
    about = (*key, len(shown.maps[0].coordinates), *shown.runs, *begun, *astuple(style))
    return figure_of(
        ("documents", *about),
        lambda: documents.document_map([one() for one in known], shown.maps, shown.title, style, shown.played),
    )


def stored_figure(shown: DocumentMaps, style: MapStyle) -> Call[FigureView]:
    """Return the figure of the stored maps of one run, which plays."""
    (run,), first = shown.runs.values(), shown.maps[0]

    def stored(epochs: Sequence[int]) -> Call[tuple[Projection, ...]]:
        return Call(stored_projections, run, first.projector, first.dimensions, tuple(epochs), alone=first.alone)

    style = replace(style, play=bool(shown.played))
    maps, played = stored([one.epoch for one in shown.maps]), stored(run.surveyed) if shown.played else ()
    return Call(documents.document_map, [_documents(run, style)], maps, shown.title, style, played)


def _documents(run: Run, style: MapStyle) -> Call[RunDocuments]:
    """Return the documents of a run with what a map says of them."""
    known: dict[str, object] = {"document": classes.document(run)}
    if begun := beginnings(run):
        known["beginnings"] = Call(beginnings_of, run).giving(begun)
    if style.color == "masked" and PREDICTIONS in run.files and without_ratings(run) is not None:
        known["masking"] = Call(without_ratings, run).get("masking")
    return Call(run_documents, run, **known)


def colorings(run: Run) -> dict[str, str]:
    """Return what the points may be coloured by: by ratings and predictions only where there are any."""
    missing: set[str] = set() if documents_of(run).ratings.any() else {"rating", "masked"}
    if not predicts(run):
        missing |= {"probability", "correctness", "masked"}
    return {key: name for key, name in documents.COLORINGS.items() if key not in missing}


def show_quality(run: Run, query: MapQuery, key: str) -> None:
    """Show the numbers of the stored maps of all kept epochs of a run, as lines."""
    projector, dimensions = query.settings.projector, query.settings.dimensions
    every = Call(stored_projections, run, projector, dimensions, run.surveyed, alone=query.settings.alone)
    plotly_view.show(Call(quality.quality_by_epoch, every, title_of(projector)), key=key)


def show_numbers(shown: DocumentMaps) -> None:
    """Show how far to trust each map, beside what chance reaches, one line a panel."""
    names = [shown.name(position) for position in range(len(shown.maps))]
    trusts = [trust_of(one) for one in shown.fitted]  # what was measured is of the whole map
    st.table(
        {
            "Map": [name[:1].upper() + name[1:] if not shown.several else name for name in names],
            "Label purity": [f"{one.purity:.0%}" for one in shown.maps],
            "Silhouette": ["–" if np.isnan(one.silhouette) else f"{one.silhouette:.2f}" for one in shown.maps],
            "Trustworthiness": [f"{one.value:.2f}, {one.verdict}" for one in trusts],
            "Baselines: random layout / random vectors": [one.chances for one in trusts],
        },
        hide_index=True,
        border="horizontal",
    )
