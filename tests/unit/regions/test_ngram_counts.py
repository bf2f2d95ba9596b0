"""Counts of n-grams against a plain counter, and what becomes of those that never were there."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpviz.results.ngram_counts import SPACING, NgramCounts
from nlpviz.runs import RunError, ngram_counts, open_run
from nlpviz.runs.counts import COUNTS, write_counts
from tests import toy

TEXTS = [text.split() for text in toy.read("train").texts]


def counted(texts: list[list[str]], longest: int) -> Counter[tuple[str, ...]]:
    """Return how often each n-gram stands in ``texts``."""
    return Counter(
        tuple(words[start : start + size])
        for words in texts
        for size in range(1, longest + 1)
        for start in range(len(words) - size + 1)
    )


def test_every_ngram_has_its_count() -> None:
    counts = NgramCounts.count(TEXTS, 3)
    true = counted(TEXTS, 3)
    result = {ngram: counts.of(ngram) for ngram in true}
    wrong = sum(result[ngram] != times for ngram, times in true.items())
    assert all(result[ngram] >= times for ngram, times in true.items()), "what stood there is never less"
    assert wrong <= 2 * len(true) / SPACING, "two of one hash share the larger count"
    assert counts.texts == len(TEXTS)


def test_what_never_stood_there_is_seldom_found() -> None:
    """An n-gram of known words meets a foreign hash once in SPACING times at most."""
    counts, true = NgramCounts.count(TEXTS, 3), counted(TEXTS, 3)
    rng = np.random.default_rng(0)
    words = sorted({word for text in TEXTS for word in text})
    strangers = {tuple(rng.choice(words, 3)) for _ in range(4_000)} - set(true)
    assert len(strangers) > 2_000
    assert sum(counts.of(ngram) > 0 for ngram in strangers) <= 1.5 * len(strangers) / SPACING
    assert counts.of(["zyzzyva"]) == counts.of(["the", "zyzzyva"]) == 0


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=6), max_size=5), st.integers(1, 4))
def test_small_collections(texts: list[list[str]], longest: int) -> None:
    counts = NgramCounts.count(texts, longest)
    true = counted(texts, longest)
    for ngram, times in true.items():
        assert counts.of(ngram) >= times
    assert len(counts.hashes) <= len(true)
    assert true or counts.of(["a"]) == 0


def test_many_at_once_are_each_one() -> None:
    counts, words = NgramCounts.count(TEXTS, 2), sorted({word for text in TEXTS for word in text})
    pairs = np.random.default_rng(1).integers(len(words), size=(50, 2))
    assert counts.of_each(pairs, words).tolist() == [counts.of([words[a], words[b]]) for a, b in pairs]


@pytest.mark.parametrize("words", [[], ["a", "b", "c"]])
def test_ngrams_of_other_lengths_were_not_counted(words: list[str]) -> None:
    with pytest.raises(ValueError, match="of 1 to 2 words were counted"):
        NgramCounts.count(TEXTS, 2).of(words)


def test_counts_are_kept_with_the_baseline(trained: Path) -> None:
    counts = ngram_counts("toy")
    assert counts is not None
    assert counts.of(["splendid"]) == sum(text.count("splendid") for text in TEXTS)
    fresh = NgramCounts.count(TEXTS, counts.longest)
    assert np.array_equal(counts.hashes, fresh.hashes)
    assert np.array_equal(counts.counts, fresh.counts)
    assert ngram_counts("another corpus") is None
    text = (trained / "toy-ngrams" / COUNTS).read_bytes()
    assert b"splendid" not in text


def test_damaged_counts_are_refused(trained: Path) -> None:
    write_counts(trained / "toy-ngrams", NgramCounts.count(TEXTS, 2))
    with pytest.raises(RunError, match="damaged"):
        ngram_counts("toy")
    (trained / "toy-ngrams" / COUNTS).unlink()
    with pytest.raises(RunError, match=f"has no file {COUNTS}"):
        ngram_counts("toy")
    open_run("toy-ngrams").save()
    assert ngram_counts("toy") is None
