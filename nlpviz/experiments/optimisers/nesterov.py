"""Nesterov's accelerated gradient: momentum that looks ahead (Nesterov 1983; as Sutskever et al. 2013 write it).

Written, as PyTorch does, on the point that the velocity leads to, where the gradient is taken.
"""

from nlpviz.experiments.optimisers import Memory, Optimiser, Vector

MU = 0.9


def update(weights: Vector, gradient: Vector, memory: Memory, rate: float, _step: int) -> None:
    """Take one step in place."""
    velocity = memory["velocity"]
    velocity *= MU
    velocity += gradient
    # The gradient step and the look-ahead of the next one together.
    weights -= rate * (gradient + MU * velocity)


OPTIMISER = Optimiser(
    name="nesterov",
    title="Nesterov",
    says="Momentum with the gradient evaluated at the look-ahead point, so the velocity decreases earlier.",
    formula=r"v \leftarrow \mu v + g, \qquad \theta \leftarrow \theta - \eta\,(g + \mu v)",
    source="Nesterov 1983; Sutskever et al. 2013, On the importance of initialization and momentum in deep learning",
    rate=0.01,
    slots=("velocity",),
    update=update,
    constants={r"\mu": MU},
)
