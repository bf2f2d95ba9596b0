"""Projectors, one a module: maps of document embeddings whose epochs can be compared."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.discovery import discover
from nlpviz.projection import Projection
from nlpviz.projections.quality import label_purity, trustworthiness
from nlpviz.runs import Run, RunError
from nlpviz.runs.files import vectors, write_table
from nlpviz.runs.run import MAPS

NEIGHBOURS = 15

Embeddings = NDArray[np.float32]


@dataclass(frozen=True)
class Projector:
    """What a module under ``nlpviz.projections`` exports as ``PROJECTOR``.

    Attributes:
        name: in links and files.
        title: how people call it.
        source: the paper.
        comparable: one sentence that says how it makes maps of successive epochs comparable.
        reading: one or two sentences: what the map shows, and what it does not.
        project: from the embeddings (N, E) of successive epochs, the place of a reference epoch among them, the
            dimensions of a map and a seed: one map (N, dimensions) an epoch.
    """

    name: str
    title: str
    source: str
    comparable: str
    reading: str
    project: Callable[[Sequence[Embeddings], int, int, int], list[Embeddings]]


def projectors() -> dict[str, Projector]:
    """Return every projector, by name."""
    return discover("nlpviz.projections", "PROJECTOR", Projector)


def project_run(run: Run, seed: int = 0, say: Callable[[str], None] = lambda _: None) -> Iterator[Projection]:
    """Compute all maps of a run's documents: every projector, epoch, and two and three dimensions.

    Args:
        run: whose test documents.
        seed: of the projectors that start at random.
        say: is told one line at a time what is being done.

    Raises:
        RunError: if the run keeps no epochs, or its documents are missing or damaged.
    """
    if not run.epochs:
        raise RunError(f"The run {run.name!r} has no epochs whose document embeddings could be mapped.")
    embeddings = [run.embeddings(epoch) for epoch in run.epochs]
    reference = run.epochs.index(run.best_epoch)
    purities = [label_purity(points, run.documents.labels, NEIGHBOURS) for points in embeddings]
    for projector in projectors().values():
        for dimensions in (2, 3):
            say(f"{projector.title}, {dimensions}-D: {len(embeddings[0]):,} documents, {len(embeddings)} epochs")
            maps = projector.project(embeddings, reference, dimensions, seed)
            for epoch, points, places, purity in zip(run.epochs, embeddings, maps, purities, strict=True):
                yield Projection(
                    run=run.name,
                    projector=projector.name,
                    epoch=epoch,
                    coordinates=places.astype(np.float32),
                    trustworthiness=trustworthiness(points, places, NEIGHBOURS),
                    purity=purity,
                    neighbours=NEIGHBOURS,
                    seed=seed,
                    comparable=projector.comparable.format(reference=run.best_epoch),
                )


def write_maps(run: Run, projections: Sequence[Projection]) -> Run:
    """Write the maps into the run's folder and its manifest; return the run as it is now."""
    columns, about = {}, {}
    for projection in projections:
        column = f"{projection.projector}.{projection.dimensions}d.{projection.epoch:02d}"
        columns[column] = vectors(projection.coordinates)
        about[column] = {key: value for key, value in asdict(projection).items() if key not in ("run", "coordinates")}
    write_table(run.folder / MAPS, columns, json.dumps(about))
    return run.save()
