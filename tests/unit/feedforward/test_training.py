"""Trainings: they learn, divergence is noticed, what is watched and stored is what happened."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.experiments.feedforward import FeedForwardError, known_schedules, small_problems
from nlpviz.experiments.feedforward.experiment import Choice, Experiment, conduct
from nlpviz.experiments.feedforward.plane import plane_of, principal
from nlpviz.experiments.feedforward.race import NetworkRace
from nlpviz.experiments.feedforward.rates import range_test
from nlpviz.experiments.feedforward.stored import (
    as_plane,
    as_range_test,
    as_watched,
    planes,
    range_tests,
    read_trials,
    watched,
    write_trials,
)
from nlpviz.experiments.feedforward.training import NetworkTraining, TrainingSettings, examples_of
from nlpviz.experiments.feedforward.watching import watch
from nlpviz.results.feedforward import Stop, stop_early
from nlpviz.results.layers_watched import smoothed
from nlpviz.stats.significance import student_interval, student_quantile

QUICK = TrainingSettings((16, 16), {"activation": "tanh", "initialisation": "xavier"}, "adam", 0.01, batch=30)


@pytest.fixture(scope="module")
def xor() -> NetworkTraining:
    """A network that has learnt XOR for 60 epochs."""
    training = NetworkTraining(examples_of("xor"), replace(QUICK, epochs=60))
    while not training.over:
        training.epoch()
    return training


def test_a_network_learns_xor_and_a_linear_one_cannot(xor: NetworkTraining) -> None:
    assert xor.points[-1].validation_accuracy > 0.9
    assert [point.step for point in xor.points] == list(range(0, 601, 10))
    linear = NetworkTraining(examples_of("xor"), replace(QUICK, hidden=(), epochs=60))
    while not linear.over:
        linear.epoch()
    assert linear.points[-1].validation_accuracy < 0.7


@pytest.mark.parametrize("name", small_problems())
def test_problems_have_the_classes_that_they_say(name: str) -> None:
    problem = small_problems()[name]
    points, labels = problem.draw(np.random.default_rng(0), 400)
    assert points.shape == (400, 2)
    assert np.abs(points).max() <= 1.3
    assert set(labels) == set(range(problem.classes))


def test_the_same_seed_is_the_same_training_and_another_is_not() -> None:
    ends = []
    for seed in (0, 0, 1):
        training = NetworkTraining(examples_of("rings"), replace(QUICK, epochs=2, seed=seed))
        training.epoch()
        ends.append(training.weights.copy())
    np.testing.assert_array_equal(ends[0], ends[1])
    assert not np.array_equal(ends[0], ends[2])


def test_a_rate_that_is_too_large_is_noticed() -> None:
    wild = TrainingSettings((8,), {"loss": "squared-error", "activation": "identity"}, "sgd", 100.0, batch=30)
    training = NetworkTraining(examples_of("xor"), wild)
    while not training.over:
        training.step()
    assert training.diverged is not None
    assert 0 < training.diverged < 100


@pytest.mark.parametrize("rate", [0.0, -0.1, math.nan, math.inf])
def test_a_rate_that_is_none_is_one_sentence(rate: float) -> None:
    with pytest.raises(FeedForwardError, match="The learning rate must be above 0"):
        NetworkTraining(examples_of("xor"), replace(QUICK, rate=rate))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("constant", (1, 1, 1, 1)),
        ("linear", (1, 0.75, 0.5, 0)),
        ("cosine", (1, 0.853553, 0.5, 0)),
        ("warm-up", (0, 0.75 / 0.9, 0.5 / 0.9, 0)),
        ("triangular", (0.1, 0.55, 1.0, 0.1)),  # at a quarter, three quarters through the first of three cycles
        ("triangular2", (0.1, 0.55, 0.55, 0.1)),
        ("exp-range", (0.1, 0.1 + 0.9 * 0.5 * 0.1**0.25, 0.1 + 0.9 * 0.1**0.5, 0.1)),
    ],
)
def test_schedules_by_hand(name: str, values: tuple[float, ...]) -> None:
    factor = known_schedules()[name].factor
    assert [factor(done) for done in (0, 0.25, 0.5, 1)] == pytest.approx(values, abs=1e-6)


def test_every_schedule_has_its_line() -> None:
    assert set(known_schedules()) == {
        "constant", "linear", "cosine", "warm-up", "triangular", "triangular2", "exp-range",
    }  # fmt: skip


def test_early_stopping_by_hand() -> None:
    losses = [3.0, 2.0, 2.5, 1.5, 1.6, 1.7, 1.4]
    assert stop_early(losses, 1) == Stop(2, 1)
    assert stop_early(losses, 2) == Stop(5, 3)
    assert stop_early(losses, 3) == Stop(6, 6), "it never stops, and keeps the last"


def test_students_t_is_the_tables() -> None:
    """Two-sided 95% points of Student's t, from tables."""
    for degrees, wanted in ((1, 12.706), (2, 4.303), (4, 2.776), (7, 2.365), (30, 2.042)):
        assert student_quantile(0.95, degrees) == pytest.approx(wanted, abs=1e-3)
    low, high = student_interval(np.array([1.0, 2.0, 3.0]))
    assert (low, high) == pytest.approx((2 - 4.303 / math.sqrt(3), 2 + 4.303 / math.sqrt(3)), abs=1e-3)
    assert student_interval(np.array([1.0])) == (-math.inf, math.inf)


