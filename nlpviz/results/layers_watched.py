"""Measurements during a training: a range test of its learning rate, and its layers step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_TOGETHER = 10  # steps over which a fall is measured: single batches differ


@dataclass(frozen=True)
class RangeTest:
    """A learning-rate range test: the training loss of each step as the rate grows.

    Attributes:
        optimiser: by name.
        title: what people call it.
        seed: of weights and order.
        rates: (N,), of each step.
        losses: (N,), of each step's batch, before the step.
    """

    optimiser: str
    title: str
    seed: int
    rates: NDArray[np.float64]
    losses: NDArray[np.float64]

    @property
    def lowest(self) -> float:
        """The rate at which the smoothed loss is lowest: from there on it rises."""
        return float(self.rates[int(smoothed(self.losses).argmin())])

    @property
    def steepest(self) -> float:
        """The rate at which the smoothed loss falls fastest on its way to the lowest, over ten steps together."""
        losses = smoothed(self.losses)
        end = max(int(losses.argmin()), _TOGETHER + 1)
        falls = losses[_TOGETHER : end + 1] - losses[: end + 1 - _TOGETHER]
        return float(self.rates[min(int(falls.argmin()) + _TOGETHER // 2, len(self.rates) - 1)])


@dataclass(frozen=True)
class WatchedLayer:
    """Measurements of one layer at some steps, each (S,).

    Attributes:
        name: of the layer.
        ratio: the length of the update over that of the weights.
        mean: of the units' values.
        spread: their standard deviation.
        flat: the share of values where hardly a gradient passes.
        gradient: the root mean square of δ, the loss's derivative by the layer's sums.
    """

    name: str
    ratio: NDArray[np.float64]
    mean: NDArray[np.float64]
    spread: NDArray[np.float64]
    flat: NDArray[np.float64]
    gradient: NDArray[np.float64]


@dataclass(frozen=True)
class WatchedTraining:
    """A training of which every layer was watched.

    Attributes:
        name: of what was chosen.
        title: what people call it.
        steps: (S,), at which it was watched.
        losses: (S,), of these steps' batches.
        layers: from the first to the last.
        accuracy: on the validation examples at the end.
        diverged: the step at which the loss was no number; None where it never was.
    """

    name: str
    title: str
    steps: NDArray[np.int64]
    losses: NDArray[np.float64]
    layers: Sequence[WatchedLayer]
    accuracy: float
    diverged: int | None = None


def smoothed(values: NDArray[np.float64], kept: float = 0.9) -> NDArray[np.float64]:
    """Return the exponential running mean (N,) of ``values``, corrected for beginning at 0."""
    result, mean = np.empty(len(values)), 0.0
    for place, value in enumerate(values):
        mean = kept * mean + (1 - kept) * float(value)
        result[place] = mean / (1 - kept ** (place + 1))
    return result
