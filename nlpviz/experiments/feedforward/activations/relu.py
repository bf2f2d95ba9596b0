"""The rectified linear unit: no gradient where it is off (Glorot et al. 2011)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Activation, Array


def value(z: Array) -> Array:
    """Return what units answer to sums ``z``."""
    return np.maximum(z, 0)


def slope(z: Array, a: Array) -> Array:  # noqa: ARG001 - some need the sums, others the values
    """Return the derivative at sums ``z`` with values ``a``."""
    return (z > 0).astype(z.dtype)


def flat(a: Array) -> NDArray[np.bool_]:
    """Return which values ``a`` lie where the derivative is below a twentieth of its largest."""
    result: NDArray[Any] = a <= 0
    return result


ACTIVATION = Activation(
    name="relu",
    title="ReLU",
    formula=r"\max(0, z)",
    value=value,
    slope=slope,
    flat=flat,
)
