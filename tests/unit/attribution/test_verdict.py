"""No sentence about deletion or randomisation says more than its number holds."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from nlpviz.results.deletion import BINS, MARGIN, DeletionCurve, DeletionSurvey
from nlpviz.results.randomisation import Randomisation
from nlpviz.ui.attribution import randomisation, verdict


def curve(own: float, random: list[float], *, rises: bool = False) -> DeletionCurve:
    """Return curves whose probability falls (or rises) by so much at every step."""
    start, way = (0.0, 1) if rises else (1.0, -1)
    steps = np.array([0, 1, 1, 1, 1, 1])

    def drawn(amount: float) -> np.ndarray:
        return (start + way * amount * steps).astype(np.float32)

    taken = np.array([0, 1, 5, 10, 20, 50])
    curves = np.stack([drawn(amount) for amount in random])
    return DeletionCurve("toy", 1, "truth", "good", 100, taken, drawn(own), curves, 0, rises)


AMOUNT = some.integers(0, 1000).map(lambda thousandths: thousandths / 1000)


@given(own=AMOUNT, random=some.lists(AMOUNT, min_size=1, max_size=10), rises=some.booleans())
def test_the_verdict_is_the_number(own: float, random: list[float], rises: bool) -> None:
    result = curve(own, random, rises=rises)
    said = verdict.judgement(result)
    areas, count = result.random_aopc, len(random)
    beaten = int((result.aopc > areas + MARGIN).sum())
    lost = int((result.aopc < areas - MARGIN).sum())
    assert said.startswith("Better than all") == (beaten == count)
    assert said.startswith("Worse than all") == (lost == count)
    if said.startswith("Within"):
        assert beaten > count / 2
        assert said.endswith(f"; beats {beaten} of {count}")
    if said.startswith("No better"):
        assert beaten <= count / 2
        assert said.endswith(f"; beats {beaten or 'none'} of {count}")
    assert re.match("Better|Worse|Within|No better", said)


def test_the_numbers_stand_beside_the_verdict() -> None:
    said = verdict.here(curve(0.6, [0.12, 0.06, 0.3]))
    assert said == "**Better than all 3 random orders here** (AOPC 0.500; random orders 0.050 to 0.250)."
    assert verdict.here(curve(0.1, [0.1] * 10)).startswith("**No better than a random order here; beats none of 10**")


def survey(difference: float) -> DeletionSurvey:
    """Return two methods: one that differs from random orders by about so much, and one that equals them."""
    rng = np.random.default_rng(0)
    random = rng.normal(0.1, 0.03, 300).astype(np.float32)
    one = (random + rng.normal(difference, 0.05, 300)).astype(np.float32)
    better = np.full((300, 2), 10, np.int32)
    better[:30, 0] = 9
    ids = tuple(map(str, range(300)))
    return DeletionSurvey(
        "toy", 4, ids, np.full(300, 9, np.int32), 10, ("one", "same"), np.stack([one, random], axis=1), better, random
    )


@pytest.mark.parametrize("difference", [-0.2, -0.02, -0.004, 0.0, 0.004, 0.02, 0.2])
def test_over_reviews_better_is_said_where_the_interval_is_above_nothing(difference: float) -> None:
    result = survey(difference)
    said, gained = verdict.in_general(result, "one"), result.gained("one")
    assert ("better than random" in said) == (gained.low > 0)
    assert ("worse than random" in said) == (gained.high < 0)
    assert ("not distinguishable from random" in said) == (gained.low <= 0 <= gained.high)
    assert f"**{result.of('one').mean:.3f}".replace("-", "−") in said
    assert "The method beats all 10 random orders in 270 texts" in said
    assert said.endswith(f"ranks {'first' if result.best_first[0] == 'one' else 'second'} of 2 methods.")
    assert "300 test texts at epoch 4" in said


def test_a_method_that_is_random_is_not_called_better() -> None:
    assert "not distinguishable" in verdict.in_general(survey(0.2), "same")


def test_how_aopc_was_measured_is_read_off_the_survey() -> None:
    *some, last = (f"{100 * share:g}" for share in (0, *BINS))
    assert f"when {', '.join(some)} and {last}% of the tokens are removed" in verdict.reading(None)
    assert "has not been measured on test texts" in verdict.reading(None)
    assert "measured on 300 test posts" in verdict.reading(survey(0.2), "post")


# ----------------------------------------------------------------------------------------------------- randomisation

RESULT = Randomisation(
    "toy", 1, "truth", True, "good", 120, 101, ("output layer", "word vectors"),
    np.array([0.8, 0.1]), np.array([0.9, 0.05]), 0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("last", "unsigned", "depends"),
    [
        (0.19, 0.0, True),
        (0.2, 0.0, False),
        (-0.19, 0.1, True),
        (-0.4, 0.1, False),
        (0.0, 0.5, False),
        (0.0, -0.3, False),
    ],
)
def test_what_is_left_is_judged_by_what_chance_leaves(last: float, unsigned: float, depends: bool) -> None:
    """A hundred and one different words: 1.96 / sqrt(100)."""
    result = replace(RESULT, scores=np.array([0.8, last]), magnitudes=np.array([0.9, unsigned]))
    assert result.unrelated == pytest.approx(0.196)
    said = randomisation.said(result)
    assert ("the order shown depends on the parameters" in said) is depends
    assert ("reach only ±0.20" in said) is not depends
    assert "With a random output layer, the words’ ranks correlate **+0.80**" in said


def test_unsigned_scores_have_no_second_number() -> None:
    assert "if the signs are ignored" in randomisation.said(RESULT)
    assert "if the signs are ignored" not in randomisation.said(replace(RESULT, signed=False, magnitudes=RESULT.scores))


def test_scores_without_an_order_are_not_judged() -> None:
    said = randomisation.said(replace(RESULT, scores=np.array([0.8, np.nan])))
    assert said.endswith("There are too few distinct scores to rank.")
    assert replace(RESULT, words=0).unrelated == replace(RESULT, words=1).unrelated == 1
