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
    """A turn, perhaps with a mirror, about ``centre``, which then comes to lie on ``onto``; nothing is scaled."""

    centre: NDArray[np.float32]
    rotation: NDArray[np.float32]
    onto: NDArray[np.float32]

    def __call__(self, positions: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return ``positions`` (N, dimensions), moved."""
        return np.asarray((positions - self.centre) @ self.rotation + self.onto, dtype=np.float32)


def procrustes(target: NDArray[np.float32], positions: NDArray[np.float32]) -> RigidTransform:
    """Return the motion after which ``positions`` lie closest to ``target``, row by row."""
    from scipy.linalg import orthogonal_procrustes

    centre, onto = positions.mean(axis=0), target.mean(axis=0)
    rotation, _ = orthogonal_procrustes(positions - centre, target - onto)
    return RigidTransform(centre, rotation, onto)


def aligned_onto(target: NDArray[np.float32], positions: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return ``positions`` moved, turned and mirrored, never scaled, to lie closest to ``target``."""
    return procrustes(target, positions)(positions)


def motions_onto_first(maps: Sequence[NDArray[np.float32]]) -> list[RigidTransform | None]:
    """Return what moves each of several maps, (N, dimensions) each, onto the first; None for that, which stays."""
    first, *others = maps
    return [None, *(procrustes(first, other) for other in others)]


def moved(transform: RigidTransform | None, positions: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return ``positions`` (N, dimensions), moved where there is a motion."""
    return positions if transform is None else transform(positions)


def moved_map(transform: RigidTransform | None, one: Map) -> Map:
    """Return a map with its coordinates moved where there is a motion."""
    return one if transform is None else replace(one, coordinates=transform(one.coordinates))
