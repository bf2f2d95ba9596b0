"""The projector of the map of words: which one it begins with, and the maps that runs keep by it."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.analysis.projections import projectors
from nlpviz.analysis.projections.stored_words import keeps_maps, stored_maps
from nlpviz.analysis.projections.words import WordMapSettings
from nlpviz.results.projection import WordMap
from nlpviz.runs.vectors import INPUT
from nlpviz.ui import widgets
from nlpviz.ui.words.choice import VectorSource


def first_projector(sources: Sequence[VectorSource]) -> str:
    """Return the projector to begin with: t-SNE where the runs of all sources keep its maps, else PCA."""
    runs = [one.run for one in sources if one.run is not None and one.table == INPUT]
    kept = [name for name in projectors() if len(runs) == len(sources) and all(keeps_maps(run, name) for run in runs)]
    return next(iter(kept), next(iter(projectors())))


def pick_projector(sources: Sequence[VectorSource]) -> str:
    """Return the projector that the visitor chose, :func:`first_projector` to begin with."""
    first = first_projector(sources)
    names = [first, *(name for name in projectors() if name != first)]
    return widgets.pick("map", "Map", names, lambda name: projectors()[name].title)


def stored(source: VectorSource, words: Sequence[str], settings: WordMapSettings) -> tuple[WordMap, ...] | None:
    """Return the maps of all epochs of a source that its run keeps; None where it keeps none of these.

    Raises:
        RunError: if the run's maps are damaged.
    """
    return None if source.run is None or source.table != INPUT else stored_maps(source.run, words, settings)
