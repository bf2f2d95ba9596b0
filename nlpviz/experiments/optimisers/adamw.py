"""AdamW: Adam, with weights that decay apart from the gradient's step (Loshchilov and Hutter 2019)."""

from nlpviz.experiments.optimisers import Memory, Optimiser, Vector, adam

DECAY = 0.01


def update(weights: Vector, gradient: Vector, memory: Memory, rate: float, step: int) -> None:
    """Take one step in place."""
    # Decoupled from the gradient, which Adam would divide by its size.
    weights *= 1 - rate * DECAY
    adam.update(weights, gradient, memory, rate, step)


OPTIMISER = Optimiser(
    name="adamw",
    title="AdamW",
    says="Adam with decoupled weight decay: each weight also shrinks a little at each step.",
    formula=adam.FORMULA
    + r" \theta \leftarrow (1 - \eta\lambda)\theta - \eta\,\frac{\hat m}{\sqrt{\hat s} + \epsilon}",
    source="Loshchilov and Hutter 2019, Decoupled weight decay regularization, algorithm 2",
    rate=0.001,
    slots=("mean", "squares"),
    update=update,
    constants={**adam.OPTIMISER.constants, r"\lambda": DECAY},
)
