"""What is counted of a text's gates: correlations, orders, saturation, turns, skipped words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import pearsonr

from nlpviz.analysis.inspection.gates import ORDERS, clustered, correlations, read_course
from nlpviz.results.gates import jumps, running, saturation, skipped, turns
from nlpviz.results.states import CellPart, TextStates
from nlpviz.text.vocabulary import EncodedText, Token

ABOUT = (CellPart("forget gate", "f", is_gate=True), CellPart("cell state", "c", is_gate=False))


def made(positive: NDArray[np.float32], layers: int = 2, units: int = 9, epoch: int = 1, seed: int = 0) -> TextStates:
    """Return made-up states over a text whose running prediction is ``positive``."""
    rng, steps = np.random.default_rng(seed), len(positive)
    tokens = tuple(Token(f"w{position}", 3 * position, 3 * position + 2) for position in range(steps))
    text = EncodedText("".join(f"w{position % 10} " for position in range(steps)), tokens, np.arange(steps) + 2, 400)
    shape = (steps, layers, units)
    parts = {
        "forget gate": rng.random(shape).astype(np.float32),
        "cell state": rng.normal(size=shape).astype(np.float32),
    }
    after = np.stack([1 - positive, positive], axis=1).astype(np.float32)
    return TextStates(
        run="toy", epoch=epoch, text=text, class_names=("negative", "positive"),
        probabilities=after[-1] if steps else np.array([0.5, 0.5], np.float32), after=after,
        states=rng.normal(size=shape).astype(np.float32), parts=parts, about=ABOUT, formula=(),
    )  # fmt: skip


COURSE = np.array([0.5, 0.52, 0.9, 0.88, 0.2, 0.25, 0.3, 0.7], dtype=np.float32)


def test_correlations_are_pearsons() -> None:
    states = made(COURSE)
    (course,) = read_course([states], "cell state", 1, 1)
    expected = [pearsonr(states.parts["cell state"][:, 1, unit], COURSE).statistic for unit in range(9)]
    np.testing.assert_allclose(course.correlation, expected, atol=1e-6)
    assert course.ranked[0] == int(np.abs(expected).argmax())
    still = states.states[:, 0].copy()
    still[:, 4] = 0.25
    assert np.flatnonzero(np.isnan(correlations(still, COURSE.astype(np.float64)))).tolist() == [4]
    assert np.isnan(correlations(still, np.full(len(COURSE), 0.5))).all()
    assert np.isnan(correlations(still[:2], np.array([0.1, 0.9]))).all()


def test_a_planted_unit_stands_out_against_shifts_and_noise_does_not() -> None:
    positive = np.clip(np.cumsum(np.random.default_rng(4).normal(size=60)) / 12 + 0.5, 0, 1).astype(np.float32)
    states = made(positive, units=30)
    planted = states.states.copy()
    planted[:, 0, 17] = -positive
    (found,) = read_course([replace(states, states=planted)], "hidden state", 0, 1)
    assert found.ranked[0] == 17
    assert found.correlation[17] == pytest.approx(-1)
    assert found.by_chance is not None
    assert found.by_chance < 0.95
    (noise,) = read_course([states], "hidden state", 0, 1)
    assert noise.by_chance is not None
    assert abs(noise.correlation[noise.ranked[0]]) < noise.by_chance + 0.02


def test_two_trends_are_no_more_than_drift() -> None:
    """Of a short text, nearly every course rises or falls: units that do so too are nothing special."""
    states = made(np.linspace(0.2, 0.9, 8, dtype=np.float32))
    rising = states.states.copy()
    rising[:, 0] = np.linspace(-1, 1, 8)[:, None] ** 3 * np.arange(1, 10)
    (course,) = read_course([replace(states, states=rising)], "hidden state", 0, 1)
    assert course.by_chance is not None
    assert course.by_chance >= abs(course.correlation[course.ranked[0]]) - 0.02


def test_units_with_like_courses_stand_side_by_side() -> None:
    rng = np.random.default_rng(1)
    families = rng.normal(size=(40, 3))
    member = np.array([0, 1, 2] * 5)
    values = (families[:, member] + 0.1 * rng.normal(size=(40, 15))).astype(np.float32)
    values[:, 6] = 0.5
    order = clustered(values)
    assert sorted(order.tolist()) == list(range(15))
    assert order[-1] == 6
    assert (np.diff(member[order[:-1]]) != 0).sum() == 2


def test_epochs_of_a_run_have_the_last_ones_order() -> None:
    epochs = [made(COURSE, epoch=epoch, seed=epoch) for epoch in (0, 8)]
    for order in ORDERS:
        first, last = read_course(epochs, "forget gate", 0, 1, order)
        np.testing.assert_array_equal(first.order, last.order)
        (alone,) = read_course(epochs[1:], "forget gate", 0, 1, order)
        np.testing.assert_array_equal(alone.order, last.order)
    last = read_course(epochs, "forget gate", 0, 1, "correlation")[1]
    assert (np.diff(last.correlation[last.order]) <= 0).all()


def test_saturated_shares_are_counted() -> None:
    states = made(COURSE)
    result = saturation(states)
    assert [(one.gate, one.layer) for one in result] == [("forget gate", 0), ("forget gate", 1)]
    gate = states.parts["forget gate"]
    for layer, one in enumerate(result):
        for unit in range(9):
            course = [float(gate[word, layer, unit]) for word in range(8)]
            assert one.closed[unit] == sum(value < 0.1 for value in course) / 8
            assert one.opened[unit] == sum(value > 0.9 for value in course) / 8
        assert one.mean == pytest.approx(gate[:, layer].mean())


def test_jumps_and_turns() -> None:
    assert jumps(COURSE) == [2, 4, 7]
    assert jumps(COURSE, most=1) == [4]
    assert jumps(COURSE[:1]) == jumps(COURSE[:0]) == []
    states = made(COURSE)
    np.testing.assert_array_equal(running(states, 1), COURSE)
    assert turns(states) == [1, 4, 7]  # at 0.5 the first class is taken
    assert turns(made(COURSE[:0])) == turns(made(COURSE[:1])) == []


def test_a_word_is_skipped_where_no_direction_updates() -> None:
    states = made(COURSE, units=4)
    assert skipped(states, 0) is None
    update = np.ones((8, 2, 4), dtype=np.float32)
    update[3, 0], update[5, 0, :2], update[6, 1] = 0, 0, 0
    skipping = replace(
        states, parts={**states.parts, "update": update}, about=(*ABOUT, CellPart("update", "u", is_gate=True))
    )
    first, second = skipped(skipping, 0), skipped(skipping, 1)
    assert first is not None
    assert second is not None
    assert np.flatnonzero(first).tolist() == [3]
    assert np.flatnonzero(second).tolist() == [6]
    assert {one.gate for one in saturation(skipping)} == {"forget gate"}, "no unit's own gate"


@pytest.mark.parametrize("words", [0, 1, 2, 5])
def test_short_texts_have_courses(words: int) -> None:
    for order in ORDERS:
        (course,) = read_course([made(COURSE[:words])], "cell state", 0, 1, order)
        assert sorted(course.order.tolist()) == list(range(9))
        assert course.by_chance is None
        assert (course.ranked == []) == (words < 3)
    assert len(saturation(made(COURSE[:words]))) == 2 * bool(words)
