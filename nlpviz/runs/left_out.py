"""Predictions after trainings that left documents out, written and read: ``left-out.parquet``, next to the weights.

A row for each test text: ``id``, the ``class`` that a small training predicts, and that class's log-odds after a
training on all documents (``whole``), without the k of most influence (``top``), without k random ones (``random.0``,
…), without k random ones of that class (``same.0``, …), and with other seeds (``seed.0``, …). What was trained is in
the schema's metadata. No word of a corpus is in it.
"""

from __future__ import annotations

import json

import numpy as np

from nlpviz.results.left_out import LeftOut
from nlpviz.runs.files import write_table
from nlpviz.runs.run import Run, RunError

LEFT_OUT = "left-out.parquet"
_SEVERAL = {"random": "random.", "same": "same.", "seeds": "seed."}


def write_left_out(run: Run, found: LeftOut) -> Run:
    """Write the results into the run's folder and its manifest; return the updated run."""
    import pyarrow as pa

    columns = {"id": pa.array(list(found.ids)), "class": pa.array(list(found.classes))}
    columns |= {name: pa.array(getattr(found, name)) for name in ("whole", "top")}
    for name, prefix in _SEVERAL.items():
        columns |= {f"{prefix}{place}": pa.array(one) for place, one in enumerate(getattr(found, name).T.copy())}
    about = {
        "count": found.count,
        "documents": found.documents,
        "training": found.training,
        "seconds": round(found.seconds, 1),
    }
    write_table(run.folder / LEFT_OUT, columns, json.dumps(about))
    return run.save()


def left_out(run: Run) -> LeftOut | None:
    """Return how much predictions changed without some training documents; None if not measured.

    Raises:
        RunError: if the file is damaged.
    """
    return run.kept("left out", _read) if LEFT_OUT in run.files else None


def _read(run: Run) -> LeftOut:
    table = run.table(LEFT_OUT)
    run.require_columns(LEFT_OUT, ("id", "class", "whole", "top", "random.0", "same.0"), table.column_names)
    try:
        about = json.loads((table.schema.metadata or {})[b"nlpviz"])
        several = {
            name: [table[one].to_numpy() for one in table.column_names if one.startswith(prefix)]
            for name, prefix in _SEVERAL.items()
        }
        rows = {name: np.reshape(columns, (-1, len(table))).T for name, columns in several.items()}
        return LeftOut(
            run=run.name,
            count=int(about["count"]),
            documents=int(about["documents"]),
            training=str(about["training"]),
            seconds=float(about["seconds"]),
            ids=tuple(table["id"].to_pylist()),
            classes=tuple(table["class"].to_pylist()),
            whole=table["whole"].to_numpy(),
            top=table["top"].to_numpy(),
            random=rows["random"],
            same=rows["same"],
            seeds=rows["seeds"],
        )
    except (KeyError, ValueError, TypeError):
        raise RunError(f"{LEFT_OUT} of the run {run.name!r} is damaged or incomplete.") from None
