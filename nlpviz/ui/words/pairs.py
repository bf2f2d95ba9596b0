"""Pairs of words that a map joins by segments: those of Google's questions where they are here, else ready ones."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import NamedTuple

import streamlit as st

from nlpviz.data import DataError
from nlpviz.data.analogies import find_questions
from nlpviz.results.vectors import WordVectors
from nlpviz.ui import widgets
from nlpviz.ui.cache import shared
from nlpviz.word_vectors import WordVectorsError
from nlpviz.word_vectors.lookup import find
from nlpviz.word_vectors.questions import read_questions

NONE, FIRST = "none", "family"
_MOST = 12


class Relation(NamedTuple):
    """What is joined: the relation's name, and pairs of words in the spelling of the vectors."""

    name: str
    pairs: tuple[tuple[str, str], ...]


_READY: Mapping[str, str] = {
    "capital-common-countries": "paris france, berlin germany, rome italy, madrid spain, london england, tokyo japan, "
    "moscow russia, beijing china, athens greece, cairo egypt",
    "capital-world": "vienna austria, budapest hungary, lisbon portugal, warsaw poland, dublin ireland, oslo norway, "
    "prague czechia, ankara turkey, lima peru, nairobi kenya",
    "currency": "japan yen, denmark krone, russia ruble, india rupee, mexico peso, poland zloty, korea won",
    "city-in-state": "chicago illinois, houston texas, seattle washington, phoenix arizona, miami florida, "
    "boston massachusetts, denver colorado, portland oregon",
    "family": "man woman, king queen, boy girl, father mother, son daughter, brother sister, uncle aunt, "
    "prince princess, husband wife, he she",
    "gram1-adjective-to-adverb": "slow slowly, rapid rapidly, quiet quietly, usual usually, complete completely, "
    "most mostly, obvious obviously",
    "gram2-opposite": "known unknown, certain uncertain, possible impossible, likely unlikely, aware unaware, "
    "efficient inefficient, logical illogical",
    "gram3-comparative": "big bigger, small smaller, cold colder, high higher, large larger, strong stronger",
    "gram4-superlative": "big biggest, small smallest, great greatest, high highest, large largest, strong strongest, "
    "old oldest",
    "gram5-present-participle": "play playing, write writing, read reading, run running, sing singing, go going",
    "gram6-nationality-adjective": "france french, germany german, italy italian, spain spanish, russia russian, "
    "japan japanese, china chinese, greece greek, ireland irish",
    "gram7-past-tense": "playing played, writing wrote, going went, running ran, saying said, taking took, "
    "swimming swam, walking walked",
    "gram8-plural": "dog dogs, cat cats, car cars, man men, child children, woman women, city cities",
    "gram9-plural-verbs": "speak speaks, write writes, play plays, say says, go goes, see sees, work works",
}
"""Of each of the fourteen sections of Google's questions (Mikolov et al. 2013), some that are common."""


def pick_pairs(vectors: WordVectors, within: Container[str] | None = None) -> Relation:
    """Return the pairs of the section that the visitor chose, the commonest that are known.

    Args:
        vectors: whose words they are.
        within: words that the pairs must be of; None for any.
    """
    names = [FIRST, NONE, *(name for name in _READY if name != FIRST)]
    name = widgets.pick("pairs", "Connected pairs", names, _title)
    if name == NONE:
        return Relation(_title(name), ())
    rows = [(find(vectors, one), find(vectors, other)) for one, other in _pairs(name)]
    known = sorted({(one, other) for one, other in rows if one is not None and other is not None}, key=max)
    if within is not None:
        known = [pair for pair in known if all(vectors.words[row] in within for row in pair)]
    elif not known:
        st.info(f"These vectors contain none of the word pairs in the section {_title(name)}.")
    pairs = tuple((vectors.words[one], vectors.words[other]) for one, other in known[:_MOST])
    return Relation(_title(name), pairs)


def _title(name: str) -> str:
    """Return what people call a section: ``gram3-comparative`` is ``comparative``."""
    return name.partition("-")[2].replace("-", " ") if name.startswith("gram") else name.replace("-", " ")


def _pairs(section: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a section."""
    query = _questions().get(section, ())
    return query or tuple((one, other) for one, other in (pair.split() for pair in _READY[section].split(",")))


@shared(1)
def _questions() -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the different pairs of each section of the questions' file; nothing where it is not on this machine."""
    try:
        sections = read_questions(find_questions()).sections
    except (DataError, WordVectorsError):
        return {}
    return {
        name: tuple({pair: None for query in questions for pair in ((query.a, query.b), (query.c, query.d))})
        for name, questions in sections.items()
    }
