"""Squared error of sigmoids: the gradient vanishes where one is saturated, and be it wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Array, Graded, Loss


def grade(z: Array, right: NDArray[np.integer[Any]]) -> Graded:
    """Return the mean loss of outputs ``z`` (B, K) and its gradient."""
    sigmoids = 0.5 * (1 + np.tanh(0.5 * z))
    away = sigmoids.copy()
    away[np.arange(len(z)), right] -= 1
    gradient = 2 * away * sigmoids * (1 - sigmoids) / len(z)
    return Graded(float((away * away).sum(axis=1).mean()), gradient)


LOSS = Loss(
    name="squared-error-of-sigmoids",
    title="squared error of sigmoids",
    formula=r"\sum_k (\sigma(z_k) - y_k)^2",
    grade=grade,
)
