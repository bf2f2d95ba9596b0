"""Squared error of linear outputs, which are to be 1 for the right class and else 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Array, Graded, Loss


def grade(z: Array, right: NDArray[np.integer[Any]]) -> Graded:
    """Return the mean loss of outputs ``z`` (B, K) and its gradient."""
    away = z.copy()
    away[np.arange(len(z)), right] -= 1
    return Graded(float((away * away).sum(axis=1).mean()), 2 * away / len(z))


LOSS = Loss(
    name="squared-error",
    title="squared error",
    formula=r"\sum_k (z_k - y_k)^2",
    grade=grade,
)
