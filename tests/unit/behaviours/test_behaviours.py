"""Pairs, what is expected of them, and what passes: numbers worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nlpviz.results.behaviours import Probed, Rate, chance, emerged, failures, passes, rates, shortfalls
from nlpviz.results.minimal_pairs import EXPECTATIONS, MinimalPair
from nlpviz.stats.significance import wilson


def pair(expected: str, capability: str = "negation") -> MinimalPair:
    return MinimalPair(capability, f"{capability} {expected}", "good", "not good", expected)


def probed(positive: list[list[float]], known: list[bool] | None = None) -> Probed:
    return Probed("run", "Run", 1, np.array(positive, np.float32), np.array(known or [True] * len(positive)))


@pytest.mark.parametrize(
    ("expected", "positive", "lacking"),
    [
        ("positive/negative", (0.8, 0.3), -0.2),
        ("positive/negative", (0.8, 0.9), 0.4),
        ("positive/negative", (0.4, 0.1), 0.1),
        ("positive/negative", (0.5, 0.1), 0.0),
        ("negative/positive", (0.1, 0.9), -0.4),
        ("negative/negative", (0.1, 0.6), 0.1),
        ("positive/positive", (0.7, 0.6), -0.1),
        ("higher", (0.2, 0.3), -0.1),
        ("higher", (0.3, 0.3), 0.0),
        ("lower", (0.2, 0.3), 0.1),
        ("lower", (0.9, 0.4), -0.5),
        ("same", (0.5, 0.55), -0.05),
        ("same", (0.55, 0.4), 0.05),
    ],
)
def test_what_a_pair_lacks(expected: str, positive: tuple[float, float], lacking: float) -> None:
    found = shortfalls([pair(expected)], np.array([positive]))
    assert found == pytest.approx([lacking])
    assert passes([pair(expected)], np.array([positive])).tolist() == [lacking < 0]


def test_every_expectation_is_of_one_kind_of_test() -> None:
    tests = [pair(expected).test for expected in EXPECTATIONS]
    assert tests == ["minimum functionality"] * 4 + ["directional expectation"] * 2 + ["invariance"]


def test_rates_leave_out_unknown_words_and_keep_the_order() -> None:
    pairs = [pair("higher", "b"), pair("higher", "a"), pair("lower", "b"), pair("higher", "b"), pair("higher", "c")]
    one = probed([[0, 1], [0, 1], [0, 1], [0, 1], [0, 1]], [True, True, True, True, False])
    assert rates(pairs, one) == {"b": Rate(2, 3), "a": Rate(1, 1), "c": Rate(0, 0)}
    assert rates(pairs, one, by_template=True)["b lower"] == Rate(0, 1)
    assert math.isnan(rates(pairs, one)["c"].share)
    assert rates(pairs, one)["c"].interval == (0, 1)
    assert rates(pairs, one)["b"].interval == wilson(2 / 3, 3)


def test_failures_are_worst_first_and_known() -> None:
    pairs = [pair("higher")] * 4
    one = probed([[0.5, 0.4], [0.9, 0.1], [0.1, 0.9], [1.0, 0.0]], [True, True, True, False])
    assert failures(pairs, one) == [1, 0]


def test_chance_is_that_of_coins() -> None:
    """Drawn: what passes where both texts get independent uniform probabilities."""
    drawn = np.random.default_rng(0).random((40_000, 2))
    for expected in EXPECTATIONS[:-1]:
        share = passes([pair(expected)] * len(drawn), drawn).mean()
        assert chance([pair(expected)]) == pytest.approx(share, abs=0.01)
    assert chance([pair("higher"), pair("positive/negative")]) == pytest.approx(0.375)
    assert chance([pair("higher"), pair("same")]) is None
    assert chance([]) is None


@pytest.mark.parametrize(
    ("passed", "epoch"),
    [
        ({0: 10, 1: 90, 2: 95}, 1),
        ({0: 90, 1: 10, 2: 95}, 2),  # it was lost on the way
        ({0: 10, 1: 90, 2: 55}, None),  # 45% to 64%: no interval above one half
        ({0: 60, 1: 90}, 0),  # 50.2% to 69.1%
        ({0: 59, 1: 90}, 1),  # 49.2% to 68.1%
        ({0: 10}, None),
        ({}, None),
    ],
)
def test_what_emerged_stays_to_the_last_kept_epoch(passed: dict[int, int], epoch: int | None) -> None:
    assert emerged({at: Rate(count, 100) for at, count in passed.items()}) == epoch


def test_nobody_writes_into_what_was_probed() -> None:
    one = probed([[0, 1]])
    with pytest.raises(ValueError, match="read-only"):
        one.positive[0, 0] = 1
