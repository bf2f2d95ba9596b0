"""What is marked on the maps of words: the chosen word and its neighbours, joined pairs, a typed review."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.analysis.projections.alignment import moved
from nlpviz.analysis.projections.words import mean_direction, place_directions
from nlpviz.figures.words.panels import WordMapStyle, WordPanel
from nlpviz.figures.words.playing import playing_map
from nlpviz.results.trust import trust_of
from nlpviz.results.word_queries import Neighbours
from nlpviz.run_kinds.drawn.words import marked_panel
from nlpviz.text.vocabulary import shortened, tokenize
from nlpviz.ui import address, completion, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown, explain_error, lead_to, takeaway
from nlpviz.ui.review import how_exact, mark
from nlpviz.ui.words import choice
from nlpviz.ui.words.choice import VectorSource
from nlpviz.ui.words.maps import WordMaps, Words
from nlpviz.ui.words.pairs import Relation
from nlpviz.word_vectors.lookup import UnknownWord, find
from nlpviz.word_vectors.neighbours import nearest, neighbours

NEAREST = 10
_NAMED = 3  # of them in a sentence
_REMEMBERED = 1_000  # words that are placed on one map
_KEY, _LONGEST = "word", 60
TEXT = "text on the word map"
"""What the text that is marked on the map is for: a review that another page explains has no business there."""


class Review(NamedTuple):
    """A typed review in one panel: the direction of its mean vector (D,), its words, and how many are known."""

    direction: NDArray[np.float32] | None
    words: int
    known: int


def pick_word(words: Words) -> str:
    """Return the word that the visitor clicked on, chose or typed; empty for none."""
    address.read_text(_KEY, "word", "", _LONGEST)
    word = completion.field("Word (or click a point)", words.words, key=_KEY, placeholder="for example king")
    address.write_text(_KEY, "word", word, "", _LONGEST)
    return word


def ask(shown: WordMaps, word: str) -> list[Neighbours | None]:
    """Return the neighbours of ``word`` by the vectors of each panel; None where they do not know it.

    A word that none of them knows is said, with its nearest spellings.
    """
    if not word:
        return [None for _ in shown.sources]
    result: list[Neighbours | None] = []
    sentences = []
    for source in shown.sources:
        try:
            result.append(neighbours(choice.vectors(source), word, NEAREST))
        except UnknownWord as error:
            result.append(None)
            sentences.append(f"{source.title}: {error}" if len(shown.sources) > 1 else str(error))
    if sentences:
        st.info("  \n".join(map(escape_markdown, sentences)))
    return result


def review_vectors(shown: WordMaps, text: str | None) -> list[Review]:
    """Return what the vectors of each panel make of a typed review; nothing where there is none."""
    if text is None:
        return []
    words = [token.word for token in tokenize(text) if any(map(str.isalnum, token.word))]
    result = []
    for source in shown.sources:
        vectors = choice.vectors(source)
        rows = {word: find(vectors, word) for word in set(words)}
        known = [row for word in words if (row := rows[word]) is not None]
        result.append(Review(mean_direction(vectors, known), len(words), len(known)))
    if not words:
        explain_error("The review contains no words. Type or paste a review to place it on the map.")
    return result


def take_away(shown: WordMaps, answers: Sequence[Neighbours | None]) -> None:
    """Say which word is nearest to the chosen one; without one, how well the last map keeps neighbours."""
    answered = next((one for one in reversed(answers) if one and one.neighbours), None)
    if answered is not None:
        takeaway(
            "Nearest to *{word}*: **{near}**, cosine {cosine:.2f}.",
            word=shortened(answered.word),
            near=shortened(answered.neighbours[0].word),
            cosine=answered.neighbours[0].score,
        )
        return
    last = trust_of(shown.maps[-1])
    takeaway(
        "A {verdict} map of {count:,} words: trustworthiness {trust:.2f} of 1.",
        verdict=last.verdict,
        count=len(shown.maps[-1].words),
        trust=last.value,
    )


def verdict(shown: WordMaps) -> str:
    """Return in a word or two how well the maps keep neighbours."""
    return ", ".join(dict.fromkeys(trust_of(one).verdict for one in shown.maps))


def draw(
    shown: WordMaps, words: Words, answers: Sequence[Neighbours | None], relation: Relation, reviews: Sequence[Review]
) -> None:
    """Draw the maps with all their marks; a click chooses a word."""
    several = len({one.key for one in shown.series}) > 1
    word = next((answered.word for answered in answers if answered), "")
    first, listed = shown.maps[0], crc32(" ".join(words.words).encode())
    style = Call(
        WordMapStyle, word=word, pairs=relation.pairs, relation=relation.name, about=words.about,
        view=f"{shown.sources[0].name} {first.projector} {first.dimensions} {listed}", outdated=shown.outdated,
    )  # fmt: skip
    played: dict[str, Call[WordPanel]] = {}
    if shown.played and not reviews:  # a review's place at every epoch would have to be computed first
        every = _panels(shown.played, style, (), several)
        played = {str(source.epoch): panel for source, panel in zip(shown.played.sources, every, strict=True)}
    panels = _panels(shown, style, reviews, several)
    drawn = Call(playing_map, panels, shown.title, style, list(shown.framed), played)
    plotly_view.show(choice.coded(drawn, shown.sources), key="word_map", on_click=widgets.set_to(_KEY))


def _panels(
    shown: WordMaps, style: Call[WordMapStyle], reviews: Sequence[Review], several: bool
) -> list[Call[WordPanel]]:
    """Return what each panel shows; ``several`` says whether its title must name its run."""
    panels = []
    for position, source in enumerate(shown.sources):
        review = reviews[position].direction if reviews else None
        where = () if review is None else tuple(map(float, _placed(shown, position, review[None])[0]))
        title, note = _called(source, several=several)
        bare = Call(WordPanel, shown.fitted[position], title, note, review=where, full=source.title)
        series, turned = shown.series[position], shown.transforms[position]
        spaces = choice.read(source), choice.read(series.sources[series.reference])
        known = find(spaces[0](), style().word) is not None
        near = Call(neighbours, spaces[0], style().word, NEAREST) if known else None
        panels.append(Call(marked_panel, bare, *spaces, style, near, *([turned] if turned else [])))
    return panels


def _called(source: VectorSource, *, several: bool) -> tuple[str, str]:
    """Return a panel's title, short enough for a phone, and the note under it."""
    if source.run is None:
        return source.name, ""
    state = "" if source.epoch else "before training"
    return (source.name, f"epoch {source.epoch}") if several else (f"Epoch {source.epoch}", state)


