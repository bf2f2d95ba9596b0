"""No activation: layers on layers are one linear layer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Activation, Array


def value(z: Array) -> Array:
    """Return what units answer to sums ``z``."""
    return z


def slope(z: Array, a: Array) -> Array:  # noqa: ARG001 - some need the sums, others the values
    """Return the derivative at sums ``z`` with values ``a``."""
    return np.ones_like(z)


def flat(a: Array) -> NDArray[np.bool_]:
    """Return which values ``a`` lie where the derivative is below a twentieth of its largest."""
    result: NDArray[Any] = np.zeros(a.shape, dtype=bool)
    return result


ACTIVATION = Activation(
    name="identity",
    title="none (linear)",
    formula=r"g(z) = z",
    value=value,
    slope=slope,
    flat=flat,
)
