"""Normal with variance 2/n: a ReLU lets half of it pass."""

import math

import numpy as np

from nlpviz.experiments.feedforward import Array, Initialisation


def draw(random: np.random.Generator, inputs: int, outputs: int) -> Array:
    """Return the weights (``inputs``, ``outputs``) of a layer."""
    return math.sqrt(2 / inputs) * random.normal(size=(inputs, outputs))


INITIALISATION = Initialisation(
    name="he",
    title="He",
    formula=r"w \sim \mathcal{N}(0, \tfrac{2}{n})",
    source="He et al. 2015, Delving deep into rectifiers, eq. 10",
    draw=draw,
)
