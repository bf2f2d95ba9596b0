"""Categorical cross-entropy of a softmax: minus the log-probability of the right class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Array, Graded, Loss


def grade(z: Array, right: NDArray[np.integer[Any]]) -> Graded:
    """Return the mean loss of outputs ``z`` (B, K) and its gradient."""
    rows = np.arange(len(z))
    shifted = z - z.max(axis=1, keepdims=True)
    exponents = np.exp(shifted)
    sums = exponents.sum(axis=1, keepdims=True)
    gradient = exponents / sums
    gradient[rows, right] -= 1
    loss = np.log(sums[:, 0]) - shifted[rows, right]
    return Graded(float(loss.mean()), gradient / len(z))


LOSS = Loss(
    name="cross-entropy",
    title="cross-entropy",
    formula=r"-\log \frac{e^{z_t}}{\sum_k e^{z_k}}",
    grade=grade,
)
