"""The trustworthiness of a map, and how well the labels separate in the original space."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

_AT_ONCE = 200_000  # distances; times the neighbours that they are compared with


def trustworthiness(points: NDArray[np.float32], positions: NDArray[np.float32], neighbours: int) -> float:
    """Return the trustworthiness of a map, 0 to 1 (Venna and Kaski 2001, *Neighborhood Preservation*).

    It is 1 if the nearest neighbours of every point on the map are also its nearest neighbours in the original space.
    The penalty for a false neighbour is the amount by which its rank in the original space exceeds ``neighbours``.

    Args:
        points: the embeddings, shape (N, E).
        positions: their positions on the map, shape (N, 2) or (N, 3).
        neighbours: the number of nearest neighbours to compare.

    Example:
        >>> import numpy as np
        >>> from nlpviz.analysis.projections.quality import trustworthiness
        >>> points = np.float32([[0, 0], [0, 1], [5, 0], [5, 1]])
        >>> trustworthiness(points, 2 * points, 1)
        1.0
    """
    count, beyond, near = len(points), 0, nearest(positions, neighbours)
    for rows, distances in _distances(points):
        drawn = np.take_along_axis(distances, near[rows], axis=1)[:, :, None]
        # Rank of each map neighbour in the original space, from 1.
        ranks = 1 + (distances[:, None, :] < drawn).sum(axis=2)
        beyond += int(np.maximum(ranks - neighbours, 0).sum())
    # Venna and Kaski’s normalisation: the worst map has 0.
    return 1 - 2 * beyond / (count * neighbours * (2 * count - 3 * neighbours - 1))


def nearest(points: NDArray[np.float32], neighbours: int) -> NDArray[np.intp]:
    """Return each point's nearest neighbours by Euclidean distance, nearest first, shape (N, neighbours)."""
    result = np.empty((len(points), neighbours), dtype=np.intp)
    for rows, distances in _distances(points):
        near = np.argpartition(distances, neighbours - 1, axis=1)[:, :neighbours]
        order = np.argsort(np.take_along_axis(distances, near, axis=1), axis=1, kind="stable")
        result[rows] = np.take_along_axis(near, order, axis=1)
    return result


def _distances(points: NDArray[np.float32]) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Yield some rows and the squared distances of their points to all (R, N), those to themselves infinite."""
    exact = points.astype(np.float64)
    squares, many = (exact**2).sum(axis=1), max(1, _AT_ONCE // len(points))
    for first in range(0, len(points), many):
        rows = slice(first, first + many)
        distances = squares[rows, None] - 2 * exact[rows] @ exact.T + squares
        distances[np.arange(len(distances)), first + np.arange(len(distances))] = np.inf
        yield rows, distances


def label_purity(points: NDArray[np.float32], labels: NDArray[np.integer[Any]], neighbours: int) -> float:
    """Return the mean fraction of each document's nearest neighbours that have the same label, 0 to 1.

    With two equally frequent labels that are unrelated to the embeddings, it is about 0.5.

    Args:
        points: the embeddings, shape (N, E).
        labels: class indices, shape (N,).
        neighbours: the number of nearest neighbours, by Euclidean distance.

    Example:
        >>> import numpy as np
        >>> from nlpviz.analysis.projections.quality import label_purity
        >>> points = np.float32([[0, 0], [0, 1], [5, 0], [5, 1]])
        >>> label_purity(points, np.array([0, 0, 1, 1]), 1), label_purity(points, np.array([0, 0, 1, 0]), 1)
        (1.0, 0.5)
    """
    return float((labels[nearest(points, neighbours)] == labels[:, None]).mean())


def silhouette(points: NDArray[np.float32], labels: NDArray[np.integer[Any]]) -> float:
    """Return the silhouette coefficient of the labels, −1 to 1 (Rousseeuw 1987).

    It is the mean of (b − a) / max(a, b) over all documents, where a is the mean Euclidean distance to the other
    documents of the same label, and b the mean distance to the documents of the nearest other label. It is about 0 if
    the labels are mixed, and NaN if there is only one label or every document has a label of its own.

    Args:
        points: the embeddings, shape (N, E).
        labels: class indices, shape (N,).

    Example:
        >>> import numpy as np
        >>> from nlpviz.analysis.projections.quality import silhouette
        >>> points = np.float32([[0, 0], [0, 1], [5, 0], [5, 1]])
        >>> round(silhouette(points, np.array([0, 0, 1, 1])), 2)
        0.8
    """
    from sklearn.metrics import silhouette_score

    if not 1 < len(np.unique(labels)) < len(labels):
        return nan
    return float(silhouette_score(points, labels, metric="euclidean"))


def shared_neighbours(first: NDArray[np.float32], second: NDArray[np.float32], neighbours: int) -> float:
    """Return the mean share of each document's nearest in one space that are among its nearest in another, 0 to 1.

    Two unrelated spaces of N points share ``neighbours`` / (N - 1).

    Args:
        first: the embeddings in one space, (N, E).
        second: those of the same documents in another, (N, F).
        neighbours: how many nearest count.
    """
    return overlap(nearest(first, neighbours), nearest(second, neighbours))


def overlap(first: NDArray[np.intp], second: NDArray[np.intp]) -> float:
    """Return the mean share of each row's numbers that the same row of another table has, 0 to 1.

    Args:
        first: such as :func:`nearest` returns, (N, neighbours): no number twice in a row.
        second: of the same shape.
    """
    together = np.sort(np.concatenate([first, second], axis=1), axis=1)
    return float((together[:, 1:] == together[:, :-1]).sum(axis=1).mean() / first.shape[1])
