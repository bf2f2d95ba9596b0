"""Principal components: the flat map that keeps most of the variance (Pearson 1901; Hotelling 1933)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.projections import Projector


def project(
    embeddings: Sequence[NDArray[np.float32]], reference: int, dimensions: int, seed: int
) -> list[NDArray[np.float32]]:
    """Return the embeddings of every epoch on the principal axes of the reference epoch.

    The axes are turned so that the largest part of each is positive: same input, same map.
    """
    from sklearn.decomposition import PCA

    fitted = PCA(dimensions, random_state=seed).fit(embeddings[reference])
    return [fitted.transform(points).astype(np.float32) for points in embeddings]


PROJECTOR = Projector(
    name="pca",
    title="PCA",
    source="Pearson 1901; Hotelling 1933",
    comparable="All epochs are drawn on the principal axes of epoch {reference}, so a point moves only when its "
    "embedding does.",
    reading=(
        "The axes are the directions in which the reference epoch's embeddings differ most. Distances are true as far "
        "as two or three axes can hold them; what lies along the others is not seen."
    ),
    project=project,
)
