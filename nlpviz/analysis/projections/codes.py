"""Maps of an autoencoder's codes: two-dimensional codes as they are, longer codes projected; and maps of the bags.

The bags' map is that of their principal components, computed without a network: what training adds is what
the codes' maps show beyond it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.projections.maps import compute
from nlpviz.analysis.projections.projector import projectors
from nlpviz.analysis.projections.quality import label_purity, silhouette, trustworthiness
from nlpviz.analysis.projections.settings import NEIGHBOURS, MapSettings
from nlpviz.results.projection import Projection
from nlpviz.runs import Run
from nlpviz.runs.codes import BAGS, CODES
from nlpviz.runs.documents import documents_of, embeddings_of
from nlpviz.stats.principal_axes import principal_axes

AS_THEY_ARE = "Two-dimensional codes are plotted directly, on the same axes at every epoch."
OF_THE_BAGS = (
    "The principal components of the bag-of-words vectors, log(1 + count) scaled to length 1. No network is involved."
)


def code_maps(
    run: Run, bags: NDArray[np.uint16], seed: int = 0, say: Callable[[str], None] = lambda _: None
) -> list[Projection]:
    """Return flat maps of a run's codes at every kept epoch, and one of the bags of the same documents.

    Args:
        run: an autoencoder's.
        bags: of the documents that it keeps, (N, W).
        seed: of the projectors that start at random.
        say: called with a line of text about each step.
    """
    maps = [_of_bags(run, bags, seed)]
    if run.config["latent"] == 2:
        return [*maps, *(_as_they_are(run, epoch, seed) for epoch in run.surveyed)]
    for projector in projectors().values():
        say(f"{projector.title}: {len(bags):,} documents, {len(run.surveyed)} epochs")
        maps += compute(run, MapSettings(projector.name, 2, run.surveyed, seed=seed))
    return maps


def _as_they_are(run: Run, epoch: int, seed: int) -> Projection:
    codes, labels = embeddings_of(run, epoch), documents_of(run).labels
    return Projection(
        run=run.name,
        projector=CODES,
        epoch=epoch,
        coordinates=codes,
        trustworthiness=1.0,
        purity=label_purity(codes, labels, NEIGHBOURS),
        neighbours=NEIGHBOURS,
        seed=seed,
        comparable=AS_THEY_ARE,
        silhouette=silhouette(codes, labels),
        reference=epoch,
        features=2,
    )


def _of_bags(run: Run, bags: NDArray[np.uint16], seed: int) -> Projection:
    points, labels = scaled_bags(bags), documents_of(run).labels
    positions = principal_axes(points, 2).project(points).astype(np.float32)
    return Projection(
        run=run.name,
        projector=BAGS,
        epoch=run.best_epoch,
        coordinates=positions,
        trustworthiness=trustworthiness(points, positions, NEIGHBOURS),
        purity=label_purity(points, labels, NEIGHBOURS),
        neighbours=NEIGHBOURS,
        seed=seed,
        comparable=OF_THE_BAGS,
        silhouette=silhouette(points, labels),
        reference=run.best_epoch,
        features=points.shape[1],
        named="Bag of words, no network",
    )


def scaled_bags(bags: NDArray[np.integer]) -> NDArray[np.float32]:
    """Return log(1 + count) of ``bags`` (N, W), each scaled to length 1; zero where a bag is empty."""
    logs = np.log1p(bags.astype(np.float32))
    return np.asarray(logs / np.maximum(np.linalg.norm(logs, axis=1, keepdims=True), 1e-12), dtype=np.float32)
