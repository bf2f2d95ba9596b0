"""Three arms of a spiral, each of its own class."""

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Array, SmallProblem


def draw(random: np.random.Generator, count: int) -> tuple[Array, NDArray[np.int64]]:
    """Return ``count`` points (N, 2) and their classes (N,)."""
    labels = random.integers(0, 3, size=count)
    along = np.sqrt(random.uniform(0.01, 1, size=count))
    angle = 4 * along + labels * (2 * np.pi / 3) + random.normal(0, 0.12, size=count)
    points = 0.95 * along[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return points, labels.astype(np.int64)


PROBLEM = SmallProblem(
    name="spirals",
    title="Spirals",
    says="Three spiral arms, one per class: the class boundaries are spirals.",
    classes=3,
    draw=draw,
)
