"""Binary cross-entropy of a sigmoid for each class: the gradient is as large as the error, saturated or not."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Array, Graded, Loss


def grade(z: Array, right: NDArray[np.integer[Any]]) -> Graded:
    """Return the mean loss of outputs ``z`` (B, K) and its gradient."""
    wanted = np.zeros_like(z)
    wanted[np.arange(len(z)), right] = 1
    loss = np.logaddexp(0, z) - wanted * z
    gradient = (0.5 * (1 + np.tanh(0.5 * z)) - wanted) / len(z)
    return Graded(float(loss.sum(axis=1).mean()), gradient)


LOSS = Loss(
    name="sigmoid-cross-entropy",
    title="cross-entropy of sigmoids",
    formula=r"-\sum_k \left( y_k \log \sigma(z_k) + (1 - y_k) \log (1 - \sigma(z_k)) \right)",
    grade=grade,
)
