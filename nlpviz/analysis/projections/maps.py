"""The maps of a run: how they are computed, and how they are stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.projections.projector import Embeddings, Fitting, Progress, part_of, projectors, quietly
from nlpviz.analysis.projections.quality import label_purity, silhouette, trustworthiness
from nlpviz.analysis.projections.settings import NEIGHBOURS, MapSettings, check
from nlpviz.results.projection import Projection
from nlpviz.runs import Run
from nlpviz.runs.documents import MAPS, documents_of, embeddings_of
from nlpviz.runs.files import vectors, write_table

ALONE = "Each epoch was fitted independently, so movement reflects the fit as well as the network."


def compute(run: Run, settings: MapSettings, progress: Progress = quietly) -> tuple[Projection, ...]:
    """Return the maps of the settings' epochs.

    Args:
        run: whose test documents.
        settings: which maps.
        progress: called with the completed fraction; an exception from it ends the computation within about a second.

    Raises:
        RunError: if there can be no such map, or the run's documents are missing or damaged.
    """
    settings = check(run, settings)
    members = _members(run, settings)
    rows = slice(None) if members is None else members
    embeddings = [embeddings_of(run, epoch)[rows] for epoch in settings.epochs]
    labels = documents_of(run).labels[rows]
    maps = _fitted(run, settings, embeddings, lambda share, doing: progress(0.95 * share, doing))
    result = []
    for position, (epoch, points, positions) in enumerate(zip(settings.epochs, embeddings, maps, strict=True)):
        progress(0.95 + 0.05 * position / len(maps), f"evaluating the map of epoch {epoch}")
        result.append(_described(run, settings, epoch, (points, positions, labels), members))
    return tuple(result)


def _members(run: Run, settings: MapSettings) -> NDArray[np.intp] | None:
    """Return the positions of the sample among the run's documents, ascending; None for all of them."""
    kept = len(documents_of(run).ids)
    if settings.sample in (None, kept):
        return None
    drawn = np.random.default_rng(settings.seed).choice(kept, settings.sample, replace=False)
    return np.sort(drawn).astype(np.intp)


def reference_epoch(run: Run, settings: MapSettings) -> int:
    """Return the epoch whose axes the maps share: the chosen one, or the last where that is not among them."""
    return run.best_epoch if run.best_epoch in settings.epochs else settings.epochs[-1]


def _fitted(run: Run, settings: MapSettings, embeddings: Sequence[Embeddings], progress: Progress) -> list[Embeddings]:
    """Return a map (N, dimensions) for each epoch."""
    projector = projectors()[settings.projector]
    dimensions, seed, perplexity = settings.dimensions, settings.seed, settings.perplexity
    if not settings.alone:
        reference = settings.epochs.index(reference_epoch(run, settings))
        return projector.project(embeddings, Fitting(reference, dimensions, seed, perplexity, progress))
    maps: list[Embeddings] = []
    for points in embeddings:
        done, count = len(maps), len(embeddings)
        told = part_of(progress, done, count, f"epoch {done + 1} of {count} (independent): ")
        maps += projector.project([points], Fitting(0, dimensions, seed, perplexity, told))
    return maps


def _described(
    run: Run,
    settings: MapSettings,
    epoch: int,
    map_: tuple[Embeddings, Embeddings, NDArray[np.int8]],
    members: NDArray[np.intp] | None,
) -> Projection:
    """Return a map with its numbers; ``map_`` is the embeddings, their positions and the labels."""
    points, positions, labels = map_
    reference = reference_epoch(run, settings)
    return Projection(
        run=run.name,
        projector=settings.projector,
        epoch=epoch,
        coordinates=positions.astype(np.float32),
        trustworthiness=trustworthiness(points, positions, NEIGHBOURS),
        purity=label_purity(points, labels, NEIGHBOURS),
        neighbours=NEIGHBOURS,
        seed=settings.seed,
        comparable=ALONE if settings.alone else projectors()[settings.projector].comparable.format(reference=reference),
        silhouette=silhouette(points, labels),
        alone=settings.alone,
        perplexity=settings.perplexity,
        reference=epoch if settings.alone else reference,
        members=members,
        features=points.shape[1],
    )


def project_run(run: Run, seed: int = 0, say: Callable[[str], None] = lambda _: None) -> Iterator[Projection]:
    """Compute all maps of a run's documents: all projectors and epochs, in 2-D and 3-D, aligned and independent.

    Args:
        run: whose test documents.
        seed: of the projectors that start at random.
        say: called with a line of text about each step.

    Raises:
        RunError: if the run keeps no epochs, or its documents are missing or damaged.
    """
    check(run, MapSettings(next(iter(projectors())), 2, run.surveyed, seed=seed))
    for projector in projectors().values():
        for dimensions in (2, 3):
            for alone in (False, True):
                how = "independent epochs" if alone else "comparable"
                say(
                    f"{projector.title}, {dimensions}-D, {how}: {len(documents_of(run).ids):,} documents, "
                    f"{len(run.surveyed)} epochs"
                )
                yield from compute(run, MapSettings(projector.name, dimensions, run.surveyed, alone, seed=seed))


def write_maps(run: Run, projections: Sequence[Projection]) -> Run:
    """Write maps of all documents into the run's folder and its manifest; return the run as it is now."""
    columns, about = {}, {}
    for projection in projections:
        variant = ".alone" if projection.alone else ""
        column = f"{projection.projector}.{projection.dimensions}d.{projection.epoch:02d}{variant}"
        columns[column] = vectors(projection.coordinates.astype(np.float16))  # finer than any screen
        facts = asdict(projection)
        about[column] = {key: facts[key] for key in facts if key not in ("run", "coordinates", "members")}
    write_table(run.folder / MAPS, columns, json.dumps(about))
    return run.save()
