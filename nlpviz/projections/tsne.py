"""t-SNE: a map that keeps neighbours together.

Van der Maaten and Hinton (2008), *Visualizing Data using t-SNE*; scikit-learn's Barnes-Hut implementation. The
first epoch starts from its principal components (Kobak and Berens 2019), each later one from the map before it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.projections import Projector

PERPLEXITY = 30.0
_START_SPREAD = 1e-4
"""Standard deviation of the first axis at the start, as t-SNE's gradient wants it."""


def project(
    embeddings: Sequence[NDArray[np.float32]], _reference: int, dimensions: int, seed: int
) -> list[NDArray[np.float32]]:
    """Return one map an epoch, each turned onto the one before it; no epoch is the others' reference."""
    from sklearn.decomposition import PCA
    from sklearn.manifold import TSNE

    maps: list[NDArray[np.float32]] = []
    for points in embeddings:
        start = maps[-1] if maps else PCA(dimensions, random_state=seed).fit_transform(points)
        start = start * (_START_SPREAD / max(float(start[:, 0].std()), 1e-12))
        perplexity = min(PERPLEXITY, (len(points) - 1) / 3)
        # Belkina et al. 2019: N / 12, a quarter of it in scikit-learn's terms, whose own floor scatters small maps.
        rate = len(points) / 48
        tsne = TSNE(dimensions, perplexity=perplexity, learning_rate=rate, init=start, random_state=seed)
        places = tsne.fit_transform(points)
        maps.append(turned_onto(maps[-1], places) if maps else places - places.mean(axis=0))
    return maps


def turned_onto(target: NDArray[np.float32], places: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return ``places`` moved, turned and mirrored, never scaled, to lie closest to ``target``.

    Orthogonal Procrustes (Schönemann 1966).
    """
    from scipy.linalg import orthogonal_procrustes

    centred = places - places.mean(axis=0)
    rotation, _ = orthogonal_procrustes(centred, target - target.mean(axis=0))
    return np.asarray(centred @ rotation + target.mean(axis=0), dtype=np.float32)


PROJECTOR = Projector(
    name="tsne",
    title="t-SNE",
    source="van der Maaten and Hinton 2008",
    comparable="Each epoch's map starts from the one before it and is turned onto it (Procrustes), so that what moves "
    "is what changed, as far as t-SNE lets it be.",
    reading=(
        "Reviews that are neighbours in the embedding space stay neighbours here. Sizes of clusters and distances "
        "between them mean little (Wattenberg, Viégas and Johnson 2016)."
    ),
    project=project,
)
