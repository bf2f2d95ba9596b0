"""Uniform with variance 2/(n + m): between what keeps the sums' and what keeps the gradients' variance."""

import math

import numpy as np

from nlpviz.experiments.feedforward import Array, Initialisation


def draw(random: np.random.Generator, inputs: int, outputs: int) -> Array:
    """Return the weights (``inputs``, ``outputs``) of a layer."""
    return math.sqrt(6 / (inputs + outputs)) * random.uniform(-1, 1, size=(inputs, outputs))


INITIALISATION = Initialisation(
    name="xavier",
    title="Xavier",
    formula=r"w \sim U\left[-\sqrt{\tfrac{6}{n + m}}, \sqrt{\tfrac{6}{n + m}}\right]",
    source="Glorot and Bengio 2010, Understanding the difficulty of training deep feedforward neural networks, eq. 16",
    draw=draw,
)
