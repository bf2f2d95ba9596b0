"""Stochastic gradient descent: a step against the gradient of one batch (Robbins and Monro 1951)."""

from nlpviz.experiments.optimisers import Memory, Optimiser, Vector


def update(weights: Vector, gradient: Vector, _memory: Memory, rate: float, _step: int) -> None:
    """Take one step in place."""
    weights -= rate * gradient


OPTIMISER = Optimiser(
    name="sgd",
    title="SGD",
    says="Each step is proportional to the negative gradient.",
    formula=r"\theta \leftarrow \theta - \eta\, g",
    source="Robbins and Monro 1951, A stochastic approximation method",
    rate=0.1,
    slots=(),
    update=update,
)
