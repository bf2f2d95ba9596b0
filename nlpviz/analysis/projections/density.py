"""From a large map to what can be drawn: how many documents of each class a cell contains, and a sample of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from nlpviz.analysis.projections.large import ABOUT, AboutMap
from nlpviz.results.density import DensityMap
from nlpviz.runs import RunError

CELLS, POINTS = 256, 3_000
OTHERS = "all others"
_BLOCK = 1 << 16
_CLASSES = 20
"""More are drawn as one: colours and symbols distinguish no more."""


def density(path: Path, cells: int = CELLS, points: int = POINTS) -> DensityMap:
    """Return how many documents of each class lie in each cell of a large map.

    Classes are the column ``label``, or ``predicted`` where there are no labels.

    Args:
        path: what :func:`nlpviz.analysis.projections.large.project_large` wrote.
        cells: in each direction.
        points: documents of the sample, at most.

    Raises:
        RunError: if it is no such file.
    """
    file, about = _opened(path)
    colored = next((name for name in ("label", "predicted") if name in file.schema_arrow.names), "")
    names = _class_names(file, colored)
    known = {name: number for number, name in enumerate(names)}
    edges = [_edges(file, axis, cells) for axis in ("x", "y")]
    counts = np.zeros(len(names) * cells * cells, dtype=np.int64)
    documents = file.metadata.num_rows
    chosen = np.sort(np.random.default_rng(about.seed).choice(documents, min(points, documents), replace=False))
    sampled, first = [], 0
    for block in file.iter_batches(_BLOCK, use_threads=False):
        places = np.column_stack([block.column(axis).to_numpy() for axis in ("x", "y")])
        classes = np.zeros(len(block), dtype=np.int64)
        if colored:
            classes[:] = [known.get(name, len(names) - 1) for name in block.column(colored).to_pylist()]
        column, row = (_cell_of(place, ends) for place, ends in zip(places.T, edges, strict=True))
        counts += np.bincount((classes * cells + row) * cells + column, minlength=len(counts))
        low, high = np.searchsorted(chosen, [first, first + len(block)])
        taken = chosen[low:high] - first
        rows = block.column("row").to_numpy()[taken] if "row" in file.schema_arrow.names else chosen[low:high]
        sampled.append((places[taken], classes[taken], rows))
        first += len(block)
    sample, sample_classes, sample_rows = (np.concatenate(parts) for parts in zip(*sampled, strict=True))
    return DensityMap(
        name=path.stem,
        run=about.run,
        projector=about.projector,
        seed=about.seed,
        fitted=about.fitted,
        perplexity=about.perplexity,
        trustworthiness=about.trustworthiness,
        measured=about.measured,
        colored=colored,
        class_names=names,
        counts=counts.reshape(len(names), cells, cells),
        x=edges[0],
        y=edges[1],
        sample=sample.astype(np.float32),
        sample_classes=sample_classes,
        sample_rows=sample_rows.astype(np.int64),
    )


def _cell_of(places: NDArray[np.float32], edges: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return in which of an axis's cells, all of one width, the places lie."""
    return np.asarray((places - edges[0]) / (edges[1] - edges[0]), dtype=np.int64)


def _opened(path: Path) -> tuple[pq.ParquetFile, AboutMap]:
    try:
        file = pq.ParquetFile(path)
        about = AboutMap(**json.loads((file.schema_arrow.metadata or {})[ABOUT.encode()]))
    except (OSError, pa.ArrowInvalid, KeyError, TypeError, ValueError):
        raise RunError(
            f"{path} is not a map of a large corpus; `project FILE.parquet --out` creates these maps."
        ) from None
    return file, about


def _class_names(file: pq.ParquetFile, column: str) -> tuple[str, ...]:
    """Return the classes, the most frequent one first; the rare ones of many together, last."""
    if not column:
        return ("",)
    found: Counter[str] = Counter()
    for block in file.iter_batches(_BLOCK, columns=[column], use_threads=False):
        found.update(block.column(column).to_pylist())
    ranked = [name for name, _ in sorted(found.items(), key=lambda item: (-item[1], item[0]))]
    return tuple(ranked) if len(ranked) <= _CLASSES else (*ranked[: _CLASSES - 1], OTHERS)


def _edges(file: pq.ParquetFile, axis: str, cells: int) -> NDArray[np.float64]:
    """Return where the cells of an axis end; the outermost documents lie inside."""
    ends = [
        (float(values.min()), float(values.max()))
        for block in file.iter_batches(_BLOCK, columns=[axis], use_threads=False)
        for values in [block.column(axis).to_numpy()]
    ]
    low, high = min(first for first, _ in ends), max(last for _, last in ends)
    room = 1e-3 * (high - low) or 1.0
    return np.linspace(low - room, high + room, cells + 1)
