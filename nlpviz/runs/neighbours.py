"""The nearest neighbours of a run's test documents, written and read: ``neighbours.parquet`` in its folder.

A row for each document of ``documents.parquet``, in their order: the positions of the nearest others by cosine, nearest
first, at the best epoch (``chosen``) and from each of the run's further seeds (``seed.02``).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from nlpviz.runs.derived import NEIGHBOURS, read_derived, write_derived
from nlpviz.runs.documents import DOCUMENTS
from nlpviz.runs.files import matrix, vectors
from nlpviz.runs.more_seeds import SEEDS
from nlpviz.runs.run import Run

STORED = 20
"""So many neighbours of a document are kept."""
_CHOSEN, _SEED = "chosen", "seed."
_MOST = 1 << 16  # documents whose positions have sixteen bits


def write_neighbours(run: Run, chosen: NDArray[np.integer], seeds: Mapping[int, NDArray[np.integer]]) -> Run:
    """Write neighbours (N, k) into the run's folder, :data:`STORED` of them; return the updated run.

    Raises:
        ValueError: if there are more documents than a position can tell.
    """
    if len(chosen) > _MOST:
        raise ValueError(f"{len(chosen)} documents exceed the maximum of {_MOST}")
    found = {_CHOSEN: chosen} | {f"{_SEED}{number:02d}": near for number, near in seeds.items()}
    columns = {name: vectors(near[:, :STORED].astype(np.uint16)) for name, near in found.items()}
    return write_derived(run, NEIGHBOURS, columns, (DOCUMENTS, SEEDS), _asked(run))


def chosen_neighbours(run: Run) -> NDArray[np.int32] | None:
    """Return each document's nearest neighbours at the best epoch, (N, k); None where they are not kept."""
    return _kept(run).get(_CHOSEN)


def seeds_neighbours(run: Run) -> dict[int, NDArray[np.int32]] | None:
    """Return the same of each further seed, by its number; None where they are not kept."""
    found = _kept(run)
    seeds = {int(name.removeprefix(_SEED)): near for name, near in found.items() if name.startswith(_SEED)}
    return seeds if found else None


def _kept(run: Run) -> dict[str, NDArray[np.int32]]:
    return run.kept("neighbours", _read)


def _read(run: Run) -> dict[str, NDArray[np.int32]]:
    table = read_derived(run, NEIGHBOURS, (DOCUMENTS, SEEDS), _asked(run))
    return {} if table is None else {name: matrix(table, name).astype(np.int32) for name in table.column_names}


def _asked(run: Run) -> str:
    return f"{STORED} at epoch {run.best_epoch}"
