"""AdaDelta: the units of a step are those of the weights, by a running mean of squared steps (Zeiler 2012)."""

import numpy as np

from nlpviz.experiments.optimisers import Memory, Optimiser, Vector

RHO, EPSILON = 0.9, 1e-6


def update(weights: Vector, gradient: Vector, memory: Memory, rate: float, _step: int) -> None:
    """Take one step in place."""
    squares, moved = memory["squares"], memory["moved"]
    squares *= RHO
    squares += (1 - RHO) * gradient * gradient
    # The ratio of the root mean squares of steps and gradients sets the size of the step.
    change = np.sqrt(moved + EPSILON) / np.sqrt(squares + EPSILON) * gradient
    moved *= RHO
    moved += (1 - RHO) * change * change
    weights -= rate * change


OPTIMISER = Optimiser(
    name="adadelta",
    title="AdaDelta",
    says="RMSProp scaled by the size of recent steps, so a learning rate of 1 should work.",
    formula=(
        r"s \leftarrow \rho s + (1-\rho) g^2, \quad \Delta = \frac{\sqrt{u + \epsilon}}{\sqrt{s + \epsilon}}\, g, \quad"
        r" u \leftarrow \rho u + (1-\rho) \Delta^2, \quad \theta \leftarrow \theta - \eta\,\Delta"
    ),
    source="Zeiler 2012, ADADELTA: an adaptive learning rate method",
    rate=1.0,
    slots=("squares", "moved"),
    update=update,
    constants={r"\rho": RHO, r"\epsilon": EPSILON},
)
