"""RMSProp: as AdaGrad, with a running mean of the squares, so that old gradients are forgotten (Hinton 2012)."""

import numpy as np

from nlpviz.experiments.optimisers import Memory, Optimiser, Vector

RHO, EPSILON = 0.99, 1e-8


def update(weights: Vector, gradient: Vector, memory: Memory, rate: float, _step: int) -> None:
    """Take one step in place."""
    squares = memory["squares"]
    squares *= RHO
    squares += (1 - RHO) * gradient * gradient
    below = np.sqrt(squares)
    below += EPSILON
    weights -= rate * gradient / below


OPTIMISER = Optimiser(
    name="rmsprop",
    title="RMSProp",
    says="AdaGrad with a running mean of squared gradients instead of their sum, so old gradients are forgotten.",
    formula=r"s \leftarrow \rho s + (1-\rho) g^2, \quad \theta \leftarrow \theta - \eta\,\frac{g}{\sqrt{s} + \epsilon}",
    source="Tieleman and Hinton 2012, Neural networks for machine learning, lecture 6.5",
    rate=0.001,
    slots=("squares",),
    update=update,
    constants={r"\rho": RHO, r"\epsilon": EPSILON},
)
