"""Toy tasks: what they draw is labelled right, and what needs no memory is what brute force finds."""

from __future__ import annotations

from itertools import product
from math import log

import numpy as np
import pytest

from nlpviz.experiments.toys import ToyError, ToyTask, toy_tasks
from nlpviz.results.toys import Reached, better

RANDOM = 7


@pytest.fixture(params=toy_tasks())
def task(request: pytest.FixtureRequest) -> ToyTask:
    """Each task."""
    return toy_tasks()[request.param]


def drawn(name: str, rows: int, length: int) -> tuple[np.ndarray, np.ndarray]:
    """Return inputs and targets of ``rows`` sequences."""
    return toy_tasks()[name].draw(np.random.default_rng(RANDOM), rows, length)


def test_every_task_draws_what_it_says(task: ToyTask) -> None:
    for length in (task.offered[0], task.length, task.offered[-1]):
        inputs, targets = task.draw(np.random.default_rng(0), 5, length)
        assert inputs.shape == (5, task.steps(length), task.inputs)
        assert inputs.dtype == np.float32
        assert targets.dtype == (np.int64 if task.of_classes else np.float32)
        assert task.counted(length) <= targets.shape[1] <= task.steps(length)
        if task.of_classes:
            assert 0 <= targets.min() <= targets.max() < task.outputs == len(task.names)
        channels = task.symbols(inputs[0])
        assert [len(channel) for channel in channels] == [task.steps(length)] * len(task.facts.channels)
        assert str(length) in task.says.format(length=length)


def test_lengths_are_allowed_or_named(task: ToyTask) -> None:
    assert {task.length, *task.offered} <= set(task.lengths)
    assert task.length in task.offered
    for wrong in (0, -2, 10_000):
        with pytest.raises(
            ToyError, match=f"{task.facts.title} sequences must have {task.lengths[0]} to {task.lengths[-1]}"
        ):
            task.allowed(wrong)
    assert task.allowed(task.length) == task.length


def test_odd_halves_are_refused() -> None:
    with pytest.raises(ToyError, match="an even number, not 9"):
        toy_tasks()["identical-halves"].allowed(9)


# --------------------------------------------------------------------------------------------------- identical halves


