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


def motions_onto_first(maps: Sequence[NDArray[np.float32]]) -> list[Motion | None]:
    """Return what moves each of several maps, (N, dimensions) each, onto the first; None for that, which stays."""
    first, *others = maps
    return [None, *(motion_onto(first, other) for other in others)]


def moved(motion: Motion | None, places: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return ``places`` (N, dimensions), moved where there is a motion."""
    return places if motion is None else motion(places)


def moved_map(motion: Motion | None, one: Map) -> Map:
    """Return a map with its coordinates moved where there is a motion."""
    return one if motion is None else replace(one, coordinates=motion(one.coordinates))
