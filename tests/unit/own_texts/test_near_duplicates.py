"""Texts that nearly stand among others, whatever stands beside these."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpviz.data.own_texts import near_duplicates
from nlpviz.data.own_texts.near_duplicates import nearly_in

LONG = [f"word{number}" for number in range(20)]
TEXTS = st.lists(st.lists(st.sampled_from("abc"), max_size=14).map(" ".join), max_size=6)


def test_short_texts_are_no_near_duplicates() -> None:
    assert nearly_in(["a b c d e f"], ["a b c d e f g"]) == 0
    long = [f"word{number}" for number in range(20)]
    assert nearly_in([" ".join(long)], [" ".join([*long, "more"]), " ".join(reversed(long))]) == 1
    assert nearly_in([], ["", "\ud800 b c d e f g h i"]) == 0


def test_texts_that_quote_parts_of_it_hide_no_near_duplicate() -> None:
    whole = [" ".join(LONG), " ".join([*LONG[:10], "one"]), " ".join([*LONG[10:], "another"])]
    for texts in permutations(whole):
        assert nearly_in(texts, [" ".join([*LONG, "more"])]) == 1
    assert nearly_in(whole[1:], [" ".join(LONG)]) == 0, "half of it stands in each"


@given(TEXTS, TEXTS)
def test_it_counts_what_comparing_each_with_each_does(texts: list[str], others: list[str]) -> None:
    def shingles(text: str) -> set[str]:
        return {text[start : start + 9] for start in range(0, len(text) - 8, 2)}

    alike = [
        len(own) >= 4 and any(len(own & shingles(text)) >= 0.7 * len(own) for text in texts)
        for own in map(shingles, others)
    ]
    assert nearly_in(texts, others) == sum(alike)


def test_of_a_large_corpus_shingles_are_sampled_whatever_word_they_begin_with() -> None:
    kept = sum(len(near_duplicates._shingles(f"the {number} a b c", 4)) for number in range(400))
    assert 50 < kept < 150


def test_a_near_duplicate_is_found_by_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_duplicates, "_MOST_SHINGLES", 1_000)
    texts = [" ".join(f"{letter}{number}" for number in range(1_000)) for letter in "abcd"]
    assert nearly_in(texts, [f"indeed {texts[2]}", texts[0].replace("a", "e")]) == 1


def test_what_stands_in_all_texts_hides_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only so many texts with the same rarest shingles are compared."""
    monkeypatch.setattr(near_duplicates, "_COMPARED", 3)
    same = " ".join(f"dear{number}" for number in range(20))
    texts = [f"{same} {' '.join(f'{letter}{number}' for number in range(20))}" for letter in "abcdefgh"]
    assert nearly_in(texts, [f"{texts[-1]} yours", f"{same} {' '.join(LONG)}"]) == 1
