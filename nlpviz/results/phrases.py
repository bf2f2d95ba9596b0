"""Phrases in the plane of the principal components of what an encoder holds of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class PhrasePlane:
    """Where N phrases lie, and which two of them are nearest to each other in the original space.

    Attributes:
        coordinates: float32 (N, 2).
        share: of the variance of their states that the plane holds, 0 to 1.
        dimensions: of the original space.
        nearest: the indices of the two phrases whose states round the mean have the largest cosine.
        cosine: of these two.
    """

    coordinates: NDArray[np.float32]
    share: float
    dimensions: int
    nearest: tuple[int, int]
    cosine: float

    def __post_init__(self) -> None:
        """Make the coordinates read-only."""
        self.coordinates.setflags(write=False)
