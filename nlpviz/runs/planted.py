"""Labels that were flipped before a training, written and read: ``planted-flips.parquet``, next to the weights.

A row for each flipped document: its id and, by each ranking of suspects, how many documents are more suspect
(``rank.confidence``). What was trained, and how, is in the schema's metadata. No word of a corpus is in it.
"""

from __future__ import annotations

import json

import numpy as np

from nlpviz.results.planted import RANKINGS, PlantedFlips
from nlpviz.runs.files import write_table
from nlpviz.runs.run import Run, RunError

PLANTED = "planted-flips.parquet"
_RANK = "rank."


def write_planted(run: Run, flips: PlantedFlips) -> Run:
    """Write the results into the run's folder and its manifest; return the updated run."""
    import pyarrow as pa

    columns = {"id": pa.array(list(flips.ids))}
    columns |= {_RANK + name: pa.array(ranks) for name, ranks in flips.ranks.items()}
    about = {
        "share": flips.share,
        "seed": flips.seed,
        "documents": flips.documents,
        "moments": list(flips.moments),
        "accuracy": flips.accuracy,
    }
    write_table(run.folder / PLANTED, columns, json.dumps(about))
    return run.save()


def planted_flips(run: Run) -> PlantedFlips | None:
    """Return the results with flipped labels in a training of the run's recipe; None if there was none.

    Raises:
        RunError: if the file is damaged.
    """
    return run.kept("planted flips", _read) if PLANTED in run.files else None


def _read(run: Run) -> PlantedFlips:
    table = run.table(PLANTED)
    there = [name for name in RANKINGS if _RANK + name in table.column_names]
    needed = dict.fromkeys(["confidence", "margin", "loss", *there])
    run.require_columns(PLANTED, ["id", *(_RANK + name for name in needed)], table.column_names)
    try:
        about = json.loads((table.schema.metadata or {})[b"nlpviz"])
        moments = tuple(float(moment) for moment in about["moments"])
        return PlantedFlips(
            run=run.name,
            share=float(about["share"]),
            seed=int(about["seed"]),
            documents=int(about["documents"]),
            moments=moments,
            accuracy=float(about["accuracy"]),
            ids=tuple(table["id"].to_pylist()),
            ranks={name: table[_RANK + name].to_numpy().astype(np.int32) for name in there},
        )
    except (KeyError, ValueError, TypeError):
        raise RunError(f"{PLANTED} of the run {run.name!r} is damaged or incomplete.") from None
