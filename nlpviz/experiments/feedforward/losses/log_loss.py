"""Log loss of the right class against the highest other one: a smooth hinge.

Of two classes it is the cross-entropy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Array, Graded, Loss
from nlpviz.experiments.feedforward.losses.hinge import against


def grade(z: Array, right: NDArray[np.integer[Any]]) -> Graded:
    """Return the mean loss of outputs ``z`` (B, K) and its gradient."""
    lead, rival = against(z, right)
    rows = np.arange(len(z))
    pull = (0.5 * (1 + np.tanh(-0.5 * lead))).astype(z.dtype)
    gradient = np.zeros_like(z)
    gradient[rows, right] -= pull
    gradient[rows, rival] += pull
    return Graded(float(np.logaddexp(0, -lead).mean()), gradient / len(z))


LOSS = Loss(
    name="log-loss",
    title="log loss",
    formula=r"\log\left(1 + e^{-(z_t - z_k)}\right), \quad k = \operatorname{argmax}_{k \neq t} z_k",
    grade=grade,
)
