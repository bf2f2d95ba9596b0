"""Uniform with variance 1/n: a sum of n inputs has their variance (LeCun et al. 1998)."""

import math

import numpy as np

from nlpviz.experiments.feedforward import Array, Initialisation


def draw(random: np.random.Generator, inputs: int, outputs: int) -> Array:
    """Return the weights (``inputs``, ``outputs``) of a layer."""
    return math.sqrt(3 / inputs) * random.uniform(-1, 1, size=(inputs, outputs))


INITIALISATION = Initialisation(
    name="lecun",
    title="LeCun",
    formula=r"w \sim U\left[-\sqrt{\tfrac{3}{n}}, \sqrt{\tfrac{3}{n}}\right]",
    source="LeCun et al. 1998, Efficient backprop, section 4.6",
    draw=draw,
)
