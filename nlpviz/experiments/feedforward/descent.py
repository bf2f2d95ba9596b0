"""Optimisers raced on a loss surface of two parameters, from one place, each with its rate."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import FeedForwardError, Surface, known
from nlpviz.experiments.feedforward.training import allowed_rate
from nlpviz.experiments.optimisers import Optimiser, Stepper, optimisers
from nlpviz.results.descents import SurfacePath, SurfaceRace

RATES = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1, 1.0, 3.0)
"""Of which each optimiser's best one may be taken."""
MOST_STEPS = 2_000
_CELLS = 61
_AWAY = 3.0  # widths of the drawn range from its middle, where a descent is stopped


def race(
    surface: Surface, rates: Mapping[str, float], start: Sequence[float], steps: int, noise: float = 0.0
) -> SurfaceRace:
    """Return the paths of several optimisers on a surface.

    Args:
        surface: what is descended.
        rates: the learning rate of each optimiser, by its name.
        start: x and y of the first point.
        steps: of each, at most :data:`MOST_STEPS`.
        noise: the standard deviation of what is added to each component of a gradient, the same for all optimisers.

    Raises:
        FeedForwardError: if a number is none, or out of range.
    """
    drawn = _noise(start, steps, noise)
    known_ones = {name: known(optimisers(), name, "optimiser") for name in rates}
    paths = tuple(_descend(surface, known_ones[name], allowed_rate(rate), start, drawn) for name, rate in rates.items())
    x, y = np.linspace(*surface.x, _CELLS), np.linspace(*surface.y, _CELLS)
    losses = np.asarray(surface.loss(*np.meshgrid(x, y)), dtype=np.float64)
    return SurfaceRace(surface.name, surface.title, x, y, losses, surface.lowest, paths, noise)


def own_rates(
    surface: Surface, names: Sequence[str], start: Sequence[float], steps: int, noise: float = 0.0
) -> dict[str, float]:
    """Return for each optimiser the rate of :data:`RATES` with the lowest loss after the last step.

    Raises:
        FeedForwardError: if a number is none, or out of range, as for :func:`race`.
    """
    drawn = _noise(start, steps, noise)
    result = {}
    for name in names:
        ends = [_descend(surface, known(optimisers(), name, "optimiser"), rate, start, drawn) for rate in RATES]
        reached = [math.inf if path.left else float(path.losses[-1]) for path in ends]
        result[name] = RATES[int(np.argmin(reached))]
    return result


def _noise(start: Sequence[float], steps: int, noise: float) -> NDArray[np.float64]:
    """Return what is added to the gradient of each step (steps, 2), once all that was asked for is in range."""
    if not 1 <= steps <= MOST_STEPS:
        raise FeedForwardError(f"The number of steps must be between 1 and {MOST_STEPS:,}, not {steps:,}.")
    if not all(math.isfinite(one) for one in start) or not 0 <= noise < 100:
        raise FeedForwardError("The start must be two finite numbers, and the noise must be at least 0 and below 100.")
    return np.random.default_rng(0).normal(size=(steps, 2)) * noise


def _descend(
    surface: Surface, optimiser: Optimiser, rate: float, start: Sequence[float], noise: NDArray[np.float64]
) -> SurfacePath:
    """Return the path of one optimiser; it ends where it is far outside of what is drawn."""
    place = np.array(start, dtype=np.float64)
    stepper, points, left = Stepper(optimiser, place), [place.copy()], False
    for added in noise:
        stepper.step(place, np.array(surface.gradient(float(place[0]), float(place[1]))) + added, rate)
        if _far(surface, place):
            left = True
            break
        points.append(place.copy())
    path = np.array(points)
    losses = np.asarray(surface.loss(path[:, 0], path[:, 1]), dtype=np.float64)
    return SurfacePath(optimiser.name, optimiser.title, rate, path, losses, left)


def _far(surface: Surface, place: NDArray[np.float64]) -> bool:
    for value, (low, high) in zip(place, (surface.x, surface.y), strict=True):
        if not abs(value - (low + high) / 2) <= _AWAY * (high - low):
            return True
    return False
