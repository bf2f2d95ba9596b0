"""Where one language model predicts better than another: groups, gains, intervals."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.analysis.inspection.gains import gains, jackknife_error, since_last
from nlpviz.text.tokenizers import EOS
from nlpviz.text.vocabulary import UNKNOWN, Vocabulary

WORDS = Vocabulary((EOS, "the", "7", ".", "cat", " ", "Cat"), (20_000, 10_000, 9_999, 100, 99, 10, 5))


def groups_of(words: list[str], grouping: str, *, of_characters: bool = False) -> dict[str, int]:
    ids = WORDS.ids(words)
    found = gains(ids, -np.ones(len(ids)), -2.0 * np.ones(len(ids)), WORDS, of_characters=of_characters)
    assert {one.grouping for one in found} >= {grouping}
    return {one.group: one.tokens for one in found if one.grouping == grouping}


def test_tokens_since_the_last_occurrence_are_counted_back() -> None:
    ids = np.array([5, 6, 5, 5, 7, 6])
    by_hand = [next((back for back in range(1, at + 1) if ids[at - back] == ids[at]), 0) for at in range(len(ids))]
    assert since_last(ids).tolist() == by_hand == [0, 0, 2, 1, 0, 4]


def test_groups_are_what_their_names_say() -> None:
    words = ["the", "Cat", "cat", ".", "the", "zzz", EOS]
    assert groups_of(words, "occurrences in the training text") == {
        "unknown word": 1, "under 10": 1, "10–99": 1, "100–999": 1, "10,000 or more": 3,
    }  # fmt: skip
    assert groups_of(words, "distance to the last occurrence") == {"1–10": 1, "first occurrence": 6}
    assert groups_of(words, "position in the sentence") == {"first": 2, "2–5": 4, "end of a line": 1}
    sorts = groups_of(words, "kind of token")
    assert sorts == {"lower case": 3, "capitalised": 1, "punctuation": 1, "unknown word": 1, "end of a line": 1}
    assert WORDS.ids(["zzz"]).tolist() == [UNKNOWN]


def test_every_grouping_holds_every_token_once() -> None:
    rng = np.random.default_rng(0)
    ids = rng.integers(UNKNOWN, len(WORDS.words), 3_000)
    own, other = -rng.exponential(2.0, 3_000), -rng.exponential(3.0, 3_000)
    found = gains(ids, own, other, WORDS, of_characters=True)
    for grouping in {one.grouping for one in found}:
        some = [one for one in found if one.grouping == grouping]
        assert sum(one.tokens for one in some) == 3_000
        assert sum(one.gain * one.tokens for one in some) / 3_000 == pytest.approx((own - other).mean())
        assert not any(one.low > one.gain + 1e-9 or one.gain > one.high + 1e-9 for one in some)


def test_intervals_hold_what_they_say() -> None:
    """Of 200 means of noise about 95% lie within theirs: between 88 and 99%."""
    rng, within = np.random.default_rng(1), 0
    ids = np.full(2_000, WORDS.id("the"))
    for _ in range(200):
        found = gains(ids, rng.normal(0.3, 1.0, 2_000) - 5, np.full(2_000, -5.0), WORDS, of_characters=False)
        (one,) = (one for one in found if one.grouping == "kind of token")
        within += one.low <= 0.3 <= one.high
    assert 176 <= within <= 198


def test_few_tokens_have_no_interval() -> None:
    ids = np.full(1_000, WORDS.id("the"))  # of 50 pieces of 20 tokens
    ids[:180:20] = WORDS.id("cat")
    ids[1:200:20] = WORDS.id("Cat")
    found = gains(ids, np.full(1_000, -2.0), np.full(1_000, -5.0), WORDS, of_characters=False)
    low = {one.group: one.low for one in found if one.grouping == "occurrences in the training text"}
    assert np.isnan(low["10–99"]), "nine pieces hold it"
    assert low["under 10"] == pytest.approx(3.0), "ten do"
    assert low["10,000 or more"] == pytest.approx(3.0)


def test_the_error_of_equal_pieces_is_that_of_their_mean() -> None:
    means = np.random.default_rng(2).normal(size=50)
    expected = means.std(ddof=1) / np.sqrt(50)
    assert jackknife_error(means * 40, np.full(50, 40)) == pytest.approx(expected)
    assert jackknife_error(np.array([3.0]), np.array([4])) == 0.0
