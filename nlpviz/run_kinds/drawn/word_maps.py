"""Maps of the words of a run as a figure, with words placed afterwards and the nearest words of a chosen one."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.analysis.projections import title_of
from nlpviz.analysis.projections.stored_words import stored_maps
from nlpviz.analysis.projections.words import (
    WordMapSettings,
    common_words,
    directions_of,
    place_directions,
    word_maps,
)
from nlpviz.figures.view import FigureView
from nlpviz.figures.words.maps import word_map
from nlpviz.figures.words.panels import WordMapStyle, WordPanel
from nlpviz.runs import Run
from nlpviz.runs.vectors import INPUT, read_vectors
from nlpviz.word_vectors.neighbours import neighbours


def run_word_map(
    run: Run,
    words: int | Sequence[str],
    settings: WordMapSettings,
    style: WordMapStyle,
    *,
    table: str = INPUT,
    epochs: Sequence[int] = (),
    added: Sequence[str] = (),
    nearest: int = 0,
) -> FigureView:
    """Return the maps of some epochs side by side; they are fitted to all epochs, so that they can be compared.

    Args:
        run: with word vectors.
        words: that the maps are fitted to; a number selects the most frequent ones.
        settings: of the maps.
        style: what is marked.
        table: which vectors of the run.
        epochs: that are shown; none selects all.
        added: words that are placed on the finished maps.
        nearest: how many neighbours of the style's word are marked.

    Raises:
        RunError: if there can be no such map.
    """
    spaces = [read_vectors(run, epoch, table=table) for epoch in run.epochs]
    mapped = common_words(spaces, words) if isinstance(words, int) else tuple(words)
    kept = stored_maps(run, mapped, settings) if table == INPUT else None
    maps = kept or word_maps(spaces, run.epochs, mapped, settings)
    panels = []
    for fitted, space in zip(maps, spaces, strict=True):
        if not epochs or fitted.epoch in epochs:
            placed = place_directions(fitted, space, spaces[settings.reference], directions_of(space, added))
            where = dict(zip(added, map(tuple, placed.tolist()), strict=True))
            near = neighbours(space, style.word, nearest).neighbours if nearest else ()
            panels.append(WordPanel(fitted, f"Epoch {fitted.epoch}", placed=where, nearest=near))
    return word_map(panels, title_of(settings.projector), style, [fitted.coordinates for fitted in maps])
