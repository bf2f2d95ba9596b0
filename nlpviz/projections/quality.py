"""How far to trust a map, and how well the labels part in the space that it is a map of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def trustworthiness(points: NDArray[np.float32], places: NDArray[np.float32], neighbours: int) -> float:
    """Return the trustworthiness of a map, 0 to 1 (Venna and Kaski 2001, *Neighborhood Preservation*).

    It is 1 where none of a document's ``neighbours`` on the map is a stranger in the original space.

    Args:
        points: the embeddings, (N, E).
        places: their places on the map, (N, 2) or (N, 3).
        neighbours: how many neighbours count.
    """
    from sklearn.manifold import trustworthiness as measure

    return float(measure(points, places, n_neighbors=neighbours))


def label_purity(points: NDArray[np.float32], labels: NDArray[np.integer], neighbours: int) -> float:
    """Return the mean share of same-label documents among each one's nearest in the original space, 0 to 1.

    With two equally frequent labels and no relation between points and labels it is about 0.5.
    """
    from sklearn.neighbors import NearestNeighbors

    nearest = NearestNeighbors(n_neighbors=neighbours).fit(points).kneighbors(return_distance=False)
    return float((labels[nearest] == labels[:, None]).mean())
