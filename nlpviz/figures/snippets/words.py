"""Snippets of maps of words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nlpviz.figures.snippets import written


class MappedWords(NamedTuple):
    """A map of words.

    Attributes:
        words: that it is fitted to; a number for so many of the commonest.
        projector: its name.
        dimensions: 2 or 3.
        reference: the place of the epoch whose axes PCA takes, among those that the run keeps.
        added: words that are placed on the finished map.
        stored: whether the run keeps the map.
        word: the chosen one, with its nearest words marked; empty for none.
        nearest: how many they are.
        pairs: words that are joined.
        relation: what these pairs are called.
    """

    words: int | Sequence[str]
    projector: str
    dimensions: int
    reference: int
    added: Sequence[str]
    stored: bool
    word: str
    nearest: int
    pairs: Sequence[tuple[str, str]]
    relation: str


def word_map(run: str, epochs: Sequence[int], vectors: str, mapped: MappedWords) -> str:
    """Return code for where words lie on the maps of some epochs of a run's vectors."""
    words = mapped.words if isinstance(mapped.words, int) else list(mapped.words)
    typed = isinstance(words, list)
    maps = "stored_maps(run, words, settings)" if mapped.stored else "word_maps(spaces, run.epochs, words, settings)"
    from_stored = "from nlpviz.analysis.projections.stored_words import stored_maps\n        " if mapped.stored else ""
    names = ["WordMapSettings", *(() if typed else ("common_words",)), "directions_of", "place_directions"]
    names += () if mapped.stored else ("word_maps",)
    near = "\n                near = neighbours(space, $word, $nearest).neighbours" if mapped.word else ""
    from_near = "\n        from nlpviz.word_vectors.neighbours import neighbours" if near else ""
    marks = ", ".join(
        [*(("word=$word",) if mapped.word else ()), *(("pairs=$pairs", "relation=$relation") if mapped.pairs else ())]
    )
    return written(
        f"""
        import numpy as np
        import pandas as pd

        from nlpviz.analysis.projections import title_of
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.words.maps import word_map
        from nlpviz.figures.words.panels import WordMapStyle, WordPanel
        {from_stored}from nlpviz.analysis.projections.words import {", ".join(names)}
        from nlpviz.runs import open_run
        from nlpviz.runs.vectors import read_vectors{from_near}

        run, added = open_run($run), $added
        spaces = [read_vectors(run, epoch, table=$vectors) for epoch in run.epochs]
        words = {"$words" if typed else "common_words(spaces, $words)"}
        settings = WordMapSettings($projector, $dimensions, reference=$reference)
        maps, columns, panels = {maps}, {{}}, []
        for chart, space in zip(maps, spaces):
            if chart.epoch in $epochs:
                placed = place_directions(chart, space, spaces[$reference], directions_of(space, added))
                for axis, values in zip("xyz", np.concatenate([chart.coordinates, placed]).T):
                    columns[f"{{axis}}, epoch {{chart.epoch}}"] = values
                where = dict(zip(added, placed.tolist())){near}
                panels.append(WordPanel(chart, f"Epoch {{chart.epoch}}", placed=where{", nearest=near" * bool(near)}))
        table = pd.DataFrame(columns, index=[*words, *added])
        print(table)
        style, framed = WordMapStyle({marks}), [chart.coordinates for chart in maps]
        print("The figure:", save_figure(word_map(panels, title_of($projector), style, framed)))
        """,
        run=run,
        epochs=list(epochs),
        vectors=vectors,
        words=words,
        projector=mapped.projector,
        dimensions=mapped.dimensions,
        reference=mapped.reference,
        added=list(mapped.added),
        word=mapped.word,
        nearest=mapped.nearest,
        pairs=list(mapped.pairs),
        relation=mapped.relation,
    )
