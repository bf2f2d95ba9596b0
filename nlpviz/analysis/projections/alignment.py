"""Turning one map onto another without changing it: orthogonal Procrustes (Schönemann 1966)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.projection import Projection, WordMap

Map = TypeVar("Map", Projection, WordMap)


@dataclass(frozen=True)
class RigidTransform:
    """A rotation, perhaps with a reflection, about ``centre``, which is then moved onto ``onto``; nothing is scaled."""

    centre: NDArray[np.float32]
    rotation: NDArray[np.float32]
    onto: NDArray[np.float32]

    def __call__(self, positions: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return ``positions`` (N, dimensions), moved."""
        return np.asarray((positions - self.centre) @ self.rotation + self.onto, dtype=np.float32)


def procrustes(target: NDArray[np.float32], positions: NDArray[np.float32]) -> RigidTransform:
    """Return the rotation, reflection and translation that best align one map with another.

    This is the orthogonal Procrustes problem (Schönemann 1966): the sum of squared distances between corresponding rows
    is minimised. Distances within the map do not change.

    Args:
        target: the positions to align with, shape (N, d).
        positions: the positions to move, shape (N, d).

    Returns:
        A transform that can be called with positions, shape (M, d).

    Example:
        >>> import numpy as np
        >>> from nlpviz.analysis.projections.alignment import procrustes
        >>> target = np.float32([[0, 0], [2, 0], [2, 1]])
        >>> rotated = target @ np.float32([[0, 1], [-1, 0]]) + 3
        >>> bool(np.allclose(procrustes(target, rotated)(rotated), target, atol=1e-5))
        True
    """
    from scipy.linalg import orthogonal_procrustes

    centre, onto = positions.mean(axis=0), target.mean(axis=0)
    rotation, _ = orthogonal_procrustes(positions - centre, target - onto)
    return RigidTransform(centre, rotation, onto)


def aligned_onto(target: NDArray[np.float32], positions: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return ``positions`` moved, turned and mirrored, never scaled, to lie closest to ``target``."""
    return procrustes(target, positions)(positions)


def transforms_onto_first(maps: Sequence[NDArray[np.float32]]) -> list[RigidTransform | None]:
    """Return the transform of each of several maps, (N, dimensions) each, onto the first; None for the first."""
    first, *others = maps
    return [None, *(procrustes(first, other) for other in others)]


def moved(transform: RigidTransform | None, positions: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return ``positions`` (N, dimensions), moved where there is a transform."""
    return positions if transform is None else transform(positions)


def moved_map(transform: RigidTransform | None, one: Map) -> Map:
    """Return a map with its coordinates moved where there is a transform."""
    return one if transform is None else replace(one, coordinates=transform(one.coordinates))
