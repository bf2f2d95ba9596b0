"""Principal components: the flat map that keeps most of the variance (Pearson 1901; Hotelling 1933)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpviz.analysis.projections.projector import Embeddings, FittedMap, Fitting, Projector
from nlpviz.stats.principal_axes import principal_axes


def project(embeddings: Sequence[Embeddings], fitting: Fitting) -> list[Embeddings]:
    """Return the embeddings of every epoch on the principal axes of the reference epoch."""
    fitting.progress(0.0, "computing the axes")
    axes = principal_axes(embeddings[fitting.reference], fitting.dimensions)
    return [axes.project(points).astype(np.float32) for points in embeddings]


def transform(fitted_map: FittedMap, points: Embeddings) -> Embeddings:
    """Return ``points`` on the very axes on which the map lies."""
    return fitted_map.reference_axes.project(points).astype(np.float32)


PROJECTOR = Projector(
    name="pca",
    title="PCA",
    source="Pearson 1901; Hotelling 1933",
    comparable="All epochs use the principal axes of epoch {reference}, so a point moves only if its embedding does.",
    reading=(
        "The axes are the directions of largest variance among the reference epoch’s embeddings. Distances along these "
        "two or three axes are exact; differences along all other axes are invisible."
    ),
    project=project,
    transform=transform,
    exact=True,
)
