"""Principal axes: the directions in which points differ most (Pearson 1901; Hotelling 1933)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_NONE = 1e-12  # of the largest variance: less is rounding, and the direction chance


@dataclass(frozen=True)
class PrincipalAxes:
    """The axes of a cloud of points, the one with the largest variance first.

    Attributes:
        mean: float64 (E,), where they meet.
        axes: float64 (D, E), rows of length 1; zeros where no more variance is left.
        share: of all variance that lies along them, 0 to 1; 1 where there is none.
    """

    mean: NDArray[np.float64]
    axes: NDArray[np.float64]
    share: float

    def project(self, points: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Return where ``points`` (..., E) lie on the axes, (..., D)."""
        result: NDArray[np.float64] = (points - self.mean) @ self.axes.T
        return result


def principal_axes(points: NDArray[np.floating[Any]], dimensions: int) -> PrincipalAxes:
    """Return the first axes of ``points`` (N, E): eigenvectors of their covariance, exact, nothing drawn at random.

    An eigenvector may point either way: each is turned so that its largest part is positive. Same points, same axes.
    """
    mean = points.mean(axis=0, dtype=np.float64)
    centred = points - mean
    variance, vectors = np.linalg.eigh(centred.T @ centred)
    largest = np.argsort(-variance)[:dimensions]
    axes = np.zeros((dimensions, points.shape[1]))
    axes[: len(largest)] = vectors.T[largest]
    axes *= np.sign(axes[np.arange(dimensions), np.abs(axes).argmax(axis=1)])[:, None]
    axes[: len(largest)][variance[largest] <= _NONE * max(variance.max(), _NONE)] = 0
    total = float(variance.sum())
    return PrincipalAxes(mean, axes, float(variance[largest].sum()) / total if total > _NONE else 1.0)
