"""A hollow in a plain: far from it the surface is as good as flat."""

import math

import numpy as np

from nlpviz.experiments.feedforward import Array, Surface


def loss(x: Array, y: Array) -> Array:
    """Return the loss, element by element."""
    return 1 - np.exp(-0.5 * (x * x + y * y))


def gradient(x: float, y: float) -> tuple[float, float]:
    """Return its derivatives by x and by y."""
    level = math.exp(-0.5 * (x * x + y * y))
    return x * level, y * level


SURFACE = Surface(
    name="plateau",
    title="Plateau",
    says="Far from the minimum, the gradient is nearly 0, as for a saturated unit, although the loss is high.",
    formula=r"1 - e^{-(x^2 + y^2)/2}",
    loss=loss,
    gradient=gradient,
    x=(-4.0, 1.5),
    y=(-3.0, 1.5),
    start=(-3.0, -1.8),
)
