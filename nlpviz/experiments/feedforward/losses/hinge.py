"""Multiclass hinge: nothing to pay where the right class leads by 1 (Crammer and Singer 2001).

Of two classes it is the binary hinge of the difference of both outputs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Array, Graded, Loss


def against(z: Array, right: NDArray[np.integer[Any]]) -> tuple[Array, NDArray[np.integer[Any]]]:
    """Return by how much the right class leads (B,), and over which other class (B,): the highest of them."""
    rows, others = np.arange(len(z)), z.copy()
    others[rows, right] = -np.inf
    rival = others.argmax(axis=1)
    return z[rows, right] - z[rows, rival], rival


def grade(z: Array, right: NDArray[np.integer[Any]]) -> Graded:
    """Return the mean loss of outputs ``z`` (B, K) and its gradient."""
    lead, rival = against(z, right)
    rows, pays = np.arange(len(z)), (lead < 1).astype(z.dtype)
    gradient = np.zeros_like(z)
    gradient[rows, right] -= pays
    gradient[rows, rival] += pays
    return Graded(float(np.maximum(1 - lead, 0).mean()), gradient / len(z))


LOSS = Loss(
    name="hinge",
    title="hinge",
    formula=r"\max(0, 1 - (z_t - z_k)), \quad k = \operatorname{argmax}_{k \neq t} z_k",
    grade=grade,
)
