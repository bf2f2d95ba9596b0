"""How well attribution methods order the tokens of a run's test documents, written and read: ``deletion.parquet``.

A row for each test document that was asked at the chosen epoch: its id, how many tokens were read, the AOPC of every
method's order (``aopc.saliency``), how many of the random orders it beats (``better.saliency``), and their mean AOPC
(``random``). How many random orders there are is in the schema's metadata. No word of a corpus is in it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.deletion import DeletionSurvey
from nlpviz.runs.files import write_table
from nlpviz.runs.run import Run, RunError

DELETION = "deletion.parquet"
_AOPC, _BETTER = "aopc.", "better."


def write_deletion(run: Run, survey: DeletionSurvey) -> Run:
    """Write the measures into the run's folder and its manifest; return the updated run."""
    import pyarrow as pa

    columns = {
        "epoch": pa.array([survey.epoch] * len(survey.ids), pa.int32()),
        "id": pa.array(survey.ids, pa.string()),
        "tokens": pa.array(survey.tokens),
    }
    for prefix, values, kind in ((_AOPC, survey.aopc, pa.float32()), (_BETTER, survey.better, pa.int8())):
        columns |= {
            prefix + name: pa.array(column, kind) for name, column in zip(survey.methods, values.T, strict=True)
        }
    write_table(run.folder / DELETION, columns | {"random": pa.array(survey.random)}, str(survey.orders))
    return run.save()


def deletion_survey(run: Run) -> DeletionSurvey | None:
    """Return the measures at the run's best epoch; None where they were not computed.

    Raises:
        RunError: if the file is damaged.
    """
    return run.kept("deletion", _read) if DELETION in run.files else None


def _read(run: Run) -> DeletionSurvey:
    table = run.table(DELETION)
    run.require_columns(DELETION, ("epoch", "id", "tokens", "random"), table.column_names)
    methods = tuple(name.removeprefix(_AOPC) for name in table.column_names if name.startswith(_AOPC))
    run.require_columns(DELETION, [_BETTER + name for name in methods], table.column_names)
    try:
        orders = int((table.schema.metadata or {})[b"nlpviz"])
    except (KeyError, ValueError):
        raise RunError(f"{DELETION} of the run {run.name!r} is damaged or incomplete.") from None

    def side_by_side(prefix: str) -> NDArray[np.float32]:
        result = np.empty((len(table), len(methods)), dtype=np.float32)
        for position, name in enumerate(methods):
            result[:, position] = table[prefix + name].to_numpy()
        return result

    return DeletionSurvey(
        run=run.name,
        epoch=table["epoch"][0].as_py() if len(table) else run.best_epoch,
        ids=tuple(table["id"].to_pylist()),
        tokens=table["tokens"].to_numpy().astype(np.int32),
        orders=orders,
        methods=methods,
        aopc=side_by_side(_AOPC),
        better=side_by_side(_BETTER).astype(np.int32),
        random=table["random"].to_numpy().astype(np.float32),
    )
