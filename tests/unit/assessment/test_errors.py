"""Words that go with errors, slices and the surest errors: counts by brute force, a planted cause is found."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import fisher_exact

from nlpviz.analysis.inspection.errors import EMPTY, ErrorCollector, slices_by_column, slices_by_length
from nlpviz.results.errors import ConfidentError
from nlpviz.stats.significance import wilson

COUNT = 400


def collected(planted: float = 0.8) -> tuple[ErrorCollector, list[list[str]], NDArray[np.bool_]]:
    """Return what was counted of 400 texts, their words and which are right: ``sarcastic`` ones are mostly not."""
    rng = np.random.default_rng(0)
    words = [[*rng.choice(list("abcdefgh"), size=4), "always"] for _ in range(COUNT)]
    right = rng.random(COUNT) < 0.9
    for position in range(0, COUNT, 10):
        words[position] += ["sarcastic", "sarcastic"]
        right[position] = rng.random() > planted
    collector = ErrorCollector()
    for row, (some, is_right) in enumerate(zip(words, right, strict=True), start=1):
        collector.add(some, ConfidentError(row, " ".join(some), 0, int(not is_right), float(rng.random())))
    return collector, words, right


def test_a_planted_word_stands_first_with_its_counts() -> None:
    collector, words, right = collected()
    found = collector.words(right)
    assert (found.texts, found.errors, found.tested) == (COUNT, int((~right).sum()), 9), "all texts hold `always`"
    first = found.words[0]
    assert (first.word, first.texts, first.significant) == ("sarcastic", 40, True)
    assert first.odds_ratio > 5
    for word in found.words:
        holds = np.array([word.word in some for some in words])
        errors = int((holds & ~right).sum())
        assert (word.texts, word.errors) == (holds.sum(), errors)
        assert word.share == pytest.approx((~right)[holds].mean())
        assert word.interval == wilson(errors / holds.sum(), int(holds.sum()))
        assert word.outside == pytest.approx((~right)[~holds].mean())
        table = [[errors, holds.sum() - errors], [found.errors - errors, (right & ~holds).sum()]]
        assert word.p == pytest.approx(fisher_exact(table).pvalue)
        assert word.q >= word.p
    assert [word.p for word in found.words] == sorted(word.p for word in found.words)


def test_without_a_cause_no_word_is_a_discovery() -> None:
    collector, _, right = collected(planted=0.1)
    assert not any(word.significant for word in collector.words(right).words)


def test_the_surest_errors_come_first() -> None:
    collector = ErrorCollector()
    rng = np.random.default_rng(1)
    answers = [ConfidentError(row, "", 0, row % 2, float(rng.random())) for row in range(1, 301)]
    for answer in answers:
        collector.add([], answer)
    wrong = sorted((one for one in answers if one.predicted), key=lambda one: -one.probability)
    assert list(collector.surest) == wrong[:50]
    assert ErrorCollector().surest == ()
    assert ErrorCollector().words(np.zeros(0, bool)).words == ()


def test_lengths_are_cut_into_fifths() -> None:
    rng = np.random.default_rng(2)
    lengths = rng.integers(1, 300, size=500)
    right = rng.random(500) < np.where(lengths > 240, 0.3, 0.9)
    found = slices_by_length(lengths, right)
    assert found.by == "length"
    assert sum(one.texts for one in found.slices) == 500
    assert [one.significant for one in found.slices][-1]
    assert found.slices[-1].accuracy < found.slices[-1].rest
    for one in found.slices:
        low, _, high, _ = one.name.split()
        inside = (lengths >= int(low)) & (lengths <= int(high))
        assert inside.sum() == one.texts
        assert one.accuracy == pytest.approx(right[inside].mean())
        assert one.interval == wilson(one.accuracy, one.texts)
        wrong = int((~right)[inside].sum())
        table = [[wrong, one.texts - wrong], [(~right).sum() - wrong, (right & ~inside).sum()]]
        assert one.p == pytest.approx(fisher_exact(table).pvalue)


def test_ten_lengths_are_cut_in_twos() -> None:
    found = slices_by_length(np.arange(10, 0, -1), np.ones(10, bool))
    assert [one.name for one in found.slices] == [f"{low} to {low + 1} tokens" for low in (1, 3, 5, 7, 9)]


def test_equal_lengths_are_one_slice() -> None:
    (only,) = slices_by_length(np.full(30, 7), np.arange(30) < 20).slices
    assert (only.name, only.texts, only.q) == ("7 tokens", 30, 1)
    assert math.isnan(only.rest)


def test_a_column_of_values_and_the_rare_ones_together() -> None:
    values = ["Ann"] * 30 + [" Bob"] * 20 + [""] * 5 + [f"once {number}" for number in range(40)]
    found = slices_by_column("author", values, np.arange(95) % 3 > 0)
    names = [one.name for one in found.slices]
    assert names[:3] == ["Ann", "Bob", EMPTY]
    assert (len(names), found.others, names[-1]) == (21, 23, "(23 other values)")
    assert sum(one.texts for one in found.slices) == 95


def test_a_column_of_many_numbers_is_cut_into_fifths() -> None:
    years = [str(1900 + number % 100) for number in range(200)] + [""] * 3
    found = slices_by_column("year", years, np.ones(203, bool))
    assert [one.name for one in found.slices] == [
        "1900 to 1919", "1920 to 1939", "1940 to 1959", "1960 to 1979", "1980 to 1999", EMPTY,
    ]  # fmt: skip
    stars = slices_by_column("stars", ["1", "2"] * 10, np.ones(20, bool))
    assert [one.name for one in stars.slices] == ["1", "2"], "few numbers are values"
    hostile = slices_by_column(
        "x", ["nan"] * 9 + ["inf"] * 9 + [str(number) for number in range(30)], np.ones(48, bool)
    )
    assert hostile.slices[0].name == "nan"
