"""What the pages of similarities and of axes ask the word vectors: matrices of a list, places between typed poles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.analysis.projections.words import common_words, skipped
from nlpviz.figures.numbers import number
from nlpviz.figures.words.axes import word_axes
from nlpviz.figures.words.similarity_matrix import similarity_matrices
from nlpviz.results.word_queries import Axes, SimilarityMatrix
from nlpviz.text.vocabulary import shortened
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, explain_error, lead_to, takeaway
from nlpviz.ui.words import choice, lists
from nlpviz.ui.words.choice import VectorSource
from nlpviz.ui.words.lists import ListedWords
from nlpviz.word_vectors import WordVectorsError, similarity
from nlpviz.word_vectors.axes import axes, axes_of_each

_MOST = 40
_MOST_ON_AXES, _LONGEST = 400, 200
_COUNTS = ("200", "500", "1000")
TYPED = "typed"
AXES: Mapping[str, tuple[str, str, str, str]] = {
    "trades": ("Occupations", "she, woman | he, man", "king, noble | poor, common", "trades"),
    "praise": ("Good and bad", "good, great | bad, awful", "strong, powerful | weak", "feelings"),
    "countries": ("Countries, capitals", "france, germany, italy | paris, berlin, rome", "asia | europe", "countries"),
    "formula": ("Differences as axes", "woman − man", "prince − boy", "family"),
}
"""Title, the two axes and the list of words of each ready example."""


def pick_words(sources: Sequence[VectorSource]) -> tuple[str, ...]:
    """Return the words of the list that the visitor chose or typed.

    Raises:
        RunError: if the vectors of a run cannot be read.
    """
    with st.popover("Words", icon=":material/edit_note:", width="stretch"):
        return lists.type_list("list", "mixed", _MOST, [choice.vectors(source) for source in sources])


def matrices(sources: Sequence[VectorSource], typed: Sequence[str]) -> list[tuple[VectorSource, SimilarityMatrix]]:
    """Return the matrix of each source that knows two of the words; say which words are not known where.

    Raises:
        RunError: if the vectors of a run cannot be read.
    """
    result = []
    for source in sources:
        vectors = choice.vectors(source)
        known, unknown = lists.known_to_all([vectors], typed)
        lists.tell_unknown(vectors, unknown, source.title if len(sources) > 1 else "")
        if len(known) > 1:
            result.append((source, similarity.matrix(vectors, known)))
    if not result:
        explain_error("A matrix needs at least two words from the vocabulary. Type more words, or choose a list.")
    return result


def show_matrices(result: Sequence[tuple[VectorSource, SimilarityMatrix]], typed: Sequence[str]) -> None:
    """Say which of the words that were typed are most and least alike, and show the matrices side by side."""
    latest = _latest(result)
    source, one = result[latest]
    rows, columns = np.triu_indices(len(one.words), k=1)
    cosines = one.cosines[rows, columns]
    best, least = int(cosines.argmax()), int(cosines.argmin())
    takeaway(
        "Most similar: *{a}* and *{b}*, cosine {high}.",
        a=shortened(one.words[rows[best]]),
        b=shortened(one.words[columns[best]]),
        high=number(float(cosines[best]), signed=False),
    )
    sources, found = [each for each, _ in result], [cells for _, cells in result]
    drawn = Call(
        similarity_matrices,
        Call(similarity.matrices, [choice.read(each) for each in sources], tuple(typed)).giving(found),
        latest,
    )
    plotly_view.show(choice.coded(drawn, sources), key="similarity")
    answer(
        "Least similar in {source}: *{c}* and *{d}* ({low}). The mean cosine of all pairs is {mean}.",
        source=source.title,
        c=shortened(one.words[rows[least]]),
        d=shortened(one.words[columns[least]]),
        low=number(float(cosines[least]), signed=False),
        mean=number(float(cosines.mean()), signed=False),
    )


def _latest(result: Sequence[tuple[VectorSource, SimilarityMatrix]]) -> int:
    """Return where the first run is at the latest of its epochs: the order of epoch 0 is one of random vectors."""
    epochs = {place: each.epoch or 0 for place, (each, _) in enumerate(result) if each.name == result[0][0].name}
    return max(epochs, key=epochs.__getitem__)


def pick_axes() -> tuple[str, str]:
    """Return the two axes that the visitor typed or took from an example."""
    first = next(iter(AXES.values()))
    typed = []
    for key, label, default in (("x", "Horizontal axis", first[1]), ("y", "Vertical axis", first[2])):
        text = widgets.text(
            f"axis_{key}", label, default, _LONGEST, parameter=key, max_chars=lists.LONGEST_EXPRESSION,
            help="Two poles, such as “good, great | bad, awful”, or a difference of words.",
        )  # fmt: skip
        typed.append(text)
    return typed[0], typed[1]


def _take(x: str, y: str, ready: str) -> None:
    st.session_state["axis_x"], st.session_state["axis_y"] = x, y
    st.session_state["axes_words"], st.session_state["axes_list"] = TYPED, lists.READY[ready][1]


def pick_axes_words(sources: Sequence[VectorSource]) -> tuple[ListedWords, str]:
    """Return the words to put between the axes, as they are typed or the commonest, and what a caption calls them.

    Raises:
        RunError: if the vectors of a run cannot be read.
    """
    names = {TYPED: "a list"} | {count: f"{int(count):,} most frequent" for count in _COUNTS}
    spaces = [choice.vectors(source) for source in sources]
    chosen = widgets.pick("axes_words", "Words", names)
    with st.popover("Examples", icon=":material/edit_note:", width="stretch"):
        with st.container(horizontal=True):
            for name, (title, *example) in AXES.items():
                st.button(title, key=f"axes_{name}", on_click=_take, args=tuple(example), type="tertiary")
        if chosen == TYPED:  # within the same popover: a field in a closed one would not get an example's words
            label = "Words on the axes, separated by commas"
            typed = lists.type_list("axes_list", "trades", _MOST_ON_AXES, spaces, label, offer=False)
            return typed, f"{len(typed)} listed words"
    words = Call(common_words, [choice.read(source) for source in sources], int(chosen))
    return words, f"the {len(words()):,} most frequent words after the first {skipped(spaces[0]):,}"


def on_axes(sources: Sequence[VectorSource], words: ListedWords, x: str, y: str) -> list[tuple[VectorSource, Axes]]:
    """Return where the words lie in each source that knows the axes and one of the words; say what is not known.

    Raises:
        RunError: if the vectors of a run cannot be read.
    """
    result = []
    for source in sources:
        vectors = choice.vectors(source)
        title = source.title if len(sources) > 1 else ""
        known, unknown = lists.known_to_all([vectors], words() if isinstance(words, Call) else words)
        lists.tell_unknown(vectors, unknown, title)
        try:
            placed = axes(vectors, known, x, y)
        except WordVectorsError as error:
            explain_error(f"{title}: {error}" if title else str(error))
            continue
        if known:
            result.append((source, placed))
        else:
            none = "All these words are out of vocabulary. Type other words, or choose a list."
            explain_error(f"{title}: {none}" if title else none)
    return result


def _ends(words: Sequence[str], values: NDArray[np.floating]) -> dict[str, str]:
    """Return the words farthest out on an axis, with their places."""
    low, high = int(values.argmin()), int(values.argmax())
    return {
        "low": shortened(words[low]),
        "high": shortened(words[high]),
        "low_at": number(float(values[low])),
        "high_at": number(float(values[high])),
    }


def show_axes(
    sources: Sequence[VectorSource], result: Sequence[tuple[VectorSource, Axes]], words: ListedWords, about: str
) -> None:
    """Say which words lie farthest out, and show all between the axes.

    Args:
        sources: that were asked.
        result: the places in those that know the axes.
        words: that were placed.
        about: which words these are, for the caption.
    """
    source, one = result[0]
    takeaway("Horizontal axis: from *{low}* ({low_at}) to *{high}* ({high_at}).", **_ends(one.words, one.x))
    spaces, placed = [choice.read(each) for each, _ in result], [axes for _, axes in result]
    drawn = Call(word_axes, Call(axes_of_each, spaces, words, *one.names).giving(placed), about)
    plotly_view.show(choice.coded(drawn, sources), key="axes")
    answer(
        "Vertical axis in {source}: from *{low}* ({low_at}) to *{high}* ({high_at}).",
        source=source.title,
        **_ends(one.words, one.y),
    )
    lead_to("Words", "How similar are words to each other?", "similarity", run=source.name)