def test_running_means_begin_without_bias() -> None:
    np.testing.assert_allclose(smoothed(np.full(5, 3.0)), 3.0)
    np.testing.assert_allclose(smoothed(np.array([0.0, 1.0]))[1], 0.1 / 0.19)


def test_the_range_test_grows_by_the_same_factor_and_ends_where_the_loss_explodes() -> None:
    settings = TrainingSettings((16,), {"loss": "squared-error"}, "sgd", batch=30)
    found = range_test(examples_of("rings"), settings, 1e-4, 1e3, 100)
    assert len(found.rates) == len(found.losses) < 100
    ratios = found.rates[1:] / found.rates[:-1]
    np.testing.assert_allclose(ratios, 1e7 ** (1 / 99))
    assert found.rates[0] <= found.steepest <= found.lowest <= found.rates[-1]
    assert smoothed(found.losses).min() < 0.9 * found.losses[0]


def test_the_plane_goes_through_points_of_a_plane() -> None:
    """Where all weights lie in a plane, it holds all variance, and the projected loss is the true one."""
    examples = examples_of("xor")
    training = NetworkTraining(examples, QUICK)
    random = np.random.default_rng(0)
    first, second = random.normal(size=(2, training.network.size)) * 0.3
    path = [
        training.weights + (a * first + b * second).astype(np.float32) for a, b in ((0, 0), (1, 0), (2, 1), (3, -1))
    ]
    plane = plane_of("made", training.network, {"made": path}, examples.train, cells=5)
    assert sum(plane.share) == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(plane.projected["made"], plane.true["made"], atol=1e-3)
    np.testing.assert_allclose(plane.true["made"][0], training.network.measure(path[0], *examples.train)[0], rtol=1e-5)
    assert plane.losses.shape == (5, 5)
    distances = [np.linalg.norm(plane.paths["made"][one] - plane.paths["made"][0]) for one in range(4)]
    np.testing.assert_allclose(distances, [np.linalg.norm(one - path[0]) for one in path], rtol=1e-3)


def test_off_the_plane_both_losses_differ() -> None:
    examples = examples_of("xor")
    training = NetworkTraining(examples, replace(QUICK, epochs=4))
    path = [training.weights.copy()]
    while not training.over:
        training.epoch()
        path.append(training.weights.copy())
    path.append(np.zeros_like(path[0]))
    plane = plane_of("real", training.network, {"real": path}, examples.train, cells=3)
    assert 0.5 < sum(plane.share) < 0.9999
    assert np.abs(plane.true["real"] - plane.projected["real"]).max() > 1e-3


def test_principal_axes_are_orthonormal_and_in_order() -> None:
    rows = np.random.default_rng(0).normal(size=(6, 40)) * np.linspace(3, 0.1, 40)
    rows -= rows.mean(axis=0)
    axes, share = principal(rows)
    np.testing.assert_allclose(axes @ axes.T, np.eye(2), atol=1e-9)
    values = np.linalg.svd(rows, compute_uv=False) ** 2
    assert share == pytest.approx(tuple(values[:2] / values.sum()))


