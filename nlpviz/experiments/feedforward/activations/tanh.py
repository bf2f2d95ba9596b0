"""The hyperbolic tangent: between −1 and 1, flat at both ends, steepest (1) at 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Activation, Array


def value(z: Array) -> Array:
    """Return what units answer to sums ``z``."""
    return np.tanh(z)


def slope(z: Array, a: Array) -> Array:  # noqa: ARG001 - some need the sums, others the values
    """Return the derivative at sums ``z`` with values ``a``."""
    return 1 - a * a


def flat(a: Array) -> NDArray[np.bool_]:
    """Return which values ``a`` lie where the derivative is below a twentieth of its largest."""
    result: NDArray[Any] = 1 - a * a < 0.05
    return result


ACTIVATION = Activation(
    name="tanh",
    title="tanh",
    formula=r"\tanh(z)",
    value=value,
    slope=slope,
    flat=flat,
)
