"""Surfaces and descents on them: gradients by differences, minima where they are said to be, bad input."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nlpviz.experiments.feedforward import FeedForwardError, known_surfaces
from nlpviz.experiments.feedforward.descent import RATES, own_rates, race

SGD, MOMENTUM, ADAM = "sgd", "momentum", "adam"


@pytest.mark.parametrize("name", known_surfaces())
def test_gradients_are_those_of_differences(name: str) -> None:
    surface, random = known_surfaces()[name], np.random.default_rng(0)
    for _ in range(20):
        x, y = random.uniform(*surface.x), random.uniform(*surface.y)
        h = 1e-6
        expected = (
            (surface.loss(np.array(x + h), np.array(y)) - surface.loss(np.array(x - h), np.array(y))) / (2 * h),
            (surface.loss(np.array(x), np.array(y + h)) - surface.loss(np.array(x), np.array(y - h))) / (2 * h),
        )
        assert surface.gradient(x, y) == pytest.approx(tuple(map(float, expected)), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "where"),
    [("ravine", (0, 0)), ("saddle", (0, 1)), ("plateau", (0, 0)), ("beale", (3, 0.5)), ("rosenbrock", (1, 1))],
)
def test_the_minimum_is_where_it_is_said(name: str, where: tuple[float, float]) -> None:
    surface = known_surfaces()[name]
    assert float(surface.loss(*map(np.array, where))) == pytest.approx(surface.lowest)
    assert surface.gradient(*where) == pytest.approx((0, 0))
    ground = race(surface, {SGD: 0.01}, surface.start, 1).losses
    assert ground.min() >= surface.lowest - 1e-12


def test_sgd_on_the_ravine_is_what_the_formula_says() -> None:
    """On x²/2 each step multiplies x by 1 − η; on 25 y² it multiplies y by 1 − 50 η."""
    path = race(known_surfaces()["ravine"], {SGD: 0.03}, (-3.5, 0.9), 10).paths[0]
    np.testing.assert_allclose(path.points[:, 0], -3.5 * 0.97 ** np.arange(11))
    np.testing.assert_allclose(path.points[:, 1], 0.9 * (-0.5) ** np.arange(11))
    np.testing.assert_allclose(path.losses[-1], 0.5 * (path.points[-1, 0] ** 2 + 50 * path.points[-1, 1] ** 2))


def test_a_rate_beyond_the_curvature_leaves_the_surface() -> None:
    """2/50 is the largest rate at which the sides of the ravine do not throw SGD out."""
    fine, wild = (race(known_surfaces()["ravine"], {SGD: rate}, (-3.5, 0.9), 200).paths[0] for rate in (0.039, 0.05))
    assert not fine.left
    assert wild.left
    assert len(wild.points) < 201
    assert np.isfinite(wild.losses).all()


def test_noise_is_the_same_for_all_and_none_where_none_is_asked() -> None:
    surface = known_surfaces()["saddle"]
    twice = [race(surface, {SGD: 0.05, MOMENTUM: 0.05}, surface.start, 30, 0.2) for _ in range(2)]
    np.testing.assert_array_equal(twice[0].paths[1].points, twice[1].paths[1].points)
    clean = race(surface, {SGD: 0.05}, surface.start, 30)
    assert not np.allclose(clean.paths[0].points, twice[0].paths[0].points)


def test_the_own_rate_is_the_best_of_the_grid() -> None:
    surface = known_surfaces()["plateau"]
    chosen = own_rates(surface, (SGD, ADAM), surface.start, 100)
    for one, rate in chosen.items():
        ends = {other: race(surface, {one: other}, surface.start, 100).paths[0] for other in RATES}
        assert ends[rate].losses[-1] == min(path.losses[-1] for path in ends.values() if not path.left)


@pytest.mark.parametrize("rate", [0.0, -1.0, math.nan, math.inf])
def test_a_rate_that_is_none_is_one_sentence(rate: float) -> None:
    with pytest.raises(FeedForwardError, match="The learning rate must be above 0"):
        race(known_surfaces()["ravine"], {SGD: rate}, (0, 0), 10)


@pytest.mark.parametrize(("start", "steps", "noise"), [((math.nan, 0), 5, 0), ((0, 0), 0, 0), ((0, 0), 5, -1)])
def test_a_wrong_setting_is_one_sentence(start: tuple[float, float], steps: int, noise: float) -> None:
    with pytest.raises(FeedForwardError, match=r"steps|start"):
        race(known_surfaces()["ravine"], {SGD: 0.1}, start, steps, noise)
