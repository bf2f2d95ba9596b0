"""The neighbours of one word on a page: what each source answers, and what they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import streamlit as st

from nlpviz.figures.words.neighbours import SHARED, common_scale, neighbour_bars
from nlpviz.results.word_queries import Neighbours
from nlpviz.text.vocabulary import shortened
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown, takeaway
from nlpviz.ui.words import choice, field
from nlpviz.ui.words.choice import VectorSource
from nlpviz.word_vectors.lookup import find
from nlpviz.word_vectors.neighbours import neighbours, predicted_neighbours

_SAID, _OFFERED = 4, 24  # words in a sentence, buttons in a row
_BANDS = {
    "all": ("all words", None),
    "common": ("the 1,000 most frequent words", range(1_000)),
    "middle": ("ranks 1,000 to 10,000", range(1_000, 10_000)),
    "rare": ("beyond rank 10,000", range(10_000, 10**9)),
}


SourceAnswer: TypeAlias = tuple[VectorSource, Neighbours | None]
"""A source and its answer; None where it does not know the word."""


class NeighbourQuery(NamedTuple):
    """What is asked of every source: a word, among which words, how many."""

    word: str
    band: str
    most: int

    @property
    def about(self) -> str:
        """What people call the words that are searched."""
        return _BANDS[self.band][0]


def pick_query(word: str) -> NeighbourQuery:
    """Return what is asked: ``word``, among words as common as the visitor chose."""
    band = widgets.pick("band", "Neighbours among", list(_BANDS), lambda key: _BANDS[key][0])
    return NeighbourQuery(word, band, int(widgets.pick("count", "Number of neighbours", ("10", "20", "50"))))


def ask(sources: Sequence[VectorSource], query: NeighbourQuery) -> list[SourceAnswer]:
    """Return what each source answers.

    Raises:
        RunError: if the vectors of a run cannot be read.
    """
    known = [find(choice.asking(source), query.word) is not None for source in sources]
    return [(source, _call(source, query)() if there else None) for source, there in zip(sources, known, strict=True)]


def _call(source: VectorSource, query: NeighbourQuery) -> Call[Neighbours]:
    """Return the neighbours in a source that knows the word."""
    searched, among = choice.read(source), _BANDS[query.band][1]
    if source.table != choice.ACROSS:
        return Call(neighbours, searched, query.word, query.most, among=among)
    inputs = choice.read(choice.asked(source))
    return Call(predicted_neighbours, inputs, searched, query.word, query.most, among=among)


def show(answers: Sequence[SourceAnswer], query: NeighbourQuery) -> None:
    """Show each source's neighbours as bars on one scale, and in words what is near; a click asks for a word."""
    if not any(result for _, result in answers):
        for position, source in enumerate({source.name: source for source, _ in answers}.values()):
            field.show_unknown(source, query.word, position)
        return
    known = [(source, result) for source, result in answers if result and result.neighbours]
    _take_away(known)
    scale = common_scale(result.neighbours for _, result in answers if result)
    calls = [_call(source, query).giving(result) if result else None for source, result in answers]
    cells = choice.cells([source for source, _ in answers])
    for position, ((source, result), call, cell) in enumerate(zip(answers, calls, cells, strict=True)):
        with cell:
            if result is None:
                field.show_unknown(source, query.word, position)
            elif not result.neighbours:
                st.info(f"These vectors contain no words among {query.about}. Choose other words under More.")
            else:
                others = [other for other in calls if other and other is not call] if len(answers) > 1 else None
                drawn = choice.coded(
                    Call(neighbour_bars, call, scale, others, about=query.about), [source for source, _ in answers]
                )
                plotly_view.show(drawn, key=f"neighbours_{position}", on_click=widgets.set_to("word"))
                st.caption(_commonness(source, result))
    _tell(known)


def _commonness(source: VectorSource, result: Neighbours) -> str:
    """Return Markdown that says how common a word is in the corpus of a source."""
    vectors = choice.asking(source)
    word = escape_markdown(result.word)
    if result.count is None:
        return f"*{word}* is word {result.position + 1:,} of {len(vectors):,} in the file, which contains no counts."
    where = f" in {escape_markdown(str(source.run.corpus['name']))}" if source.run else ""
    return f"*{word}* occurs {result.count:,} times{where}: rank {result.position + 1:,} of {len(vectors):,}."


