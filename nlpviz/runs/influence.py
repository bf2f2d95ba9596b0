"""Sketches of training documents' gradients, written and read: ``influence.parquet``, next to the run's weights.

A row for each document that was trained on, in the corpus's order: ``id``, ``label``, its exact influence on itself
(``self``), the ``scale`` of its sketch and the sketch, eight bits a number. Then, so that one table holds all, a row
for each of the hashed sums: no id, label -1, and its place on the axes in ``sketch``. Epochs and weights are in the
schema's metadata. No word of a corpus is in it.
"""

from __future__ import annotations

import json

import numpy as np

from nlpviz.results.influence import Sketches
from nlpviz.runs.files import matrix, vectors, write_table
from nlpviz.runs.quantized import LEVELS
from nlpviz.runs.run import Run, RunError

INFLUENCE = "influence.parquet"
_COLUMNS = ("id", "label", "self", "scale", "sketch")
_AXIS = -1  # the label of a row that is no document


def write_sketches(run: Run, sketches: Sketches) -> Run:
    """Write sketches into the run's folder and its manifest; return the updated run."""
    import pyarrow as pa

    most = LEVELS // 2
    scale = np.abs(sketches.basis).max(axis=1) / most
    axes = np.rint(sketches.basis / np.where(scale > 0, scale, 1)[:, None]).astype(np.int8)
    rest = len(axes)
    columns = {
        "id": pa.array([*sketches.ids, *[""] * rest], pa.string()),
        "label": pa.array(np.concatenate([sketches.labels, np.full(rest, _AXIS)]).astype(np.int16)),
        "self": pa.array(np.concatenate([sketches.selves, np.zeros(rest)]).astype(np.float32)),
        "scale": pa.array(np.concatenate([sketches.scales, scale]).astype(np.float32)),
        "sketch": vectors(np.concatenate([sketches.values, axes])),
    }
    about = {"epochs": list(sketches.epochs), "weights": list(sketches.weights)}
    write_table(run.folder / INFLUENCE, columns, json.dumps(about))
    return run.save()


def sketches_of(run: Run) -> Sketches:
    """Return the sketches of a run's training documents; they are shared and never changed.

    Raises:
        RunError: if it has none, or the file is damaged.
    """
    if INFLUENCE not in run.files:
        raise RunError(
            f"The run {run.name!r} has no gradient sketches of its training documents. Run `python -m nlpviz "
            f"influence {run.name} --sketch` on a machine with its corpus."
        )
    return run.kept("influence", _read)


def _read(run: Run) -> Sketches:
    table = run.table(INFLUENCE)
    run.require_columns(INFLUENCE, _COLUMNS, table.column_names)
    labels, selves, scales = (table[name].combine_chunks().to_numpy() for name in ("label", "self", "scale"))
    count = int((labels != _AXIS).sum())
    try:
        values = matrix(table, "sketch")
        about = json.loads((table.schema.metadata or {})[b"nlpviz"])
        return Sketches(
            run=run.name,
            epochs=tuple(int(epoch) for epoch in about["epochs"]),
            weights=tuple(float(weight) for weight in about["weights"]),
            ids=tuple(table["id"].to_pylist()[:count]),
            labels=labels[:count],
            values=values[:count],
            scales=scales[:count],
            selves=selves[:count],
            basis=values[count:].astype(np.float32) * scales[count:, None],
        )
    except (AttributeError, KeyError, ValueError, TypeError):
        raise RunError(f"{INFLUENCE} of the run {run.name!r} contains no sketches.") from None
