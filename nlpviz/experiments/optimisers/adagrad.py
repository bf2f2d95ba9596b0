"""AdaGrad: a rate of its own for each weight, by the squares of all its gradients so far (Duchi et al. 2011)."""

import numpy as np

from nlpviz.experiments.optimisers import Memory, Optimiser, Vector

EPSILON = 1e-10


def update(weights: Vector, gradient: Vector, memory: Memory, rate: float, _step: int) -> None:
    """Take one step in place."""
    squares = memory["squares"]
    squares += gradient * gradient
    below = np.sqrt(squares)
    below += EPSILON
    weights -= rate * gradient / below


OPTIMISER = Optimiser(
    name="adagrad",
    title="AdaGrad",
    says="Each weight has its own learning rate, which shrinks as its squared gradients accumulate.",
    formula=r"s \leftarrow s + g^2, \qquad \theta \leftarrow \theta - \eta\,\frac{g}{\sqrt{s} + \epsilon}",
    source="Duchi, Hazan and Singer 2011, Adaptive subgradient methods",
    rate=0.01,
    slots=("squares",),
    update=update,
    constants={r"\epsilon": EPSILON},
)
