"""The accuracy of networks without the words that methods rank as important, written and read: ``roar.parquet``.

A row for each test text that was asked: its id, and for each training whether it classified the text rightly
(``right/saliency/0.3/1``: order, share masked, seed). What was trained on, and how, is in the schema's metadata. No
word of a corpus is in it.
"""

from __future__ import annotations

import json

import numpy as np

from nlpviz.results.roar import Retraining, Roar
from nlpviz.runs.files import write_table
from nlpviz.runs.run import Run, RunError

ROAR = "roar.parquet"
_RIGHT = "right/"
_SAID = {"epoch": int, "texts": int, "validation": int, "tokens": int, "epochs": int, "seconds": float, "device": str}


def write_roar(run: Run, found: Roar) -> Run:
    """Write the results into the run's folder and its manifest; return the updated run."""
    import pyarrow as pa

    columns = {"id": pa.array(list(found.ids), pa.string())}
    columns |= {_column(cell): pa.array(row) for cell, row in zip(found.cells, found.right, strict=True)}
    about = {name: getattr(found, name) for name in _SAID}
    write_table(run.folder / ROAR, columns, json.dumps(about))
    return run.save()


def roar_of(run: Run) -> Roar | None:
    """Return the accuracies of networks trained without important words; None where there are none.

    Raises:
        RunError: if the file is damaged.
    """
    return run.kept("roar", _read) if ROAR in run.files else None


def _column(cell: Retraining) -> str:
    return f"{_RIGHT}{cell.order}/{cell.share:g}/{cell.seed}"


def _read(run: Run) -> Roar:
    table = run.table(ROAR)
    run.require_columns(ROAR, ["id"], table.column_names)
    try:
        about = json.loads((table.schema.metadata or {})[b"nlpviz"])
        said = {name: kind(about[name]) for name, kind in _SAID.items()}
        names = [name for name in table.column_names if name.startswith(_RIGHT)]
        cells = tuple(_cell(name) for name in names)
        right = np.array([table[name].to_pylist() for name in names], dtype=bool).reshape(len(names), len(table))
        found = Roar(run=run.name, ids=tuple(table["id"].to_pylist()), cells=cells, right=right, **said)
        _ = [found.against(order, share) for order in found.methods for share in found.shares]
    except (KeyError, ValueError, TypeError):
        raise RunError(f"{ROAR} of the run {run.name!r} is damaged or incomplete.") from None
    return found


def _cell(column: str) -> Retraining:
    order, share, seed = column.removeprefix(_RIGHT).split("/")
    return Retraining(order, float(share), int(seed))
