"""Principal components: the flat map that keeps most of the variance (Pearson 1901; Hotelling 1933)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nlpviz.projections.projector import Embeddings, Fitting, Ground, Projector

if TYPE_CHECKING:
    from sklearn.decomposition import PCA


def project(embeddings: Sequence[Embeddings], fitting: Fitting) -> list[Embeddings]:
    """Return the embeddings of every epoch on the principal axes of the reference epoch.

    The axes are turned so that the largest part of each is positive: same input, same map.
    """
    fitting.progress(0.0, "finding the axes")
    axes = _axes(embeddings[fitting.reference], fitting.dimensions)
    return [axes.transform(points).astype(np.float32) for points in embeddings]


def place(ground: Ground, points: Embeddings) -> Embeddings:
    """Return ``points`` on the very axes on which the map lies."""
    placed: Embeddings = _axes(ground.reference, ground.coordinates.shape[1]).transform(points).astype(np.float32)
    return placed


def _axes(points: Embeddings, dimensions: int) -> PCA:
    """Return the principal axes, from the eigenvectors of the covariance: exact, and nothing is drawn at random."""
    from sklearn.decomposition import PCA

    return PCA(dimensions, svd_solver="covariance_eigh").fit(points.astype(np.float64))


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
    place=place,
    exact=True,
)
