"""Exploding gradients and clipping on a loss surface that can be drawn: a recurrent network of one unit, no input.

Pascanu, Mikolov and Bengio (2013), *On the difficulty of training recurrent neural networks*, figure 6 and algorithm 1;
001, "Gradient norm clipping". There x_t = w σ(x_{t-1}) + b; here h_t = σ(w h_{t-1} + b), the same with h = σ(x), from
h_0 = 0, and the loss is (h_50 − 0.7)² as there.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nlpviz.results.clipping import Descent, LossSurface

STEPS, WANTED = 50, 0.7
WEIGHTS, BIASES = (3.0, 7.5), (-4.0, 0.0)
_ACROSS, _UP = 151, 134


def loss_surface() -> LossSurface:
    """Return the loss over a part of the plane that contains a steep wall."""
    weights, biases = np.linspace(*WEIGHTS, _ACROSS), np.linspace(*BIASES, _UP)
    losses, _ = loss_and_gradient(weights[None, :], biases[:, None])
    return LossSurface(weights, biases, losses, STEPS, WANTED)


def descend(start: tuple[float, float], rate: float, threshold: float | None, steps: int = 60) -> Descent:
    """Return the path of ``steps`` steps of gradient descent.

    Args:
        start: w and b.
        rate: the learning rate.
        threshold: a gradient of a larger norm is scaled down to it (algorithm 1); None for no clipping.
        steps: N.
    """
    points, losses, norms = [np.array(start, dtype=np.float64)], [], []
    for _ in range(steps):
        loss, gradient = loss_and_gradient(*points[-1])
        norm = math.hypot(*gradient)
        losses.append(float(loss))
        norms.append(norm)
        # Algorithm 1: the direction stays, the norm is cut to the threshold.
        scale = threshold / norm if threshold is not None and norm > threshold else 1.0
        points.append(points[-1] - rate * scale * gradient)
    losses.append(float(loss_and_gradient(*points[-1])[0]))
    return Descent(rate, threshold, np.array(points), np.array(losses), np.array(norms))


def loss_and_gradient(weight: ArrayLike, bias: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the loss (...,) and its derivatives by w and b (2, ...), taken along with the recurrence."""
    w, b = np.broadcast_arrays(np.asarray(weight, dtype=np.float64), np.asarray(bias, dtype=np.float64))
    unit, by = np.zeros_like(w), np.zeros((2, *w.shape))
    for _ in range(STEPS):
        after = (1 + np.tanh((w * unit + b) / 2)) / 2  # the logistic function, which never overflows so
        by = after * (1 - after) * (np.stack([unit, np.ones_like(unit)]) + w * by)
        unit = after
    return (unit - WANTED) ** 2, 2 * (unit - WANTED) * by
