"""Word vectors as maps show them: what is marked on a map besides the words that it was fitted to."""

from __future__ import annotations

from dataclasses import replace

from nlpviz.analysis.projections.alignment import RigidTransform, moved, moved_map
from nlpviz.analysis.projections.words import directions_of, place_directions
from nlpviz.figures.words.panels import WordMapStyle, WordPanel
from nlpviz.results.vectors import WordVectors
from nlpviz.results.word_queries import Neighbours


def marked_panel(
    panel: WordPanel,
    space: WordVectors,
    reference: WordVectors,
    style: WordMapStyle,
    found: Neighbours | None = None,
    transform: RigidTransform | None = None,
) -> WordPanel:
    """Return a panel with the neighbours of the chosen word, and where these and joined words go on its map.

    Args:
        panel: with a map as it was fitted.
        space: the vectors that are mapped.
        reference: those of the reference epoch.
        style: with the pairs.
        found: the neighbours of the chosen word; None where there is none.
        transform: what then turns the map.
    """
    near = found.neighbours if found else ()
    words = [
        *([found.word] if found else []),
        *(one.word for one in near),
        *(word for pair in style.pairs for word in pair),
    ]
    fitted = set(panel.map.words)
    added = [word for word in dict.fromkeys(words) if word in space.positions and word not in fitted]
    placed = {}
    if added:
        where = moved(transform, place_directions(panel.map, space, reference, directions_of(space, added)))
        placed = {word: tuple(map(float, position)) for word, position in zip(added, where, strict=True)}
    return replace(panel, map=moved_map(transform, panel.map), placed=placed, nearest=near)
