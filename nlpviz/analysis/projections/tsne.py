"""t-SNE: a map that keeps neighbours together.

Van der Maaten and Hinton (2008), *Visualizing Data using t-SNE*; openTSNE (Poličar, Stražar and
Zupan 2024), which says how far it is and can be stopped. The first epoch starts from its principal
components (Kobak and Berens 2019), each later one from the map before it, at that map's own scale. Measured on
imdb-cnn: from epoch 1 on, points then move by 0.1 to 0.2 of the map's spread an epoch instead of 0.3 to 0.7, for 0.006
of trustworthiness.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.projections.alignment import aligned_onto
from nlpviz.analysis.projections.placing import transform
from nlpviz.analysis.projections.projector import Embeddings, Fitting, Progress, Projector, part_of
from nlpviz.analysis.projections.quality import shared_neighbours
from nlpviz.stats.principal_axes import principal_axes

PERPLEXITY = 30.0
_START_SPREAD = 1e-4
"""Standard deviation of the first axis at a cold start, as t-SNE's gradient wants it."""
_JITTER = 0.01
"""Of the start's spread: what a seed changes. Neighbours are found exactly, so nothing else is drawn at random."""
_FREE, _GENTLE = ((250, 12.0), (500, 1.0)), ((50, 2.0), (400, 1.0))
"""Steps and the exaggeration of their attraction. With much of it points may cross the whole map; a warm start from an
epoch that is like this one has no need of that, and would only be torn apart."""
_ALIKE = 0.25
"""Epochs are alike where a document keeps this share of its nearest neighbours."""
_NEAREST = 15
_MANY = 5_000
"""Beyond so many points on a flat map, interpolation (Linderman et al. 2019) is faster than Barnes-Hut trees: at 10,000
twice as fast and as trustworthy, at 2,000 half as fast. Not from a warm start: its grid grows with the map, which then
is large from the first step on."""
_EVERY = 5
"""Steps between two reports, and so between two chances to stop."""


def project(embeddings: Sequence[Embeddings], fitting: Fitting) -> list[Embeddings]:
    """Return one map per epoch, each rotated onto the previous map; no epoch is the others' reference."""
    rng = np.random.default_rng(fitting.seed)
    maps: list[Embeddings] = []
    for number, points in enumerate(embeddings):
        count = len(embeddings)
        told = part_of(fitting.progress, number, count, f"map {number + 1} of {count}, ")
        start = maps[-1] if maps else _principal_components(points, fitting.dimensions)
        steps = _GENTLE if maps and _alike(embeddings[number - 1], points) else _FREE
        jitter = rng.normal(scale=_JITTER * max(float(start.std()), 1e-12), size=start.shape)
        positions = _fit(points, start + jitter, fitting, steps, told)
        # t-SNE’s loss ignores rotations and mirrors, so that they can be undone between epochs.
        maps.append(aligned_onto(maps[-1], positions) if maps else positions - positions.mean(axis=0))
    return maps


def _alike(before: Embeddings, points: Embeddings) -> bool:
    """Return whether two epochs are so alike that the map of the first needs only to be adjusted to the second."""
    return shared_neighbours(before, points, min(_NEAREST, len(points) - 1)) > _ALIKE


def _principal_components(points: Embeddings, dimensions: int) -> Embeddings:
    """Return the start of a first epoch, so small that t-SNE may still move everything anywhere."""
    start = principal_axes(points, dimensions).project(points)
    return np.asarray(start * (_START_SPREAD / max(float(start[:, 0].std()), 1e-12)), dtype=np.float32)


def _fit(
    points: Embeddings,
    start: NDArray[np.float64],
    fitting: Fitting,
    steps: Sequence[tuple[int, float]],
    told: Progress,
) -> Embeddings:
    """Return the map to which ``start`` leads; the learning rate is that of Belkina et al. 2019."""
    from openTSNE import TSNEEmbedding
    from openTSNE.affinity import PerplexityBasedNN

    told(0.0, "searching for neighbours")
    perplexity = min(fitting.perplexity or PERPLEXITY, (len(points) - 1) / 3)
    near = PerplexityBasedNN(points, perplexity=perplexity, method="exact", n_jobs=1, random_state=fitting.seed)
    cold = steps is _FREE and fitting.dimensions == 2
    repulsion = "fft" if cold and len(points) > _MANY else "bh"
    positions = TSNEEmbedding(start, near, negative_gradient_method=repulsion, n_jobs=1, random_state=fitting.seed)
    done, together = 0, sum(count for count, _ in steps)
    for count, exaggeration in steps:

        def report(step: int, _error: float, _positions: Embeddings, done: int = done) -> None:
            told((done + step) / together, f"step {done + step} of {together}")

        positions = positions.optimize(
            count,
            exaggeration=exaggeration,
            learning_rate=max(len(points) / 12, 1.0),
            momentum=0.8,
            callbacks=[report],
            callbacks_every_iters=_EVERY,
        )
        done += count
    return np.asarray(positions, dtype=np.float32)


PROJECTOR = Projector(
    name="tsne",
    title="t-SNE",
    source="van der Maaten and Hinton 2008",
    comparable="Each epoch’s map is initialised with the previous map and aligned to it (Procrustes), so most movement "
    "reflects changes in the embeddings.",
    reading=(
        "t-SNE tries to keep neighbours in the embedding space together; trustworthiness measures how well. "
        "Cluster sizes and distances between clusters mean little (Wattenberg, Viégas and Johnson 2016)."
    ),
    project=project,
    transform=transform,
    perplexity=PERPLEXITY,
)
