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
from nlpviz.analysis.projections.stored_words import COUNTS, stored_maps
from nlpviz.analysis.projections.words import WordMapSettings, common_words, skipped, word_maps
from nlpviz.figures.tokens import counted
from nlpviz.results.projection import WordMap
from nlpviz.runs import RunError
from nlpviz.ui import map_jobs, widgets
from nlpviz.ui.calls import Call, Result
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
    listed: lists.ListedWords
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
        fitted: the same before other runs' were turned onto the first one's, with the calls that return them.
        series: which each panel belongs to.
        framed: the coordinates of all epochs, drawn or not: the axes have room for them.
        transforms: what turned the maps of each panel; None for the first run's.
        outdated: what is said over the maps where they stand in for others, which are not computed; else empty.
        played: the last panel's source at every kept epoch, in the same way; None where it has one alone.
    """

    sources: tuple[VectorSource, ...]
    maps: tuple[WordMap, ...]
    fitted: tuple[Result[WordMap], ...]
    series: tuple[Series, ...]
    framed: tuple[Result[NDArray[np.float32]], ...]
    transforms: tuple[Result[RigidTransform] | None, ...] = field(default=())
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
        listed = Call(common_words, [choice.read(source) for source in sources], int(chosen))
        words, first = listed(), skipped(spaces[0])
        return Words(words, listed, f"the {len(words):,} most frequent words after the first {first:,}", skipped=first)
    with st.popover("Word list", icon=":material/edit_note:", width="stretch"):
        typed = lists.type_list("list", "mixed", _MOST_TYPED, spaces)
    known, unknown = lists.known_to_all(spaces, typed)
    lists.tell_unknown(spaces[0], unknown)
    return Words(known, known, f"{len(known):,} listed words", typed=True)


def shown_maps(sources: Sequence[VectorSource], words: Words, settings: WordMapSettings) -> WordMaps | None:
    """Return the maps to draw, those of PCA while others are computed; None, with the reason, where there are none."""
    series, outdated = _series(sources), ""
    try:
        result = _maps(series, words, settings)
        if result is None:
            outdated = f"Still the PCA map:\n{projectors()[settings.projector].title} has not been computed yet"
            settings = replace(settings, projector="pca")
            result = _maps(series, words, settings)
    except RunError as error:
        explain_error(str(error))
        return None
    if result is None:
        return None
    calls = [_call(one, words, settings, maps) for one, maps in zip(series, result, strict=True)]
    return replace(_arrange(sources, series, calls), outdated=outdated)


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


def _call(
    series: Series, words: Words, settings: WordMapSettings, maps: tuple[WordMap, ...]
) -> Call[tuple[WordMap, ...] | None]:
    """Return the maps of a series with the call that reads or computes them."""
    first, settings = series.sources[0], replace(settings, reference=series.reference)
    if stored(first, words.words, settings) is not None:
        call = Call(stored_maps, first.run, words.listed, settings)
    else:
        spaces = [choice.read(source) for source in series.sources]
        call = Call(word_maps, spaces, [source.epoch for source in series.sources], words.listed, settings)
    return call.giving(maps)


def _said(series: Sequence[Series], words: Words, settings: WordMapSettings) -> str:
    """Return what is asked for in words."""
    names = "; ".join(_counted(one) for one in series)
    return f"{projectors()[settings.projector].title}, {settings.dimensions}-D, {words.about}: {names}"


def _counted(series: Series) -> str:
    """Return the name of a series, and its number of epochs; uploaded vectors have no epochs."""
    first = series.sources[0]
    return first.name if first.run is None else f"{first.name}, {counted(len(series.sources), 'epoch')}"


def _arrange(
    sources: Sequence[VectorSource], series: Sequence[Series], calls: Sequence[Call[tuple[WordMap, ...] | None]]
) -> WordMaps:
    """Return the maps of the chosen epochs, those of every other series turned as a whole onto the first one's."""
    ends = [call.at(one.reference).get("coordinates") for one, call in zip(series, calls, strict=True)]
    turned = Call(transforms_onto_first, ends)
    transforms = [turned.at(place) if place else None for place in range(len(series))]
    framed: list[Result[NDArray[np.float32]]] = []
    for own, call, transform in zip(series, calls, transforms, strict=True):
        found = [call.at(place).get("coordinates") for place in range(len(own.sources))]
        framed += found if transform is None else [Call(moved, transform, one) for one in found]

    def side_by_side(wanted: Sequence[VectorSource], played: WordMaps | None = None) -> WordMaps:
        shown: list[tuple[int, Result[WordMap]]] = []
        for source in wanted:
            position = next(position for position, one in enumerate(series) if one.key == Series((source,)).key)
            epochs = [one.epoch for one in series[position].sources]
            shown.append((position, calls[position].at(epochs.index(source.epoch))))
        return WordMaps(
            sources=tuple(wanted),
            maps=tuple(moved_map(turned()[position], one()) for position, one in shown),
            fitted=tuple(one for _, one in shown),
            series=tuple(series[position] for position, _ in shown),
            framed=tuple(framed),
            transforms=tuple(transforms[position] for position, _ in shown),
            played=played,
        )

    every = next(one.sources for one in series if one.key == Series((sources[-1],)).key)
    return side_by_side(sources, side_by_side(every) if len(every) > 1 else None)