def _take_away(known: Sequence[tuple[VectorSource, Neighbours]]) -> None:
    """Say which word is nearest by the first vectors that have one."""
    if not known:
        takeaway("There are no neighbours to show.")
        return
    source, result = known[0]
    nearest_word = result.neighbours[0]
    takeaway(
        "Nearest to *{word}*: **{near}**, cosine {cosine:.2f} ({title}).",
        word=shortened(result.word),
        near=shortened(nearest_word.word),
        cosine=nearest_word.score,
        title=source.title,
    )


def _tell(known: Sequence[tuple[VectorSource, Neighbours]]) -> None:
    """Say how many neighbours several sources share; then lead on to the neighbours."""
    if len(known) > 1:
        _tell_shared([result for _, result in known])
    words = list(dict.fromkeys(one.word for _, result in known for one in result.neighbours))
    if words:
        field.show_words("Look up", words[:_OFFERED], "ask")


def _tell_shared(every: Sequence[Neighbours]) -> None:
    """Say how many neighbours all answers have in common, and how many at least two."""
    words = [[one.word for one in result.neighbours] for result in every]
    in_all = [word for word in words[0] if all(word in others for others in words[1:])]
    pieces = {f"word{rank}": word for rank, word in enumerate(in_all)}
    named = f": {', '.join(f'*{{{key}}}*' for key in pieces)}" if 0 < len(pieces) <= _SAID else ""
    several = {word for own in words for word in own if sum(word in others for others in words) > 1}
    more = "" if len(every) == 2 else f"; {len(several)} are in at least two lists"
    answer(
        "Of the {count} nearest neighbours of *{word}*, {shared} "
        + ("is in " if len(in_all) == 1 else "are in ")
        + ("both lists" if len(every) == 2 else f"all {len(every)} lists") + named + more + " ({mark}).",
        count=min(len(own) for own in words), word=every[0].word, shared=len(in_all), mark=SHARED, **pieces,
    )  # fmt: skip


def show_table(answers: Sequence[SourceAnswer]) -> None:
    """Show all neighbours as one table: how many sources name each, and its cosine in all that know it."""
    known = [(source, result) for source, result in answers if result and result.neighbours]
    named = Counter(one.word for _, result in known for one in result.neighbours)
    if not named:
        return
    words = sorted(named, key=lambda word: -named[word])  # a stable sort: then as they came
    cosines = {f"Cosine, {source.title}": _cosines(source, result, words) for source, result in known}
    with st.expander(f"All {len(words)} neighbours as a table"):
        st.dataframe(
            {"Word": words, "Lists": [named[word] for word in words], **cosines},
            hide_index=True,
            column_config={heading: st.column_config.NumberColumn(format="%.3f") for heading in cosines},
        )


def _cosines(source: VectorSource, result: Neighbours, words: Sequence[str]) -> list[float | None]:
    """Return the cosine of each word with the one that was asked for; None where the source does not know it."""
    source_query, searched = choice.asking(source), choice.vectors(source)
    direction = source_query.directions[result.position]
    rows = [searched.positions.get(word) for word in words]
    return [None if row is None else float(searched.directions[row] @ direction) for row in rows]


def show_objectives(sources: Sequence[VectorSource]) -> None:
    """Show what the runs among ``sources`` minimised or factorised, each model once."""
    from nlpviz.word_vectors.learning import word_models

    known = word_models()
    names = dict.fromkeys(source.run.architecture for source in sources if source.run is not None)
    for model in (known[name] for name in names if name in known):
        st.markdown(f"**{model.title}**. {model.reading} *{model.source}*")
        st.latex(model.formula)


def worked_example(answers: Sequence[SourceAnswer]) -> str:
    """Return Markdown that works the cosine of the nearest neighbour out; nothing where there is none."""
    source, result = next(
        ((source, result) for source, result in answers if result and result.neighbours), (None, None)
    )
    if source is None or result is None:
        return ""
    source_query, searched, near = choice.asking(source), choice.vectors(source), result.neighbours[0]
    one, other = source_query.vector(result.position), searched.vector(near.position)
    product, lengths = float(one @ other), (float(np.linalg.norm(one)), float(np.linalg.norm(other)))
    return (
        f"Here the vectors of *{escape_markdown(result.word)}* and *{escape_markdown(near.word)}* have "
        f"dot product {product:.2f} and lengths {lengths[0]:.2f} and {lengths[1]:.2f}, so their cosine is "
        f"{near.score:.2f}."
    )
