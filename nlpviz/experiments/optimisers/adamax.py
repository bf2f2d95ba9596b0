"""Adamax: Adam with the largest recent gradient in place of their root mean square (Kingma and Ba 2015, 7.1)."""

import numpy as np

from nlpviz.experiments.optimisers import Memory, Optimiser, Vector

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8


def update(weights: Vector, gradient: Vector, memory: Memory, rate: float, step: int) -> None:
    """Take one step in place (algorithm 2; ε is added as PyTorch does, so that a gradient of 0 divides by no 0)."""
    mean, largest = memory["mean"], memory["largest"]
    mean *= BETA1
    mean += (1 - BETA1) * gradient
    largest *= BETA2
    np.maximum(largest, np.abs(gradient) + EPSILON, out=largest)
    weights -= rate / (1 - BETA1**step) * mean / largest


OPTIMISER = Optimiser(
    name="adamax",
    title="Adamax",
    says="Adam with the largest recent gradient instead of the root mean square of recent gradients.",
    formula=(
        r"m \leftarrow \beta_1 m + (1-\beta_1) g, \quad u \leftarrow \max(\beta_2 u, |g| + \epsilon), \quad"
        r" \theta \leftarrow \theta - \frac{\eta}{1-\beta_1^t}\,\frac{m}{u}"
    ),
    source="Kingma and Ba 2015, Adam: a method for stochastic optimization, algorithm 2",
    rate=0.002,
    slots=("mean", "largest"),
    update=update,
    constants={r"\beta_1": BETA1, r"\beta_2": BETA2, r"\epsilon": EPSILON},
)
