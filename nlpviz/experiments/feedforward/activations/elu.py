"""The exponential linear unit: smooth, −1 at the least (Clevert et al. 2016)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Activation, Array


def value(z: Array) -> Array:
    """Return what units answer to sums ``z``."""
    return np.where(z > 0, z, np.expm1(np.minimum(z, 0)))


def slope(z: Array, a: Array) -> Array:
    """Return the derivative at sums ``z`` with values ``a``."""
    return np.where(z > 0, 1, a + 1).astype(z.dtype)


def flat(a: Array) -> NDArray[np.bool_]:
    """Return which values ``a`` lie where the derivative is below a twentieth of its largest."""
    result: NDArray[Any] = a < -0.95
    return result


ACTIVATION = Activation(
    name="elu",
    title="ELU",
    formula=r"\begin{cases} z & z > 0 \\ e^{z} - 1 & z \le 0 \end{cases}",
    value=value,
    slope=slope,
    flat=flat,
)
