"""The battery that comes with the project: how large it is, that it is English enough, that runs know its words."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from nlpviz.data.battery import battery, filled
from nlpviz.results.minimal_pairs import EXPECTATIONS, MinimalPair
from nlpviz.runs import open_run

CAPABILITIES = {
    "negation", "double negation", "but-clauses", "irony", "intensity", "comparison", "names", "genders", "typos",
}  # fmt: skip


def test_a_template_is_filled_with_all_combinations_of_its_words() -> None:
    template = {
        "id": "x",
        "capability": "c",
        "expected": "same",
        "first": "The {thing} of {his} is {good}.",
        "second": "The {thing} of {his} is not {good}.",
        "words": {"his": ["his|her"], "good": ["good", "fine|bad"]},
    }
    assert list(filled(template, {"thing": ["film", "show"], "good": ["left out"]})) == [
        MinimalPair("c", "x", "The film of his is good.", "The film of her is not good.", "same"),
        MinimalPair("c", "x", "The film of his is fine.", "The film of her is not bad.", "same"),
        MinimalPair("c", "x", "The show of his is good.", "The show of her is not good.", "same"),
        MinimalPair("c", "x", "The show of his is fine.", "The show of her is not bad.", "same"),
    ]


def test_it_has_what_was_promised() -> None:
    pairs = battery()
    assert {pair.capability for pair in pairs} == CAPABILITIES
    assert len({pair.template for pair in pairs}) >= 30
    assert len({text for pair in pairs for text in (pair.first, pair.second)}) >= 1_000
    assert len(set(pairs)) == len(pairs), "a pair stands twice"
    assert all(pair.first != pair.second and pair.expected in EXPECTATIONS for pair in pairs)
    assert {
        len({pair.capability for pair in pairs if pair.template == name}) for name in {p.template for p in pairs}
    } == {1}
    assert min(Counter(pair.capability for pair in pairs).values()) >= 50


def test_sentences_are_whole() -> None:
    for text in {text for pair in battery() for text in (pair.first, pair.second)}:
        assert re.fullmatch(r"[A-Z][A-Za-z', ]+\.", text), text
        assert not re.search(r"\b[Aa] [aeio]|\b[Aa]n [^aeio]|\b(\w+) \1\b", text), text


@pytest.mark.parametrize("name", ["imdb-cnn", "imdb-lstm-lm"])
def test_committed_runs_know_every_word_that_is_spelt_rightly(name: str) -> None:
    vocabulary = open_run(name).vocabulary
    read = {text for pair in battery() for text in ((pair.first,) if pair.misspelt else (pair.first, pair.second))}
    assert {token.word for text in read for token in vocabulary.tokens(text) if token.word not in vocabulary} == set()
