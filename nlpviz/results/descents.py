"""The paths of optimisers: on a surface of two parameters, and in the plane through the epochs of a real training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class SurfacePath:
    """Where an optimiser went on a surface of two parameters.

    Attributes:
        optimiser: by name.
        title: what people call it.
        rate: its learning rate.
        points: (N + 1, 2), before the first step and after each.
        losses: (N + 1,), there.
        left: whether it went so far that it was stopped.
    """

    optimiser: str
    title: str
    rate: float
    points: NDArray[np.float64]
    losses: NDArray[np.float64]
    left: bool

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in (self.points, self.losses):
            array.setflags(write=False)


@dataclass(frozen=True)
class SurfaceRace:
    """A surface and the paths of several optimisers on it.

    Attributes:
        surface: by name.
        title: what people call it.
        x: (X,), where the loss was computed.
        y: (Y,).
        losses: (Y, X).
        lowest: the least loss there is.
        paths: of the optimisers.
        noise: the standard deviation of what was added to each gradient.
    """

    surface: str
    title: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    losses: NDArray[np.float64]
    lowest: float
    paths: tuple[SurfacePath, ...]
    noise: float


@dataclass(frozen=True)
class EpochPlane:
    """The plane in which the weights after each epoch differ most, with the loss on it and on the true path.

    Attributes:
        name: of the optimiser, or that of all together.
        along: (A,), places along the first axis, in units of the weights.
        across: (C,), along the second.
        losses: (C, A), on the plane.
        paths: by optimiser: place (E + 1, 2) of the weights' projection.
        true: by optimiser: the loss (E + 1,) of the weights themselves.
        projected: by optimiser: the loss (E + 1,) of their projections.
        share: of the weights' variance along the path that the plane holds, by axis.
    """

    name: str
    along: NDArray[np.float64]
    across: NDArray[np.float64]
    losses: NDArray[np.float64]
    paths: Mapping[str, NDArray[np.float64]]
    true: Mapping[str, NDArray[np.float64]]
    projected: Mapping[str, NDArray[np.float64]]
    share: tuple[float, float]
