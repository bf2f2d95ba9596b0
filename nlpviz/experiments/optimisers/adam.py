"""Adam: running means of gradients and of their squares, corrected for beginning at zero (Kingma and Ba 2015)."""

import numpy as np

from nlpviz.experiments.optimisers import Memory, Optimiser, Vector

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8


def update(weights: Vector, gradient: Vector, memory: Memory, rate: float, step: int) -> None:
    """Take one step in place (algorithm 1)."""
    mean, squares = memory["mean"], memory["squares"]
    mean *= BETA1
    mean += (1 - BETA1) * gradient
    squares *= BETA2
    squares += (1 - BETA2) * gradient * gradient
    below = np.sqrt(squares)
    # Bias correction of the squares; that of the mean is in the last line.
    below /= np.sqrt(1 - BETA2**step)
    below += EPSILON
    weights -= rate / (1 - BETA1**step) * mean / below


FORMULA = (
    r"m \leftarrow \beta_1 m + (1-\beta_1) g, \quad s \leftarrow \beta_2 s + (1-\beta_2) g^2, \quad"
    r" \hat m = \frac{m}{1-\beta_1^t}, \quad \hat s = \frac{s}{1-\beta_2^t}, \quad"
)
OPTIMISER = Optimiser(
    name="adam",
    title="Adam",
    says="Momentum divided by the size of recent gradients, separately for each weight.",
    formula=FORMULA + r" \theta \leftarrow \theta - \eta\,\frac{\hat m}{\sqrt{\hat s} + \epsilon}",
    source="Kingma and Ba 2015, Adam: a method for stochastic optimization, algorithm 1",
    rate=0.001,
    slots=("mean", "squares"),
    update=update,
    constants={r"\beta_1": BETA1, r"\beta_2": BETA2, r"\epsilon": EPSILON},
)
