"""The leaky rectified linear unit: a tenth of the gradient where it is off (Maas et al. 2013, there a hundredth)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Activation, Array

LEAK = 0.1


def value(z: Array) -> Array:
    """Return what units answer to sums ``z``."""
    return np.where(z > 0, z, z * LEAK)


def slope(z: Array, a: Array) -> Array:  # noqa: ARG001 - some need the sums, others the values
    """Return the derivative at sums ``z`` with values ``a``."""
    return np.where(z > 0, 1, LEAK).astype(z.dtype)


def flat(a: Array) -> NDArray[np.bool_]:
    """Return which values ``a`` lie where the derivative is below a twentieth of its largest."""
    result: NDArray[Any] = np.zeros(a.shape, dtype=bool)
    return result


ACTIVATION = Activation(
    name="leaky-relu",
    title="leaky ReLU",
    formula=r"\max(0.1\,z, z)",
    value=value,
    slope=slope,
    flat=flat,
)