@pytest.mark.parametrize("length", [2, 4, 10])
def test_halves_are_labelled_right_and_balanced(length: int) -> None:
    inputs, targets = drawn("identical-halves", 20_000, length)
    symbols = inputs.argmax(axis=2)
    np.testing.assert_array_equal(inputs.sum(axis=2), 1)
    different = (symbols[:, : length // 2] != symbols[:, length // 2 :]).sum(axis=1)
    np.testing.assert_array_equal(targets[:, 0], different == 0)
    assert targets.mean() == pytest.approx(0.5, abs=0.015), "four standard errors"
    if length == 10:
        near = (different == 1)[targets[:, 0] == 0].mean()
        by_chance = 5 * 0.9 * 0.1**4
        assert near == pytest.approx(0.5 + 0.5 * by_chance, abs=0.02), "half of class 0 are near misses"


@pytest.mark.parametrize(("length", "expected"), [(2, 0.5), (4, 0.2975), (6, 0.257), (12, 0.25)])
def test_missing_every_near_miss_is_a_quarter_of_long_sequences(length: int, expected: float) -> None:
    inputs, targets = drawn("identical-halves", 40_000, length)
    symbols = inputs.argmax(axis=2)
    different = (symbols[:, : length // 2] != symbols[:, length // 2 :]).sum(axis=1)
    wrong = (different <= 1) != targets[:, 0]
    errors = toy_tasks()["identical-halves"].facts.shortcut[1]
    assert errors[length] == pytest.approx(expected, abs=0.001)
    assert wrong.mean() == pytest.approx(errors[length], abs=0.01)


def test_the_last_symbol_says_nothing_about_halves() -> None:
    inputs, targets = drawn("identical-halves", 100_000, 6)
    last = inputs[:, -1].argmax(axis=1)
    wrong = sum(min(side := np.bincount(targets[last == one, 0], minlength=2)) / side.sum() for one in range(10)) / 10
    chance = toy_tasks()["identical-halves"].chance(6)
    assert wrong == pytest.approx(chance.error, abs=0.02)
    assert chance.loss == pytest.approx(log(2))


# ----------------------------------------------------------------------------------------------------- binary addition


def test_sums_are_those_of_whole_numbers() -> None:
    inputs, targets = drawn("binary-addition", 500, 16)
    weights = 2 ** np.arange(17)
    first, second = (inputs[:, :, which].astype(int) @ weights for which in (0, 1))
    np.testing.assert_array_equal(targets @ weights, first + second)
    assert first.max() < 2**16
    assert first.mean() / 2**16 == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize("bits", [1, 2, 3, 4])
def test_addition_without_memory_is_what_brute_force_finds(bits: int) -> None:
    """Over all pairs of numbers: the best table from two bits to one, its error, its loss, and the sums it gets."""
    seen: dict[tuple[int, int], list[int]] = {pair: [0, 0] for pair in product((0, 1), repeat=2)}
    every = []
    for first, second in product(range(2**bits), repeat=2):
        pairs = [(first >> at & 1, second >> at & 1) for at in range(bits + 1)]
        answers = [(first + second) >> at & 1 for at in range(bits + 1)]
        every.append((pairs, answers))
        for pair, answer in zip(pairs, answers, strict=True):
            seen[pair][answer] += 1
    total = sum(map(sum, seen.values()))
    best = {pair: int(counts[1] > counts[0]) for pair, counts in seen.items()}
    loss = -sum(count * log(count / sum(counts)) for counts in seen.values() for count in counts if count) / total
    exact = np.mean([all(best[pair] == answer for pair, answer in zip(*one, strict=True)) for one in every])
    error = sum(min(counts) for counts in seen.values()) / total
    assert toy_tasks()["binary-addition"].chance(bits) == pytest.approx(Reached(loss, error, exact))


# -------------------------------------------------------------------------------------------- copy memory, and adding


@pytest.mark.parametrize("length", [1, 20])
def test_copy_memory_is_that_of_its_paper(length: int) -> None:
    inputs, targets = drawn("copy-memory", 300, length)
    symbols = inputs.argmax(axis=2)
    assert set(np.unique(symbols[:, :10])) == set(range(1, 9))
    assert not symbols[:, 10:-11].any()
    assert symbols[:, -11:].min() == 9
    assert symbols.shape[1] == length + 20
    assert not targets[:, :-10].any()
    np.testing.assert_array_equal(targets[:, -10:], symbols[:, :10])


@pytest.mark.parametrize("length", [1, 20, 1000])
def test_copying_without_memory_costs_ten_logarithms(length: int) -> None:
    _, targets = drawn("copy-memory", 50, length)
    probabilities = np.zeros((length + 20, 9))  # of the best answer that knows the step and not the symbols
    probabilities[:-10, 0], probabilities[-10:, 1:] = 1, 1 / 8
    given = probabilities[np.arange(length + 20), targets]
    chance = toy_tasks()["copy-memory"].chance(length)
    assert -np.log(given).mean() == pytest.approx(chance.loss)
    assert chance.loss == pytest.approx(10 * log(8) / (length + 20))
    assert (chance.error, chance.exact) == (7 / 8, 8.0**-10)


def test_adding_is_the_sum_of_two_marked_numbers() -> None:
    inputs, targets = drawn("adding", 200_000, 5)
    np.testing.assert_array_equal(inputs[:, :, 1].sum(axis=1), 2)
    assert set(np.unique(inputs[:, :, 1])) == {0, 1}
    expected = [row[row[:, 1] == 1, 0].sum() for row in inputs[:100]]
    np.testing.assert_allclose(targets[:100, 0], expected, rtol=1e-6)
    marks = inputs[:, :, 1].mean(axis=0)
    np.testing.assert_allclose(marks, 2 / 5, atol=0.01)
    chance = toy_tasks()["adding"].chance(5)
    assert np.mean((targets - 1) ** 2) == pytest.approx(chance.loss, abs=0.002)
    assert chance.loss == 1 / 6


def test_a_tenth_below_is_better() -> None:
    chance = Reached(0.7, 0.5, 0.5)
    assert better(Reached(0.69, 0.449, 0.5), chance)
    assert not better(Reached(0.1, 0.451, 0.9), chance)
    values = Reached(1 / 6, np.nan, np.nan)
    assert better(Reached(0.14, np.nan, np.nan), values)
    assert not better(Reached(0.16, np.nan, np.nan), values)
    assert not better(Reached(np.nan, np.nan, np.nan), chance)