def test_what_is_watched_is_what_happened() -> None:
    settings = TrainingSettings((8, 8), {"activation": "relu"}, "sgd", 0.1, epochs=3, batch=30)
    seen = watch(NetworkTraining(examples_of("xor"), settings), "one", "One", 10)
    assert seen.steps.tolist() == [1, 10, 20, 30]
    assert [layer.name for layer in seen.layers] == ["hidden 1", "hidden 2", "output"]
    again = NetworkTraining(examples_of("xor"), settings)
    before = again.network.layers(again.weights.copy())[0].weights
    backwards = again.step()
    assert backwards is not None
    after = again.network.layers(again.weights)[0].weights
    ratio = np.linalg.norm(after - before) / np.linalg.norm(before)
    assert seen.layers[0].ratio[0] == pytest.approx(float(ratio), rel=1e-5)
    assert seen.layers[0].flat[0] == pytest.approx(float((backwards.passed.entering[1] <= 0).mean()))
    assert seen.layers[2].gradient[0] == pytest.approx(
        float(np.sqrt(((backwards.deltas[2] * 30) ** 2).mean())), rel=1e-5
    )
    assert seen.losses[0] == pytest.approx(backwards.loss)


def test_zero_weights_of_relus_never_move() -> None:
    settings = TrainingSettings((8, 8), {"initialisation": "zero"}, "sgd", 0.1, epochs=1, batch=30)
    seen = watch(NetworkTraining(examples_of("xor"), settings), "zero", "Zero", 5)
    assert np.isnan(seen.layers[0].ratio).all(), "0/0: they are zero and stay so"
    assert not seen.layers[0].gradient.any()


def test_a_race_takes_turns_and_one_that_diverges_stops_alone() -> None:
    wild = replace(QUICK, optimiser="sgd", rate=1000.0, network={"loss": "squared-error", "activation": "identity"})
    race = NetworkRace("xor", {"adam": replace(QUICK, epochs=4), "sgd": replace(wild, epochs=4)})
    assert race.steps == 0
    while race.advance(15):
        pass
    assert race.ready
    assert race.steps == 15
    assert set(race.diverged()) == {"sgd"}
    assert not race.over
    assert [point.step for point in race.curves()["adam"]] == [0, 1, 2, 10, 15]
    outputs = race.regions("adam")
    assert outputs is not None
    assert outputs.shape == (41, 41, 2)
    while race.advance(race.total):
        pass
    assert race.over
    assert race.steps == race.total == 40


def test_an_experiment_is_stored_and_read_again(tmp_path: Path) -> None:
    one = Choice("One", replace(QUICK, epochs=2))
    other = Choice("Other", replace(QUICK, epochs=2, network={"activation": "relu"}))
    examples = examples_of("rings")
    examples = replace(examples, test=examples.validation)
    training = NetworkTraining(examples, one.settings)
    extra = {
        "planes": {"p": as_plane(plane_of("p", training.network, {"p": [training.weights, 2 * training.weights,
                                          0.5 * training.weights]}, examples.train, 3))},
        "range_tests": [as_range_test(range_test(examples, QUICK, steps=20))],
        "watched": [as_watched(watch(NetworkTraining(examples, one.settings), "w", "W", 5))],
    }  # fmt: skip
    experiment = Experiment("tiny", "Tiny", {"kind": {"one": one, "other": other}}, {"batch": 30}, seeds=3,
                            extra=lambda *_: extra, grid=(0.001, 0.01, 0.03))  # fmt: skip
    told: list[str] = []
    trials = conduct(experiment, examples, told.append)
    assert len(trials.trials) == 6
    assert sum(": learning rate " in line for line in told) == 2
    write_trials(trials, tmp_path)
    read = read_trials("tiny", tmp_path)
    assert read.choices("kind") == {"one": "One", "other": "Other"}
    for before, after in zip(trials.trials, read.trials, strict=True):
        assert (after.choice, after.seed, after.rate, after.diverged) == (
            before.choice, before.seed, before.rate, before.diverged,
        )  # fmt: skip
        np.testing.assert_allclose(after.points, before.points, rtol=1e-4)
        assert after.test == pytest.approx(before.test, rel=1e-4)
        assert after.best == before.best
    lead, (low, high) = read.lead("kind", "one", "other")
    values = [a.test - b.test for a, b in zip(read.of("kind", "one"), read.of("kind", "other"), strict=True)]
    assert lead == pytest.approx(np.mean(values))
    assert (low, high) == pytest.approx(tuple(student_interval(np.array(values))))
    assert planes(read)["p"].losses.shape == (3, 3)
    assert range_tests(read)[0].optimiser == "adam"
    assert watched(read)["w"].layers[-1].name == "output"


def test_what_is_not_stored_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(FeedForwardError, match="train-curves tiny --write"):
        read_trials("tiny", tmp_path)
    (tmp_path / "tiny.json").write_text("{", encoding="utf-8")
    with pytest.raises(FeedForwardError, match="no stored curves"):
        read_trials("tiny", tmp_path / ".." / tmp_path.name)
