"""Maps of more documents than memory holds: their embeddings are read from Parquet in blocks, as ``embed`` writes them.

Principal components are exact: the mean and the scatter matrix are added up block by block. t-SNE is fitted on a
sample, and every document is placed where its nearest ones of the sample are, weighted by its affinities to them, which
is how openTSNE begins to place a point (Poličar, Stražar and Zupan 2023).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from nlpviz.analysis.projections.placing import placed_between
from nlpviz.analysis.projections.projector import Embeddings, FittedMap, Fitting, Progress, part_of, projectors, quietly
from nlpviz.analysis.projections.quality import trustworthiness
from nlpviz.analysis.projections.settings import NEIGHBOURS, SMALLEST_SAMPLE
from nlpviz.runs import RunError
from nlpviz.runs.files import write_whole
from nlpviz.stats.principal_axes import Moments

EMBEDDING, ABOUT = "embedding", "nlpviz"
PROJECTORS = ("pca", "tsne")
SAMPLE = 5_000
_BLOCK = 1 << 14
_MEASURED = 2_000
_PLACING = 5.0
"""The perplexity by which a document is placed: openTSNE's own."""
_COPIED = ("row", "label", "predicted")

Place = Callable[[Embeddings], NDArray[np.floating]]


@dataclass(frozen=True)
class LargeSettings:
    """How a large map is made.

    Attributes:
        projector: one of :data:`PROJECTORS`.
        sample: how many documents t-SNE is fitted on.
        perplexity: of t-SNE; None for its own.
        seed: of the samples and of t-SNE.
    """

    projector: str = "tsne"
    sample: int = SAMPLE
    perplexity: float | None = None
    seed: int = 0


@dataclass(frozen=True)
class AboutMap:
    """The metadata of a large map, stored in its file's schema."""

    run: str
    projector: str
    seed: int
    fitted: int
    perplexity: float | None
    trustworthiness: float
    measured: int


def project_large(path: Path, out: Path, settings: LargeSettings, progress: Progress = quietly) -> AboutMap:
    """Write the map of all documents into ``out``, a row each with ``x`` and ``y``, and return its metadata.

    Args:
        path: Parquet with a column ``embedding``; ``row``, ``label`` and ``predicted`` are copied.
        out: a new file.
        settings: which map.
        progress: progress callback, called with the completed fraction.

    Raises:
        RunError: if there can be no such map.
    """
    file, documents = _opened(path, settings)
    rng = np.random.default_rng(settings.seed)
    fitted = documents if settings.projector == "pca" else min(settings.sample, documents)
    chosen = np.sort(rng.choice(documents, fitted, replace=False)) if fitted < documents else np.arange(fitted)
    if settings.projector == "pca":
        place, perplexity = _principal(file, part_of(progress, 0, 2)), None
    else:
        place, perplexity = _neighbourly(_taken(file, chosen), settings, part_of(progress, 0, 2))
    measured = np.sort(rng.choice(documents, min(_MEASURED, documents), replace=False))
    points = _taken(file, measured)
    trust = trustworthiness(points, np.asarray(place(points), dtype=np.float32), NEIGHBOURS)
    about = AboutMap(_run_of(file), settings.projector, settings.seed, fitted, perplexity, trust, len(measured))
    told = part_of(progress, 1, 2)
    write_whole(out, lambda partial: _write(file, place, about, partial, told))
    return about


def _opened(path: Path, settings: LargeSettings) -> tuple[pq.ParquetFile, int]:
    """Return the file and how many documents it has."""
    if settings.projector not in PROJECTORS:
        raise RunError(f"Unknown projector {settings.projector!r}; choose from {', '.join(PROJECTORS)}.")
    try:
        file = pq.ParquetFile(path)
    except (OSError, pa.ArrowInvalid):
        raise RunError(f"{path} is not a readable Parquet file.") from None
    if EMBEDDING not in file.schema_arrow.names or not pa.types.is_fixed_size_list(
        file.schema_arrow.field(EMBEDDING).type
    ):
        raise RunError(f"{path} has no column {EMBEDDING!r}; `python -m nlpviz embed` writes it.")
    documents = file.metadata.num_rows
    if min(documents, settings.sample) < SMALLEST_SAMPLE:
        raise RunError(f"A map needs at least {SMALLEST_SAMPLE} documents; there are only {documents:,}.")
    return file, documents


def _blocks(file: pq.ParquetFile, *columns: str) -> Iterator[pa.RecordBatch]:
    yield from file.iter_batches(_BLOCK, columns=[*columns], use_threads=False)


def _embeddings(block: pa.RecordBatch) -> Embeddings:
    """Return the embeddings of a block, (N, E)."""
    column = block.column(EMBEDDING)
    return np.asarray(column.flatten().to_numpy().reshape(len(column), -1), dtype=np.float32)


def _taken(file: pq.ParquetFile, chosen: NDArray[np.integer]) -> Embeddings:
    """Return the embeddings of the documents at the ``chosen`` places, which ascend."""
    taken, first = [], 0
    for block in _blocks(file, EMBEDDING):
        low, high = np.searchsorted(chosen, [first, first + len(block)])
        taken.append(_embeddings(block)[chosen[low:high] - first])
        first += len(block)
    return np.concatenate(taken)


def _principal(file: pq.ParquetFile, progress: Progress) -> Place:
    """Return what puts documents on the principal axes of all."""
    moments, done = Moments(), 0
    for block in _blocks(file, EMBEDDING):
        moments.add(_embeddings(block))
        done += len(block)
        progress(done / file.metadata.num_rows, "computing the axes")
    return moments.axes(2).project


def _neighbourly(points: Embeddings, settings: LargeSettings, progress: Progress) -> tuple[Place, float]:
    """Return what places documents on the t-SNE map of a sample, and the map's perplexity."""
    projector = projectors()["tsne"]
    perplexity = min(settings.perplexity or projector.perplexity or 1.0, (len(points) - 1) / 3)
    (places,) = projector.project([points], Fitting(0, 2, settings.seed, perplexity, progress))
    fitted = FittedMap(points, places, points, settings.seed, perplexity)
    return (lambda others: placed_between(fitted, others, _PLACING)), perplexity


def _write(file: pq.ParquetFile, place: Place, about: AboutMap, path: Path, progress: Progress) -> None:
    """Write the map, block by block."""
    copied = [name for name in _COPIED if name in file.schema_arrow.names]
    fields = [file.schema_arrow.field(name) for name in copied]
    schema = pa.schema([*fields, ("x", pa.float32()), ("y", pa.float32())], {ABOUT: json.dumps(asdict(about))})
    done = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for block in _blocks(file, EMBEDDING, *copied):
            places = np.asarray(place(_embeddings(block)), dtype=np.float32)
            columns = [block.column(name) for name in copied]
            writer.write_batch(pa.record_batch([*columns, *map(pa.array, places.T)], schema=schema))
            done += len(block)
            progress(done / file.metadata.num_rows, f"placed {done:,} documents")


def _run_of(file: pq.ParquetFile) -> str:
    """Return the run whose embeddings they are; empty where the file does not say."""
    said = (file.schema_arrow.metadata or {}).get(ABOUT.encode(), b"{}")
    return str(json.loads(said).get("run", ""))
