"""Snippets of word vectors: neighbours, analogies, similarities, axes, maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nlpviz.figures.snippets import Sources, written


def neighbours(source: tuple[str, int], vectors: str, word: str, count: int, among: range | None) -> str:
    """Return code for the words nearest to ``word`` among those of these ranks, or all."""
    run, epoch = source
    ranks = "" if among is None else f", among=range({among.start}, {among.stop})"
    return written(
        f"""
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.words.neighbours import common_scale, neighbour_bars
        from nlpviz.runs import open_run
        from nlpviz.runs.vectors import read_vectors
        from nlpviz.word_vectors.neighbours import neighbours

        vectors = read_vectors(open_run($run), $epoch, table=$vectors)
        result = neighbours(vectors, $word, $count{ranks})
        found = result.neighbours
        table = pd.DataFrame({{"word": [one.word for one in found], "cosine": [one.score for one in found]}})
        print(table)
        print("The figure:", save_figure(neighbour_bars(result, common_scale([found]))))
        """,
        run=run,
        epoch=epoch,
        vectors=vectors,
        word=word,
        count=count,
    )


def analogy(source: tuple[str, int], vectors: str, expression: str, method: str, *, exclude: bool) -> str:
    """Return code for the words nearest to an expression such as ``king - man + woman``."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.words.neighbours import answer_bars, common_scale
        from nlpviz.runs import open_run
        from nlpviz.runs.vectors import read_vectors
        from nlpviz.word_vectors.analogies import solve
        from nlpviz.word_vectors.expressions import parse

        vectors = read_vectors(open_run($run), $epoch, table=$vectors)
        result = solve(vectors, parse(vectors, $expression), method=$method, exclude=$exclude)
        found = result.neighbours
        table = pd.DataFrame({"word": [one.word for one in found], "score": [one.score for one in found]})
        print(table)
        print("The figure:", save_figure(answer_bars(result, common_scale([found]))))
        """,
        run=run,
        epoch=epoch,
        vectors=vectors,
        expression=expression,
        method=method,
        exclude=exclude,
    )


def similarities(sources: Sources, words: Sequence[str]) -> str:
    """Return code for the cosines of each two words."""
    return written(
        """
        from itertools import combinations

        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.words.similarity_matrix import MatrixPanel, similarity_matrices
        from nlpviz.runs import open_run
        from nlpviz.runs.vectors import read_vectors
        from nlpviz.word_vectors.similarity import matrix, similarity

        words, panels = $words, []
        table = pd.DataFrame(combinations(words, 2), columns=["word", "other word"])
        for run, epoch in $sources:
            vectors = read_vectors(open_run(run), epoch)
            panels.append(MatrixPanel(f"{open_run(run).title}, epoch {epoch}", matrix(vectors, words)))
            table[f"cosine, {run}, epoch {epoch}"] = [similarity(vectors, *pair) for pair in combinations(words, 2)]
        print(table)
        print("The figure:", save_figure(similarity_matrices(panels, words)))
        """,
        sources=list(sources),
        words=list(words),
    )


def axes(sources: Sources, words: Sequence[str], x: str, y: str) -> str:
    """Return code for the cosine of each word with two axes."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.words.axes import AxesPanel, word_axes
        from nlpviz.runs import open_run
        from nlpviz.runs.vectors import read_vectors
        from nlpviz.word_vectors.axes import axes

        words, panels = $words, []
        table = pd.DataFrame({"word": words})
        for run, epoch in $sources:
            placed = axes(read_vectors(open_run(run), epoch), words, $x, $y)
            panels.append(AxesPanel(f"{open_run(run).title}, epoch {epoch}", placed))
            table[f"cosine with x, {run}, epoch {epoch}"] = placed.x
            table[f"cosine with y, {run}, epoch {epoch}"] = placed.y
        print(table)
        print("The figure:", save_figure(word_axes(panels, f"{len(words)} words")))
        """,
        sources=list(sources),
        words=list(words),
        x=x,
        y=y,
    )


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


def analogy_plane(source: tuple[str, int], vectors: str, expression: str, method: str, *, exclude: bool) -> str:
    """Return code for where the words of an analogy, its best answer and the target lie in the plane of the words."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.words.analogy_plane import analogy_plane
        from nlpviz.runs import open_run
        from nlpviz.runs.vectors import read_vectors
        from nlpviz.word_vectors.analogies import plane, solve
        from nlpviz.word_vectors.expressions import parse

        vectors = read_vectors(open_run($run), $epoch, table=$vectors)
        result = solve(vectors, parse(vectors, $expression), method=$method, exclude=$exclude)
        found = plane(vectors, result)
        table = pd.DataFrame([*found.coordinates, found.target], columns=["x", "y"])
        table.insert(0, "word", [*found.words, "target"])
        print(table)
        print("The figure:", save_figure(analogy_plane(found, result)))
        """,
        run=run,
        epoch=epoch,
        vectors=vectors,
        expression=expression,
        method=method,
        exclude=exclude,
    )


def ranks(
    sources: Sequence[tuple[str, int, str]], expression: str, method: str, expected: str, *, exclude: bool
) -> str:
    """Return code for the rank of the word ``expected`` among the answers to an analogy, by run, epoch and table."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.words.analogy_scores import AtEpoch, rank_by_epoch
        from nlpviz.runs import open_run
        from nlpviz.runs.vectors import read_vectors
        from nlpviz.word_vectors.analogies import solve
        from nlpviz.word_vectors.expressions import parse

        rows = []
        for run, epoch, kind in $sources:
            vectors = read_vectors(open_run(run), epoch, table=kind)
            query = parse(vectors, $expression)
            found = solve(vectors, query, method=$method, exclude=$exclude, expected=$expected)
            first = found.neighbours[0]
            rows.append(AtEpoch(open_run(run).title, epoch, found.rank, first.word, first.score))
        table = pd.DataFrame(rows)[["epoch", "rank", "best", "score"]]
        print(table)
        figure = rank_by_epoch(rows, $expected, found.expression.proportion, $method)
        print("The figure:", save_figure(figure))
        """,
        sources=list(sources),
        expression=expression,
        method=method,
        expected=expected,
        exclude=exclude,
    )


def accuracy_by_section(run: str, method: str) -> str:
    """Return code for how many analogy questions of each section a run answers right at each epoch."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.words.analogy_scores import accuracy_by_section
        from nlpviz.runs import open_run
        from nlpviz.runs.analogies import read_scores

        run, rows = open_run($run), []
        scores = {epoch: found[$method] for epoch, found in sorted(read_scores(run).items()) if $method in found}
        for epoch, found in scores.items():
            rows += [(epoch, one.known, one.right, one.accuracy) for one in (found.total, *found.sections)]
        table = pd.DataFrame(rows, columns=["epoch", "known", "right", "accuracy"])
        print(table)
        print("The figure:", save_figure(accuracy_by_section(run.name, run.title, scores)))
        """,
        run=run,
        method=method,
    )
