"""The plane through the epochs: where the weights went in training, and the loss around their path.

The weights after each epoch are points; the plane is that of their first two principal components (Lorch 2016;
Li et al. 2018, section 7). The loss of a point of the plane is that of the weights that it stands for. The weights of
an epoch lie off the plane, so that their loss is another one than that of their projection: both are computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.experiments.feedforward import Array
from nlpviz.experiments.feedforward.network import FeedForward, Inputs
from nlpviz.results.descents import EpochPlane

_MARGIN = 0.25  # of the path's extent, on each side
CELLS = 31


def plane_of(
    name: str,
    network: FeedForward,
    weights: Mapping[str, Sequence[Array]],
    examples: tuple[Inputs, NDArray[np.integer[Any]]],
    cells: int = CELLS,
) -> EpochPlane:
    """Return the plane through the epochs of one or several trainings of a network.

    Args:
        name: of what was trained.
        network: whose weights they are.
        weights: after each epoch, by optimiser.
        examples: inputs and classes on which the loss is taken.
        cells: places along each axis.
    """
    every = np.stack([one for some in weights.values() for one in some]).astype(np.float64)  # (E, P)
    centre = every.mean(axis=0)
    axes, share = principal(every - centre)
    paths = {key: (np.stack(list(some)) - centre) @ axes.T for key, some in weights.items()}
    along, across = (_places(np.concatenate([path[:, axis] for path in paths.values()]), cells) for axis in (0, 1))

    def loss(vector: Array) -> float:
        return network.measure(vector.astype(examples[0].dtype), *examples)[0]

    ground = [[loss(centre + a * axes[0] + b * axes[1]) for a in along] for b in across]
    return EpochPlane(
        name,
        along,
        across,
        np.array(ground),
        paths,
        true={key: np.array([loss(one) for one in some]) for key, some in weights.items()},
        projected={key: np.array([loss(centre + place @ axes) for place in path]) for key, path in paths.items()},
        share=share,
    )


def principal(rows: NDArray[np.float64]) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Return the first two principal axes (2, P) of centred ``rows`` (E, P), E far below P, and their shares."""
    values, vectors = np.linalg.eigh(rows @ rows.T)
    chosen = vectors[:, ::-1][:, :2].T @ rows
    shares = np.maximum(values[::-1], 0) / max(values.sum(), 1e-300)
    axes = chosen / np.maximum(np.linalg.norm(chosen, axis=1, keepdims=True), 1e-300)
    return axes, (float(shares[0]), float(shares[1]))


def _places(values: NDArray[np.float64], cells: int) -> NDArray[np.float64]:
    low, high = float(values.min()), float(values.max())
    room = _MARGIN * max(high - low, 1e-6)
    return np.linspace(low - room, high + room, cells)
