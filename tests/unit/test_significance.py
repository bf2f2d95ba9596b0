"""Intervals and paired tests against scipy, by hand and by drawing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, binomtest, false_discovery_control, fisher_exact

from nlpviz.stats.significance import benjamini_hochberg, compare, compare_counts, fisher, mid_p, odds_ratio, wilson


@pytest.mark.parametrize(("right", "count"), [(22_668, 25_000), (9, 10), (0, 7), (7, 7), (1, 2)])
def test_wilsons_interval_is_scipys(right: int, count: int) -> None:
    expected = binomtest(right, count).proportion_ci(method="wilson")
    assert wilson(right / count, count) == pytest.approx((expected.low, expected.high), abs=1e-6)


@pytest.mark.parametrize("count", [3, 4, 5, 10, 31])
def test_the_interval_of_none_begins_at_zero_and_that_of_all_ends_at_one(count: int) -> None:
    assert wilson(0.0, count).low == 0
    assert wilson(1.0, count).high == 1


def test_of_nothing_nothing_is_known() -> None:
    assert wilson(0.0, 0) == (0, 1)
    none = np.zeros(0, dtype=bool)
    assert compare(none, none).p == 1
    assert compare(none, none).difference == 0


@pytest.mark.parametrize(("first", "second"), [(1, 7), (10, 10), (0, 0), (59, 6), (1_200, 1_100)])
def test_mid_p_is_the_exact_p_less_half_of_what_was_found(first: int, second: int) -> None:
    fewer, count = min(first, second), first + second
    expected = 2 * binom.cdf(fewer, count, 0.5) - binom.pmf(fewer, count, 0.5)
    assert mid_p(first, second) == pytest.approx(min(expected, 1.0), rel=1e-9)
    assert mid_p(first, second) == mid_p(second, first)


def test_by_hand() -> None:
    """One alone has 1 of 21 documents right, the other 7: of 256 ways, 1 + 8 / 2 are no further out, either way."""
    found = compare_counts(1, 7, 21)
    assert found.p == pytest.approx(2 * (1 + 8 / 2) / 256)
    assert found.difference == pytest.approx(-6 / 21)
    middle, half = -6 / 23, 1.959964 * np.sqrt((10 / 23 - (6 / 23) ** 2) / 23)
    assert found.interval == pytest.approx((middle - half, middle + half))


@pytest.mark.parametrize("gap", [0.0, 0.04])
def test_interval_covers_and_test_keeps_its_level(gap: float) -> None:
    """Of 2,000 draws of 400 documents about 95% of the intervals hold the true difference."""
    rng = np.random.default_rng(0)
    draws = rng.multinomial(400, [0.08 + gap, 0.08, 0.84 - gap], size=2_000)
    found = [compare_counts(int(first), int(second), 400) for first, second, _ in draws]
    covered = np.mean([one.interval.low <= gap <= one.interval.high for one in found])
    assert covered == pytest.approx(0.95, abs=0.015)
    if not gap:
        assert np.mean([one.significant for one in found]) == pytest.approx(0.05, abs=0.015)


def test_only_what_one_alone_has_right_counts() -> None:
    first = np.array([True] * 50 + [True] * 30 + [False] * 5)
    second = np.array([True] * 50 + [False] * 30 + [True] * 5)
    found = compare(first, second)
    assert (found.first_only, found.second_only) == (30, 5)
    assert found.difference == pytest.approx(25 / 85)
    assert found.significant
    assert not compare(first, first).significant
    assert compare(second, first).interval == pytest.approx([-end for end in reversed(found.interval)])


@pytest.mark.parametrize(("marked", "count"), [(3, 40), (0, 20), (20, 20), (130, 1_000)])
def test_fishers_exact_p_is_scipys(marked: int, count: int) -> None:
    rng = np.random.default_rng(marked)
    is_marked = np.arange(count) < marked
    groups = [rng.random(count) < share for share in (0.0, 0.01, 0.05, 0.05, 0.3, 0.9, 1.0)]
    groups.append(is_marked)
    inside, sizes = (
        np.array([int(part.sum()) for part in parts]) for parts in ([g & is_marked for g in groups], groups)
    )
    expected = [
        fisher_exact([[a, size - a], [marked - a, count - size - marked + a]]).pvalue
        for a, size in zip(inside.tolist(), sizes.tolist(), strict=True)
    ]
    np.testing.assert_allclose(fisher(inside, sizes, marked, count), expected, rtol=1e-6)


def test_an_odds_ratio_by_hand() -> None:
    found = odds_ratio(np.array([8, 0]), np.array([10, 5]), 12, 40)
    np.testing.assert_allclose(found, [8.5 * 26.5 / (2.5 * 4.5), 0.5 * 23.5 / (5.5 * 12.5)])


def test_adjusted_p_values_are_scipys() -> None:
    p = np.random.default_rng(0).random(50) ** 3
    np.testing.assert_allclose(benjamini_hochberg(p), false_discovery_control(p))
    assert len(benjamini_hochberg(np.zeros(0))) == 0
