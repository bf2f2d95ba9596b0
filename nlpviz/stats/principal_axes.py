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


class Moments:
    """What principal axes are computed from, added up block by block: points that no memory holds have exact axes."""

    def __init__(self) -> None:
        """Begin without a point."""
        self._count, self._origin = 0, np.zeros(0)
        self._sum, self._products = np.zeros(0), np.zeros((0, 0))

    def add(self, points: NDArray[np.floating[Any]]) -> None:
        """Add some points (N, E)."""
        if not self._count:
            self._origin = points.mean(axis=0, dtype=np.float64)  # near the mean: products lose no digits to it
            self._sum, self._products = np.zeros_like(self._origin), np.zeros((points.shape[1],) * 2)
        moved = points - self._origin
        self._count += len(points)
        self._sum += moved.sum(axis=0)
        self._products += moved.T @ moved

    def axes(self, dimensions: int) -> PrincipalAxes:
        """Return the first axes of all points, as :func:`principal_axes` does of points in memory."""
        # The mean of the shifted points; the origin is added back below.
        mean = self._sum / self._count
        return _axes(self._origin + mean, self._products - self._count * np.outer(mean, mean), dimensions)


def principal_axes(points: NDArray[np.floating[Any]], dimensions: int) -> PrincipalAxes:
    """Return the first axes of ``points`` (N, E): eigenvectors of their covariance, exact, nothing drawn at random.

    An eigenvector may point either way: each is turned so that its largest part is positive. Same points, same axes.
    """
    mean = points.mean(axis=0, dtype=np.float64)
    centred = points - mean
    return _axes(mean, centred.T @ centred, dimensions)


def _axes(mean: NDArray[np.float64], scatter: NDArray[np.float64], dimensions: int) -> PrincipalAxes:
    """Return the first axes of points with this mean (E,) and this scatter matrix (E, E) about it."""
    variance, vectors = np.linalg.eigh(scatter)
    largest = np.argsort(-variance)[:dimensions]
    axes = np.zeros((dimensions, len(mean)))
    axes[: len(largest)] = vectors.T[largest]
    axes *= np.sign(axes[np.arange(dimensions), np.abs(axes).argmax(axis=1)])[:, None]
    axes[: len(largest)][variance[largest] <= _NONE * max(variance.max(), _NONE)] = 0
    total = float(variance.sum())
    return PrincipalAxes(mean, axes, float(variance[largest].sum()) / total if total > _NONE else 1.0)
