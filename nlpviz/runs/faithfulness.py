"""The faithfulness of methods over a run's test documents, written and read: ``faithfulness.parquet``.

A row for each document and order, so that one more order is more rows: what the order reaches, in 10,000ths, beside
the best, the worst and the random orders of the document. What was drawn, and where in a text each order's scores lie,
is in the schema's metadata. No word of a corpus is in it.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.faithfulness_survey import FIFTHS, FaithfulnessSurvey
from nlpviz.runs.files import write_table
from nlpviz.runs.run import Run, RunError

FAITHFULNESS = "faithfulness.parquet"
_OF_ORDER = ("comprehensiveness", "sufficiency", "beaten", "within")
_OF_TEXT = ("best", "worst", "random")
_UNKNOWN = -(2**15)  # of what is not a number
_STEPS = 10_000


def write_faithfulness(run: Run, survey: FaithfulnessSurvey) -> Run:
    """Write the measures into the run's folder and its manifest; return the updated run."""
    import pyarrow as pa

    count = len(survey.orders)
    columns: dict[str, Any] = {
        "id": pa.array([name for name in survey.ids for _ in survey.orders]).dictionary_encode(),
        "order": pa.array(list(survey.orders) * len(survey.ids)).dictionary_encode(),
        "tokens": pa.array(np.repeat(survey.tokens.astype(np.int16), count)),
    }
    columns |= {name: pa.array(_levels(getattr(survey, name).ravel())) for name in _OF_ORDER}
    for name in _OF_TEXT:
        for place, measure in enumerate(_OF_ORDER[:2]):
            columns[f"{name}.{measure}"] = pa.array(_levels(np.repeat(getattr(survey, name)[:, place], count)))
    columns["random.within"] = pa.array(_levels(np.repeat(survey.within_random, count)))
    about = {
        "epoch": survey.epoch,
        "groups": survey.groups,
        "seed": survey.seed,
        "shares": np.round(survey.shares, 4).tolist(),
    }
    write_table(run.folder / FAITHFULNESS, columns, json.dumps(about))
    return run.save()


def faithfulness_survey(run: Run) -> FaithfulnessSurvey | None:
    """Return the survey; None where there is none.

    Raises:
        RunError: if the file is damaged.
    """
    return run.kept("faithfulness", _read) if FAITHFULNESS in run.files else None


def _read(run: Run) -> FaithfulnessSurvey:
    table = run.table(FAITHFULNESS)
    wanted = [f"{name}.{measure}" for name in _OF_TEXT for measure in _OF_ORDER[:2]]
    run.require_columns(
        FAITHFULNESS, ["id", "order", "tokens", *_OF_ORDER, *wanted, "random.within"], table.column_names
    )
    try:
        about = json.loads((table.schema.metadata or {})[b"nlpviz"])
        orders = tuple(dict.fromkeys(table["order"].to_pylist()))
        shape = (-1, max(len(orders), 1))

        def grid(name: str) -> NDArray[np.float64]:
            return _values(table[name].to_numpy()).reshape(shape)

        def ends(name: str) -> NDArray[np.float64]:
            return np.stack([grid(f"{name}.{measure}")[:, 0] for measure in _OF_ORDER[:2]], axis=1)

        return FaithfulnessSurvey(
            run=run.name,
            epoch=int(about["epoch"]),
            ids=tuple(table["id"].to_pylist()[:: shape[1]]),
            tokens=table["tokens"].to_numpy().reshape(shape)[:, 0].astype(np.int32),
            groups=int(about["groups"]),
            orders=orders,
            comprehensiveness=grid("comprehensiveness"),
            sufficiency=grid("sufficiency"),
            beaten=grid("beaten"),
            within=grid("within"),
            best=ends("best"),
            worst=ends("worst"),
            random=ends("random"),
            within_random=grid("random.within")[:, 0],
            shares=np.array(about["shares"], dtype=np.float64).reshape(-1, FIFTHS),
            seed=int(about["seed"]),
        )
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{FAITHFULNESS} of the run {run.name!r} is damaged or incomplete.") from None


def _levels(values: NDArray[np.float64]) -> NDArray[np.int16]:
    scaled = np.where(np.isnan(values), _UNKNOWN, np.rint(values * _STEPS).clip(-32_767, 32_767))
    return scaled.astype(np.int16)


def _values(levels: NDArray[np.int16]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = np.where(levels == _UNKNOWN, np.nan, levels / _STEPS)
    return result
