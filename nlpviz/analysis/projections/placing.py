"""Placing one more text on a finished t-SNE map, which stays as it is.

The way of openTSNE's ``transform`` (Poličar, Stražar and Zupan 2023, *Embedding to reference t-SNE space*): the text's
affinities to the documents in the original space are calibrated to a perplexity, it starts among its nearest
documents, and the divergence between its affinities there and on the map is made small over its position alone. Here
all distances of the one text are taken exactly, and the steps are plain gradient steps whose length is halved where
they lead uphill.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.projections.projector import Embeddings, FittedMap

_STEPS = 60
_SEARCH = 60
_AT_ONCE = 1 << 22
"""Distances in memory at a time."""
_NEIGHBOURHOOD = 3
"""Affinities beyond this many times the perplexity are left out, as t-SNE leaves them out."""

Numbers = NDArray[np.float64]


def transform(fitted_map: FittedMap, points: Embeddings) -> Embeddings:
    """Return the positions on the map of the texts with the embeddings ``points`` (M, E), shape (M, dimensions)."""
    documents, coordinates = fitted_map.embeddings.astype(np.float64), fitted_map.coordinates.astype(np.float64)
    perplexity = min(fitted_map.perplexity or np.inf, (len(documents) - 1) / 3)
    squares = np.einsum("ne,ne->n", documents, documents)
    placed = []
    for point in points.astype(np.float64):
        distances = np.maximum(squares - 2 * documents @ point + point @ point, 0.0)
        placed.append(_place_one(distances, coordinates, perplexity))
    return np.array(placed, dtype=np.float32).reshape(len(points), coordinates.shape[1])


def placed_between(fitted_map: FittedMap, points: Embeddings, perplexity: float) -> Embeddings:
    """Return the positions of many points (M, E) between a map's documents: the start of :func:`transform`.

    That is the mean position of each point's nearest documents, weighted by its affinities to them.
    """
    documents = fitted_map.embeddings
    squares = np.einsum("ne,ne->n", documents, documents)
    kept = min(int(_NEIGHBOURHOOD * perplexity) + 1, len(documents))
    placed = np.empty((len(points), fitted_map.coordinates.shape[1]), dtype=np.float32)
    at_once = max(1, _AT_ONCE // len(documents))
    for first in range(0, len(points), at_once):
        some = points[first : first + at_once]
        distances = squares - 2 * some @ documents.T  # (m, N), less what all of a row have in common
        near = np.argpartition(distances, kept - 1, axis=1)[:, :kept]
        affinities = calibrated(np.take_along_axis(distances, near, axis=1).astype(np.float64), perplexity)
        placed[first : first + at_once] = np.einsum("mk,mkd->md", affinities, fitted_map.coordinates[near])
    return placed


def _place_one(distances: Numbers, coordinates: Numbers, perplexity: float) -> Numbers:
    """Return the position of a text with these squared ``distances`` (N,) to the documents."""
    kept = np.argsort(distances)[: int(_NEIGHBOURHOOD * perplexity) + 1]
    affinities = np.zeros(len(distances))
    affinities[kept] = calibrated(distances[kept], perplexity)
    return _descend(affinities, coordinates, np.asarray(affinities @ coordinates))


def calibrated(distances: Numbers, perplexity: float) -> Numbers:
    """Return the affinities whose perplexity is ``perplexity``: exp(-b d), scaled to the sum 1, with b by bisection.

    Args:
        distances: squared, (..., N): each row has a b of its own.
        perplexity: exp of the entropy (nats) of what is returned; at most N.
    """
    distances = distances - distances.min(axis=-1, keepdims=True)
    scale = distances.mean(axis=-1, keepdims=True)
    scale = np.where(scale > 0, scale, 1.0)
    low, high = 1e-6 / scale, 1e6 / scale
    affinities = np.full(distances.shape, 1 / distances.shape[-1])
    for _ in range(_SEARCH):
        rate = np.sqrt(low * high)
        weights = np.exp(-rate * distances)
        total = weights.sum(axis=-1, keepdims=True)
        affinities = weights / total
        # Bisection, in logarithms, for the bandwidth whose entropy is log(perplexity).
        entropy = rate * (affinities * distances).sum(axis=-1, keepdims=True) + np.log(total)
        too_wide = entropy > np.log(perplexity)
        low, high = np.where(too_wide, rate, low), np.where(too_wide, high, rate)
    return affinities


def _descend(affinities: Numbers, coordinates: Numbers, place_: Numbers) -> Numbers:
    """Return the place near ``place_`` at which the Kullback-Leibler divergence from the affinities is smallest."""
    loss, gradient = divergence(affinities, coordinates, place_)
    step = 1.0
    for _ in range(_STEPS):
        moved = place_ - step * gradient
        reached, slope = divergence(affinities, coordinates, moved)
        if reached < loss:
            place_, loss, gradient, step = moved, reached, slope, 2 * step
        else:
            step /= 2
    return place_


def divergence(affinities: Numbers, coordinates: Numbers, place_: Numbers) -> tuple[float, Numbers]:
    """Return KL(p || q) less the entropy of p, and its gradient (dimensions,), of a text that lies at ``place_``.

    q is Student's t with one degree of freedom of the distances to the map's documents, scaled to the sum 1 over them.
    """
    apart = place_ - coordinates
    similarity = 1 / (1 + np.einsum("nd,nd->n", apart, apart))
    total = similarity.sum()
    loss = float(-affinities @ np.log(similarity) + affinities.sum() * np.log(total))
    return loss, np.asarray(2 * ((affinities - similarity / total) * similarity) @ apart)
