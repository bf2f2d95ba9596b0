"""The field for a word: it completes common words, takes any other, and offers spellings for one that is not known."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from nlpviz.text.vocabulary import SPECIALS
from nlpviz.ui import address, completion, widgets
from nlpviz.ui.frame import escape_markdown
from nlpviz.ui.words import choice
from nlpviz.ui.words.choice import VectorSource
from nlpviz.word_vectors.lookup import find, prefix, shown, spellings

EXAMPLES = ("paris", "bike", "cat", "fortress", "powerful")  # Fleuret's five
_TYPEAHEAD = 10_000  # the commonest words that the field completes; any other may be typed
_SHORTEST = 4  # letters of a part of a compound that is offered: "in" and "the" say little
_BEGUN = 3  # words that go on where a typed one stops, or parts of a phrase
_LONGEST = 60  # characters of a word in an address


def pick_word() -> str:
    """Return the word that the visitor typed or chose; the field completes common words and takes any other."""
    words = _common_words()
    first = next((word for word in EXAMPLES if word in words), words[0])
    address.read_text("word", "word", first, _LONGEST)
    word = completion.field("Word", words, key="word", placeholder="for example paris")
    address.write_text("word", "word", word, first, _LONGEST)
    return word


def _common_words() -> Sequence[str]:
    """Return the commonest words of the most accurate run, or of the uploaded vectors."""
    runs = choice.word_runs()
    if runs:
        return next(iter(runs.values())).vocabulary.words[len(SPECIALS) :][:_TYPEAHEAD]
    return next(iter(choice.own().values())).words[:_TYPEAHEAD]


def show_examples() -> None:
    """Show a row of words to ask for."""
    show_words("Examples", EXAMPLES, "example")


def show_words(label: str, words: Sequence[str], key: str) -> None:
    """Show words as buttons that ask for them, in a row that wraps."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption(label, width="content")
        for position, word in enumerate(words):
            st.button(
                escape_markdown(word), key=f"{key}_{position}", type="tertiary", on_click=widgets.set_to("word"),
                args=(word,),
            )  # fmt: skip


def show_unknown(source: VectorSource, word: str, position: int) -> None:
    """Say that a source does not know a word, and offer the nearest that it knows."""
    vectors = choice.asking(source)
    if not word:
        st.info("Type a word, or choose an example.")
        return
    split = [part for part in re.split(r"[\s-]+", word) if len(part) >= _SHORTEST]
    parts = [part for part in split[:_BEGUN] if part != word and find(vectors, part) is not None]
    near = list(dict.fromkeys([*parts, *prefix(vectors, word, _BEGUN), *spellings(vectors, word)]))
    end = "." if near else ", and no word in the vocabulary has a similar spelling."
    whose = source.run.title if source.run else source.title
    st.info(escape_markdown(f"{shown(word)} is not among the {len(vectors):,} words of {whose}{end}"))
    if near:
        show_words("Did you mean", near, f"spelling_{position}")