def _placed(shown: WordMaps, panel: int, directions: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return where directions (M, D) go on the map of a panel, turned as the map was."""
    series = shown.series[panel]
    reference = choice.vectors(series.sources[series.reference])
    space = choice.vectors(shown.sources[panel])
    transform = shown.transforms[panel]
    placed = place_directions(shown.fitted[panel](), space, reference, directions)
    return moved(transform() if transform else None, placed)


def show_neighbours(shown: WordMaps, answers: Sequence[Neighbours | None]) -> None:
    """Show the neighbours in the original space, one column a source, and say how many of them the map keeps near."""
    named = [(source, result) for source, result in zip(shown.sources, answers, strict=True) if result]
    if not named:
        return
    word = named[-1][1].word
    answer(
        "Nearest neighbours of *{word}* among all {count:,} words of {source}: {near}.",
        word=shortened(word),
        count=len(choice.vectors(named[-1][0])),
        source=named[-1][0].title,
        near=", ".join(shortened(one.word) for one in named[-1][1].neighbours[:_NAMED]) or "none",
    )
    st.table(
        {
            escape_markdown(source.title): [_cell(result, position) for position in range(NEAREST)]
            for source, result in named
        },
        hide_index=True,
        border="horizontal",
    )
    lead_to("Words", "More neighbours", "neighbours", word=word, run=named[-1][0].name)


def _cell(result: Neighbours, position: int) -> str:
    if position >= len(result.neighbours):
        return ""
    one = result.neighbours[position]
    return f"{escape_markdown(one.word)} {one.score:.2f}"


def tell_review(shown: WordMaps, reviews: Sequence[Review]) -> None:
    """Say how many words of the review are known, which words its mean is nearest to, and how exact its position is."""
    if not reviews or not reviews[-1].words:
        return
    last, source = reviews[-1], shown.sources[-1]
    if last.direction is None:
        st.info(
            f"All {last.words:,} words of the review are out of vocabulary for "
            f"{escape_markdown(source.title)}, so the review is not on the map."
        )
        return
    (near,) = nearest(choice.vectors(source), last.direction[None], NEAREST)
    answer(
        "{known:,} of the review’s {words:,} words are in the vocabulary of {where}. The words nearest to the mean "
        "of their vectors are {near}. The position of the {mark} is {how}.",
        where=source.title,
        known=last.known,
        words=last.words,
        near=", ".join(f"{shortened(one.word)} ({one.score:.2f})" for one in near[:_NAMED]),
        mark=mark(shown.maps[-1].dimensions),
        how=how_exact(shown.maps[-1].projector),
    )


def show_numbers(shown: WordMaps) -> None:
    """Show how far to trust each map, beside what chance reaches, one line a panel."""
    trusts = [trust_of(one) for one in shown.maps]
    st.table(
        {
            "Map": [escape_markdown(source.title) for source in shown.sources],
            f"Trustworthiness ({shown.maps[0].neighbours} neighbours)": [
                f"{one.value:.2f}, {one.verdict}" for one in trusts
            ],
            "Chance level (random layout / random vectors)": [one.chances for one in trusts],
            "Explained variance": ["–" if one.share is None else f"{one.share:.0%}" for one in shown.maps],
        },
        hide_index=True,
        border="horizontal",
    )
