"""Sentences about trials say no more than their intervals hold."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from nlpviz.results.feedforward import NetworkPoint, Trial, Trials
from nlpviz.ui.feedforward.verdicts import differences, told_apart

POINTS = (NetworkPoint(0, 3.0, 0.05, 3.0, 0.05), NetworkPoint(10, 1.0, 0.6, 1.5, 0.5))


def made(**tests: Sequence[float]) -> Trials:
    """Return trials with these test accuracies, a seed each."""
    trials = tuple(
        Trial(name, name.upper(), "kind", seed, 0.1, POINTS, test, 1.0)
        for name, some in tests.items()
        for seed, test in enumerate(some)
    )
    return Trials("made", trials, 10, {}, "cpu", "today", {})


def test_only_what_the_interval_holds_is_called_better_or_worse() -> None:
    base = (0.50, 0.51, 0.49, 0.50, 0.52)
    trials = made(
        base=base,
        up=[one + 0.05 + 0.001 * place for place, one in enumerate(base)],
        down=[one - 0.05 - 0.001 * place for place, one in enumerate(base)],
        noisy=[0.60, 0.45, 0.55, 0.47, 0.58],
    )
    assert told_apart(trials, "kind", "base") == (
        "Of 3 alternatives to BASE, 1 is significantly better and 1 significantly worse (5 seeds)."
    )
    assert told_apart(made(base=base, same=base), "kind", "base") == (
        "Over 5 seeds, no alternative differs significantly from BASE."
    )
    table = differences(trials, "kind", "base")
    assert table["Option"] == ["UP", "NOISY", "BASE", "DOWN"]
    assert table["Compared with BASE"] == ["better", "no significant difference", "", "worse"]
    assert [one.partition(" ")[0] for one in table["Difference from BASE (points)"]] == ["+5.2", "+2.6", "–", "−5.2"]


def test_more_comparisons_ask_for_more() -> None:
    """A difference that stands alone need not stand among ten (Bonferroni)."""
    base, other = (0.50, 0.52, 0.51, 0.49, 0.50), (0.52, 0.53, 0.54, 0.50, 0.53)
    alone = made(base=base, other=other).lead("kind", "other", "base")[1]
    many = made(base=base, other=other, **{f"x{number}": base for number in range(20)}).lead("kind", "other", "base")[1]
    assert alone.low > 0 > many.low


def test_what_diverged_is_counted() -> None:
    trials = made(base=(0.5, 0.5), other=(0.05, 0.5))
    gone = tuple(
        trial if (trial.choice, trial.seed) != ("other", 0) else Trial(**{**vars(trial), "diverged": 3})
        for trial in trials.trials
    )
    assert differences(Trials(**{**vars(trials), "trials": gone}), "kind", "base")["Diverged"] == ["", "1 of 2"]


def test_a_mean_has_students_interval() -> None:
    mean, (low, high) = made(base=(0.4, 0.5, 0.6)).test("kind", "base")
    assert mean == pytest.approx(0.5)
    assert high - low == pytest.approx(2 * 4.3027 * 0.1 / 3**0.5, rel=1e-4)
