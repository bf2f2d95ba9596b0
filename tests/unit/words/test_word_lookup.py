"""What people type, and the words that are found for it."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.results.vectors import WordVectors
from nlpviz.word_vectors.lookup import LONGEST, UnknownWord, find, index_of, prefix, spellings
from tests.words import toy_vectors


def known(*words: str) -> WordVectors:
    """Return vectors of these words, which nobody looks at."""
    return WordVectors.of("words", words, np.eye(len(words), dtype=np.float32))


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("king", "king"),
        ("  King \n", "king"),
        ("KING", "king"),
        ("don’t", "don't"),
        ("DON’T", "don't"),
        ("cafe\N{COMBINING ACUTE ACCENT}", "café"),
        ("CAFÉ", "café"),
        ("new york", "new_york"),
        ("New York", "new_york"),
        ("well-known", "well-known"),
        ("1984", "1984"),
    ],
)
def test_spelling_case_form_and_separator_do_not_matter(typed: str, word: str) -> None:
    vectors = toy_vectors()
    row = find(vectors, typed)
    assert row is not None
    assert vectors.words[row] == word
    assert index_of(vectors, typed) == row


@pytest.mark.parametrize("typed", ["", "  ", "kingg", "king queen", "<b>king</b>", "\0", "k" * 100_000, "ｋｉｎｇ"])
def test_what_is_no_word_is_none(typed: str) -> None:
    assert find(toy_vectors(), typed) is None
    with pytest.raises(UnknownWord) as raised:
        index_of(toy_vectors(), typed)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 200


def test_the_faithful_spelling_goes_before_others() -> None:
    vectors = known("us", "US", "Us", "new york", "new_york")
    for typed in vectors.words:
        assert vectors.words[index_of(vectors, typed)] == typed
    assert vectors.words[index_of(vectors, "uS")] == "us"


def test_capitals_of_a_persons_own_vectors_are_found_from_small_letters() -> None:
    vectors = known("Paris", "NATO", "New_York", "rock’n’roll", "McCartney")
    typed = ("paris", "nato", "new york", "rock'n'roll", "mcCartney")
    assert [vectors.words[index_of(vectors, one)] for one in typed] == list(vectors.words)


def test_spellings_are_the_nearest_then_the_commonest() -> None:
    vectors = known("seen", "queen", "queens", "keen", "quiet", "unrelated")
    # one letter more: queen; exchanged neighbours count once
    assert spellings(vectors, "qeen")[:2] == ("seen", "queen")  # both one step, the commoner first
    assert spellings(vectors, "qeuen") == ("queen",)
    assert spellings(vectors, "QUEENS", 1) == ("queens",)
    assert spellings(vectors, "xxxxxxxx") == ()
    assert spellings(vectors, "sn") == ()  # with two letters everything would be near
    assert spellings(vectors, "") == () == spellings(vectors, "q" * (LONGEST + 1))


def test_what_is_not_near_is_no_spelling() -> None:
    vectors = known("connect", "soviet", "sunset", "sonnets", "government")
    assert spellings(vectors, "sonnet") == ("sonnets",)
    assert spellings(vectors, "govermment") == ("government",)
    assert spellings(vectors, "grandmother-in-law") == ()


def test_an_unknown_word_is_refused_with_its_spellings() -> None:
    with pytest.raises(UnknownWord, match=r"^'qeen' is not among the 36 words; did you mean queen\?$") as raised:
        index_of(toy_vectors(), "qeen")
    assert (raised.value.typed, raised.value.spellings) == ("qeen", ("queen",))
    with pytest.raises(UnknownWord, match=r"no similar spelling was found\.$"):
        index_of(toy_vectors(), "zzzzzzzz")
    with pytest.raises(UnknownWord, match=r"^Type a word"):
        index_of(toy_vectors(), "  ")
    with pytest.raises(UnknownWord, match=r"did you mean prince or princess\?"):
        index_of(toy_vectors(), "princes")


def test_prefix_is_answered_in_the_order_of_frequency() -> None:
    assert prefix(toy_vectors(), "PRIN", 5) == ("prince", "princess")
    assert prefix(toy_vectors(), "", 3) == ("the", "of", "and")
    assert prefix(toy_vectors(), "prin", 1) == ("prince",)
    assert prefix(toy_vectors(), "zzz", 5) == ()
    assert prefix(known("Paris", "park", "pot"), "par", 5) == ("Paris", "park")


def test_spellings_of_a_large_vocabulary() -> None:
    rng = np.random.default_rng(0)
    words = list({"".join(rng.choice(list("abcdefghij"), size=8)) for _ in range(70_000)})
    vectors = WordVectors.of("many", words, np.ones((len(words), 1), dtype=np.float32))
    assert words[-1] in spellings(vectors, words[-1][1:])
