"""Normal with a standard deviation of 0.01, whatever the layer's size."""

import numpy as np

from nlpviz.experiments.feedforward import Array, Initialisation


def draw(random: np.random.Generator, inputs: int, outputs: int) -> Array:
    """Return the weights (``inputs``, ``outputs``) of a layer."""
    return 0.01 * random.normal(size=(inputs, outputs))


INITIALISATION = Initialisation(
    name="small",
    title="small (0.01)",
    formula=r"w \sim \mathcal{N}(0, 0.01^2)",
    source="Krizhevsky et al. 2012, section 5",
    draw=draw,
)
