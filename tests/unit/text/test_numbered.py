"""Texts as numbers of words: what vocabularies and other texts are made of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nlpviz.text.numbered import NumberedTexts
from nlpviz.text.vocabulary import Vocabulary

TEXTS = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8), max_size=6)
SIZES = st.integers(2, 12)


def read(texts: NumberedTexts) -> list[list[str]]:
    """Return the words of each text."""
    words = [texts.words[number] for number in texts.ids]
    ends = texts.ends.tolist()
    return [words[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def ranked(texts: NumberedTexts) -> bool:
    """Return whether the words are those of the texts, in their order."""
    counts = texts.counts
    return sorted(counts, key=lambda word: (-counts[word], word)) == list(texts.words) and all(counts.values())


@given(TEXTS, SIZES)
def test_vocabularies_and_ids_are_those_of_the_texts(texts: list[list[str]], size: int) -> None:
    numbered, expected = NumberedTexts.of(texts), Vocabulary.count(texts, size)
    assert read(numbered) == texts
    assert ranked(numbered)
    vocabulary = numbered.vocabulary(size)
    assert vocabulary.words == expected.words
    assert vocabulary.counts.tolist() == expected.counts.tolist()
    ids = numbered.ids_in(vocabulary)
    assert ids.dtype == np.int64
    assert ids.tolist() == [number for text in texts for number in expected.ids(text)]


@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_parts_together_are_one_after_the_other(parts: list[list[list[str]]]) -> None:
    together = NumberedTexts.together([NumberedTexts.of(part) for part in parts])
    assert read(together) == [text for part in parts for text in part]
    assert ranked(together)


@given(TEXTS, st.integers(0, 9), st.data())
def test_some_texts_and_their_beginnings(texts: list[list[str]], most: int, data: st.DataObject) -> None:
    numbered = NumberedTexts.of(texts)
    places = data.draw(st.lists(st.sampled_from(range(len(texts))))) if texts else []
    taken = numbered.take(np.array(places, dtype=np.int64))
    assert read(taken) == [texts[place] for place in places]
    assert read(numbered.cut(most)) == [text[:most] for text in texts]
    assert ranked(taken)
    assert ranked(numbered.cut(most))


@given(TEXTS)
def test_a_mark_ends_each_text(texts: list[list[str]]) -> None:
    for mark in ("a", "end"):
        ended = NumberedTexts.of(texts).ended(mark)
        assert read(ended) == [[*text, mark] for text in texts]
        assert ranked(ended)
