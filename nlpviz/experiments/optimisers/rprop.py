"""Resilient propagation: the sign of the gradient alone, a step length for each weight (Riedmiller and Braun 1993).

Meant for the gradient of all examples: the signs of small batches' gradients alternate by chance.
"""

import numpy as np

from nlpviz.experiments.optimisers import Memory, Optimiser, Vector

SHORTER, LONGER = 0.5, 1.2
LEAST, MOST = 1e-6, 50.0


def update(weights: Vector, gradient: Vector, memory: Memory, rate: float, step: int) -> None:
    """Take one step in place: where the sign turned, the step is shortened and this time left out."""
    lengths, before = memory["lengths"], memory["before"]
    if step == 1:
        lengths.fill(rate)
    agreed = np.sign(gradient * before)
    lengths *= np.where(agreed > 0, LONGER, np.where(agreed < 0, SHORTER, 1.0)).astype(lengths.dtype)
    np.clip(lengths, LEAST, MOST, out=lengths)
    # A zero makes the next product zero, so that the length is not shortened twice.
    before[...] = np.where(agreed < 0, 0, gradient)
    weights -= np.sign(before) * lengths


OPTIMISER = Optimiser(
    name="rprop",
    title="Rprop",
    says="Only the sign of the gradient counts: steps grow while it stays the same and halve when it changes.",
    formula=(
        r"\Delta \leftarrow \Delta \cdot \begin{cases}\eta_+ & g\,g_{t-1} > 0\\ \eta_- & g\,g_{t-1} < 0\\"
        r" 1 & \text{else}\end{cases}, \qquad"
        r" \theta \leftarrow \theta - \operatorname{sign}(g)\,\Delta \ \text{ unless } g\,g_{t-1} < 0"
    ),
    source="Riedmiller and Braun 1993, A direct adaptive method for faster backpropagation learning",
    rate=0.01,
    slots=("lengths", "before"),
    update=update,
    constants={r"\eta_+": LONGER, r"\eta_-": SHORTER},
)
