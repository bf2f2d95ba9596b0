"""Turning one map onto another without changing it: orthogonal Procrustes (Schönemann 1966)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Motion:
    """A turn, perhaps with a mirror, about ``centre``, which then comes to lie on ``onto``; nothing is scaled."""

    centre: NDArray[np.float32]
    rotation: NDArray[np.float32]
    onto: NDArray[np.float32]

    def __call__(self, places: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return ``places`` (N, dimensions), moved."""
        return np.asarray((places - self.centre) @ self.rotation + self.onto, dtype=np.float32)


def motion_onto(target: NDArray[np.float32], places: NDArray[np.float32]) -> Motion:
    """Return the motion after which ``places`` lie closest to ``target``, row by row."""
    from scipy.linalg import orthogonal_procrustes

    centre, onto = places.mean(axis=0), target.mean(axis=0)
    rotation, _ = orthogonal_procrustes(places - centre, target - onto)
    return Motion(centre, rotation, onto)


def turned_onto(target: NDArray[np.float32], places: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return ``places`` moved, turned and mirrored, never scaled, to lie closest to ``target``."""
    return motion_onto(target, places)(places)
