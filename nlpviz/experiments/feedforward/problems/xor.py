"""Exclusive or: points in opposite quarters are of one class, with some noise."""

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Array, SmallProblem


def draw(random: np.random.Generator, count: int) -> tuple[Array, NDArray[np.int64]]:
    """Return ``count`` points (N, 2) and their classes (N,)."""
    points = random.uniform(-1, 1, size=(count, 2))
    labels = (points[:, 0] * points[:, 1] > 0).astype(np.int64)
    return np.clip(points + random.normal(0, 0.06, size=points.shape), -1, 1), labels


PROBLEM = SmallProblem(
    name="xor",
    title="XOR",
    says="Opposite quadrants belong to the same class, so no straight line separates the classes.",
    classes=2,
    draw=draw,
)
