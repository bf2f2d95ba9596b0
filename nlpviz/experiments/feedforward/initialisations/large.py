"""Normal with a standard deviation of 1, whatever the layer's size: sums grow from layer to layer."""

import numpy as np

from nlpviz.experiments.feedforward import Array, Initialisation


def draw(random: np.random.Generator, inputs: int, outputs: int) -> Array:
    """Return the weights (``inputs``, ``outputs``) of a layer."""
    return random.normal(size=(inputs, outputs))


INITIALISATION = Initialisation(
    name="large",
    title="large (1)",
    formula=r"w \sim \mathcal{N}(0, 1)",
    source="A counterexample",
    draw=draw,
)
