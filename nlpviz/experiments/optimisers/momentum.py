"""Momentum, the heavy ball: steps add up where gradients agree (Polyak 1964).

Some write the velocity as a convex combination, (1 − μ) g in place of g: with a learning rate 1/(1 − μ) times as large
that is the same.
"""

from nlpviz.experiments.optimisers import Memory, Optimiser, Vector

MU = 0.9


def update(weights: Vector, gradient: Vector, memory: Memory, rate: float, _step: int) -> None:
    """Take one step in place."""
    velocity = memory["velocity"]
    velocity *= MU
    velocity += gradient
    weights -= rate * velocity


OPTIMISER = Optimiser(
    name="momentum",
    title="Momentum",
    says="A velocity accumulates gradients: equal signs add up, alternating signs cancel out.",
    formula=r"v \leftarrow \mu v + g, \qquad \theta \leftarrow \theta - \eta\, v",
    source="Polyak 1964, Some methods of speeding up the convergence of iteration methods",
    rate=0.01,
    slots=("velocity",),
    update=update,
    constants={r"\mu": MU},
)
