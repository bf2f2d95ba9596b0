"""A disc within a ring."""

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Array, SmallProblem


def draw(random: np.random.Generator, count: int) -> tuple[Array, NDArray[np.int64]]:
    """Return ``count`` points (N, 2) and their classes (N,)."""
    labels = random.integers(0, 2, size=count)
    radius = np.where(labels == 1, random.uniform(0.6, 0.95, size=count), random.uniform(0, 0.5, size=count))
    angle = random.uniform(0, 2 * np.pi, size=count)
    points = radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.clip(points + random.normal(0, 0.05, size=points.shape), -1, 1), labels.astype(np.int64)


PROBLEM = SmallProblem(
    name="rings",
    title="Rings",
    says="A disc inside a ring: the class boundary is a closed curve.",
    classes=2,
    draw=draw,
)
