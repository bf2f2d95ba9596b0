"""The logistic sigmoid: between 0 and 1, flat at both ends, steepest (1/4) at 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Activation, Array


def value(z: Array) -> Array:
    """Return what units answer to sums ``z``."""
    result: Array = 0.5 * (1 + np.tanh(0.5 * z))
    return result


def slope(z: Array, a: Array) -> Array:  # noqa: ARG001 - some need the sums, others the values
    """Return the derivative at sums ``z`` with values ``a``."""
    return a * (1 - a)


def flat(a: Array) -> NDArray[np.bool_]:
    """Return which values ``a`` lie where the derivative is below a twentieth of its largest."""
    result: NDArray[Any] = 4 * a * (1 - a) < 0.05
    return result


ACTIVATION = Activation(
    name="sigmoid",
    title="sigmoid",
    formula=r"\sigma(z) = \frac{1}{1 + e^{-z}}",
    value=value,
    slope=slope,
    flat=flat,
)
