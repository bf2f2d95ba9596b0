"""The committed curves: whole, small, and such as trainings can be."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.experiments.feedforward.experiment import experiments
from nlpviz.experiments.feedforward.stored import FOLDER, planes, range_tests, read_trials, watched

MIB = 2**20
GUESSING = 1 / 20


@pytest.mark.parametrize("name", experiments())
def test_every_choice_has_every_seed(name: str) -> None:
    experiment, stored = experiments()[name], read_trials(name)
    for group, choices in experiment.groups.items():
        for choice, one in choices.items():
            trials = stored.of(group, choice)
            assert [trial.seed for trial in trials] == list(range(experiment.seeds)), (group, choice)
            assert {trial.rate for trial in trials} <= set(experiment.grid)
            for trial in trials:
                steps = [point.step for point in trial.points]
                assert steps == [stored.per_epoch * epoch for epoch in range(len(steps))]
                assert len(steps) == one.settings.epochs + 1 or trial.diverged is not None
                assert 0 <= trial.test <= 1


def test_they_are_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < MIB


def test_optimisers_learn_and_their_planes_hold_true_and_projected_loss() -> None:
    stored = read_trials("optimisers")
    for name in stored.choices("optimiser"):
        assert stored.test("optimiser", name)[1].low > 5 * GUESSING
    for name, plane in planes(stored).items():
        for one, path in plane.paths.items():
            assert len(path) == len(plane.true[one]) == len(plane.projected[one])
            assert plane.along[0] < path[:, 0].min() < path[:, 0].max() < plane.along[-1], name
        assert plane.losses.shape == (len(plane.across), len(plane.along))
        assert 0.3 < sum(plane.share) <= 1
    together = planes(stored)["together"]
    begun = [losses[0] for losses in together.true.values()]
    np.testing.assert_allclose(begun, begun[0], err_msg="all begin with the same weights")
    adam = together.true["adam"]
    np.testing.assert_allclose(adam, planes(stored)["adam"].true["adam"], rtol=1e-3)


def test_range_tests_have_a_lowest_loss_within() -> None:
    for test in range_tests(read_trials("rates")):
        assert test.rates[0] < test.steepest < test.lowest < test.rates[-1]


def test_watched_trainings_show_what_they_are_named_for() -> None:
    there = watched(read_trials("babysitting"))
    assert there["relu-he"].accuracy > 5 * GUESSING
    assert not there["relu-zero"].layers[0].gradient.any()
    large, fit = there["tanh-large"], there["tanh-xavier"]
    assert large.layers[2].flat[0] > 0.5 > fit.layers[2].flat[0]
    first, last = there["relu-small"].layers[0], there["relu-small"].layers[-1]
    assert first.gradient[0] < 1e-3 * last.gradient[0], "gradients vanish"
    slow, right = (np.median(there[name].layers[1].ratio) for name in ("relu-he-small-rate", "relu-he"))
    assert slow < 0.1 * right
