"""A loss surface with a steep wall, and the path of gradient descent on it, clipped or not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class LossSurface:
    """The loss of a network of one unit by its two parameters.

    Attributes:
        weights: float64 (W,), the values of w.
        biases: float64 (B,), those of b.
        losses: float64 (B, W).
        steps: of the recurrence, after which the loss is taken.
        wanted: the value of the unit at which the loss is zero.
    """

    weights: NDArray[np.float64]
    biases: NDArray[np.float64]
    losses: NDArray[np.float64]
    steps: int
    wanted: float

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in (self.weights, self.biases, self.losses):
            array.setflags(write=False)


@dataclass(frozen=True)
class Descent:
    """The steps of gradient descent on a :class:`LossSurface`.

    Attributes:
        rate: the learning rate.
        threshold: the norm that a gradient is scaled down to; None for no clipping.
        points: float64 (N + 1, 2), w and b before the first step and after each.
        losses: float64 (N + 1,), there.
        norms: float64 (N,), of the gradient at each step, before clipping.
    """

    rate: float
    threshold: float | None
    points: NDArray[np.float64]
    losses: NDArray[np.float64]
    norms: NDArray[np.float64]

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in (self.points, self.losses, self.norms):
            array.setflags(write=False)

    @property
    def longest(self) -> float:
        """The length of the longest step, in the plane of w and b."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).max(initial=0.0))

    @property
    def clipped(self) -> int:
        """How many steps' gradients were longer than the threshold."""
        return 0 if self.threshold is None else int((self.norms > self.threshold).sum())
