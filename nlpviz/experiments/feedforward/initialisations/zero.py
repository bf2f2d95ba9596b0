"""All weights 0: the units of a layer are alike, and stay so."""

import numpy as np

from nlpviz.experiments.feedforward import Array, Initialisation


def draw(_random: np.random.Generator, inputs: int, outputs: int) -> Array:
    """Return the weights (``inputs``, ``outputs``) of a layer."""
    return np.zeros((inputs, outputs))


INITIALISATION = Initialisation(
    name="zero",
    title="all zero",
    formula=r"w = 0",
    source="A counterexample",
    draw=draw,
)
