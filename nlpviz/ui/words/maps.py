"""The maps of words: which words, on the maps of which vectors, arranged so that they can be compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.analysis.projections import Progress, projectors
from nlpviz.analysis.projections.alignment import RigidTransform, moved, moved_map, transforms_onto_first
from nlpviz.analysis.projections.stored_words import COUNTS
from nlpviz.analysis.projections.words import WordMapSettings, common_words, skipped, word_maps
from nlpviz.figures.tokens import counted
from nlpviz.figures.view import FigureView
from nlpviz.figures.words.panels import WordMapStyle, WordPanel
from nlpviz.results.projection import WordMap
from nlpviz.run_kinds.drawn.word_maps import run_word_map
from nlpviz.runs import RunError
from nlpviz.ui import map_jobs, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import explain_error
from nlpviz.ui.words import choice, lists, own_vectors
from nlpviz.ui.words.choice import VectorSource
from nlpviz.ui.words.projector import stored

TYPED = "typed"
COUNTED = tuple(map(str, COUNTS))
_MOST_TYPED = 400
_STARTED = "word_map_started"  # in the session: the last map that was begun without being asked for twice


class Words(NamedTuple):
    """Which words are mapped, what a caption calls them, whether the visitor typed them, how many were left out."""

    words: tuple[str, ...]
    about: str
    typed: bool = False
    skipped: int = 0

    @property
    def pairs_within(self) -> frozenset[str] | None:
        """The words that pairs may be of: those of a typed list; None for all."""
        return frozenset(self.words) if self.typed else None

    @property
    def left_out(self) -> str:
        """Markdown that says which of the commonest words are not mapped; empty where none was left out."""
        if not self.skipped:
            return ""
        which = "most frequent word is" if self.skipped == 1 else f"{self.skipped:,} most frequent words are"
        return f"The {which} left out, because words such as *the* and *of* carry little meaning."


class Series(NamedTuple):
    """One source at all epochs that are kept of it: their maps are made comparable, whichever of them are shown."""

    sources: tuple[VectorSource, ...]

    @property
    def reference(self) -> int:
        """The position of the epoch whose axes PCA takes: the chosen one, or the last."""
        best = [position for position, one in enumerate(self.sources) if one.run and one.epoch == one.run.best_epoch]
        return best[0] if best else len(self.sources) - 1

    @property
    def key(self) -> tuple[object, ...]:
        """What its maps are kept under: names and numbers."""
        first = self.sources[0]
        return (own_vectors.key(first.name),) if first.run is None else (first.name, first.run.fingerprint, first.table)


@dataclass(frozen=True)
class WordMaps:
    """The maps that stand side by side.

    Attributes:
        sources: one a panel.
        maps: as they are drawn, in the same order.
        fitted: the same before other runs' were turned onto the first one's.
        series: which each panel belongs to.
        framed: the coordinates of all epochs, drawn or not: the axes have room for them.
        transforms: what turned the maps of each panel, or None.
        outdated: what is said over the maps where they stand in for others, which are not computed; else empty.
        played: the last panel's source at every kept epoch, in the same way; None where it has one alone.
    """

    sources: tuple[VectorSource, ...]
    maps: tuple[WordMap, ...]
    fitted: tuple[WordMap, ...]
    series: tuple[Series, ...]
    framed: tuple[NDArray[np.float32], ...]
    transforms: tuple[RigidTransform | None, ...] = field(default=())
    outdated: str = ""
    played: WordMaps | None = None

    @property
    def title(self) -> str:
        """What people call the projector."""
        return projectors()[self.maps[0].projector].title


def pick_words(sources: Sequence[VectorSource]) -> Words:
    """Return the words to map: the commonest that all sources know, or those that the visitor typed.

    Raises:
        RunError: if the vectors of a run cannot be read.
    """
    spaces = [choice.vectors(source) for source in sources]
    names = {count: f"{int(count):,} most frequent" for count in COUNTED} | {TYPED: "your list"}
    chosen = widgets.pick("words", "Words", names)
    if chosen != TYPED:
        words, first = common_words(spaces, int(chosen)), skipped(spaces[0])
        return Words(words, f"the {len(words):,} most frequent words after the first {first:,}", skipped=first)
    with st.popover("Word list", icon=":material/edit_note:", width="stretch"):
        typed = lists.type_list("list", "mixed", _MOST_TYPED, spaces)
    known, unknown = lists.known_to_all(spaces, typed)
    lists.tell_unknown(spaces[0], unknown)
    return Words(known, f"{len(known):,} listed words", typed=True)


def shown_maps(sources: Sequence[VectorSource], words: Words, settings: WordMapSettings) -> WordMaps | None:
    """Return the maps to draw, those of PCA while others are computed; None, with the reason, where there are none."""
    series, outdated = _series(sources), ""
    try:
        result = _maps(series, words, settings)
        if result is None:
            outdated = f"Still the PCA map:\n{projectors()[settings.projector].title} has not been computed yet"
            result = _maps(series, words, replace(settings, projector="pca"))
    except RunError as error:
        explain_error(str(error))
        return None
    return None if result is None else replace(_arrange(sources, series, result), outdated=outdated)


def _series(sources: Sequence[VectorSource]) -> list[Series]:
    """Return the series that the sources are of, each once."""
    return list({one.key: one for one in (Series(choice.epochs_of(source)) for source in sources)}.values())


def _maps(series: Sequence[Series], words: Words, settings: WordMapSettings) -> list[tuple[WordMap, ...]] | None:
    """Return the maps of each series; None where they are being computed, and the page says so."""
    wanted = [(one, replace(settings, reference=one.reference)) for one in series]
    known = [stored(one.sources[0], words.words, own) for one, own in wanted]
    there = [maps for maps in known if maps is not None]
    if len(there) == len(known):
        return there
    keys = tuple((*one.key, words.words, own) for one, own in wanted)
    result = map_jobs.kept(keys)
    if result is not None:
        return result
    parts = [map_jobs.MapPart(key, _work(one, words, own)) for key, (one, own) in zip(keys, wanted, strict=True)]
    if projectors()[settings.projector].perplexity is None:  # soon done
        return map_jobs.compute(parts)
    now = st.session_state.get(_STARTED) != keys
    st.session_state[_STARTED] = keys
    task = map_jobs.Task(parts, _said(series, words, settings), "the PCA map of the same words")
    return map_jobs.computed(task, now=now)


def _work(series: Series, words: Words, settings: WordMapSettings) -> Callable[[Progress], tuple[WordMap, ...]]:
    """Return what computes the maps of a series, with the vectors that it needs: the worker has no session."""
    if (kept := stored(series.sources[0], words.words, settings)) is not None:
        return lambda _: kept
    spaces = [choice.vectors(source) for source in series.sources]
    return partial(word_maps, spaces, [source.epoch for source in series.sources], words.words, settings)


def _said(series: Sequence[Series], words: Words, settings: WordMapSettings) -> str:
    """Return what is asked for in words."""
    names = "; ".join(_counted(one) for one in series)
    return f"{projectors()[settings.projector].title}, {settings.dimensions}-D, {words.about}: {names}"


def _counted(series: Series) -> str:
    """Return the name of a series, and its number of epochs; uploaded vectors have no epochs."""
    first = series.sources[0]
    return first.name if first.run is None else f"{first.name}, {counted(len(series.sources), 'epoch')}"


def _arrange(
    sources: Sequence[VectorSource], series: Sequence[Series], result: Sequence[tuple[WordMap, ...]]
) -> WordMaps:
    """Return the maps of the chosen epochs, those of every other series turned as a whole onto the first one's."""
    transforms = transforms_onto_first(
        [maps[one.reference].coordinates for one, maps in zip(series, result, strict=True)]
    )
    framed = tuple(
        moved(transform, one.coordinates) for transform, maps in zip(transforms, result, strict=True) for one in maps
    )

    def side_by_side(wanted: Sequence[VectorSource], played: WordMaps | None = None) -> WordMaps:
        shown: list[tuple[int, WordMap]] = []
        for source in wanted:
            position = next(position for position, one in enumerate(series) if one.key == Series((source,)).key)
            epochs = [one.epoch for one in series[position].sources]
            shown.append((position, result[position][epochs.index(source.epoch)]))
        return WordMaps(
            sources=tuple(wanted),
            maps=tuple(moved_map(transforms[position], one) for position, one in shown),
            fitted=tuple(one for _, one in shown),
            series=tuple(series[position] for position, _ in shown),
            framed=framed,
            transforms=tuple(transforms[position] for position, _ in shown),
            played=played,
        )

    every = next(one.sources for one in series if one.key == Series((sources[-1],)).key)
    return side_by_side(sources, side_by_side(every) if len(every) > 1 else None)


def call(shown: WordMaps, words: Words, panels: Sequence[WordPanel], style: WordMapStyle) -> Call[FigureView] | None:
    """Return the call that draws the maps; None for uploaded vectors and for several series.

    Args:
        shown: the maps.
        words: that they were fitted to.
        panels: what is drawn of each; None is returned where the other words on them differ.
        style: what is marked.
    """
    run, first, placed = shown.sources[0].run, shown.maps[0], [tuple(panel.placed) for panel in panels]
    if run is None or len({one.key for one in shown.series}) > 1 or len(set(placed)) > 1:
        return None
    (series,) = {one.key: one for one in shown.series}.values()
    if len(series.sources) < len(run.epochs) or shown.sources[0].table == choice.ACROSS:
        return None
    return Call(
        run_word_map,
        run,
        list(words.words) if words.typed else len(words.words),
        WordMapSettings(first.projector, first.dimensions, series.reference),
        WordMapStyle(style.word, style.pairs, style.relation),
        table=shown.sources[0].table,
        epochs=[source.epoch for source in shown.sources],
        added=list(placed[0]),
        nearest=len(panels[0].nearest),
    )
