"""The survey of a network's attention over a corpus, written and read: ``attention.parquet``, next to its weights.

A row for each test document that was asked at each kept epoch: its id, how many tokens were read, and for every
intervention how far the prediction moved (``change.top.5``) and how often it became another one (``flipped.top.5``);
``tau.saliency`` and the like say what ranks its words as attention does. No word of a corpus is in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.attention_effect import Agreement, AttentionEffect, AttentionSurvey, Intervention
from nlpviz.runs.files import write_table
from nlpviz.runs.run import Run, RunError

if TYPE_CHECKING:
    import pyarrow as pa

ATTENTION = "attention.parquet"
_CHANGE, _FLIPPED, _TAU = "change.", "flipped.", "tau."


def write_attention(run: Run, effects: Mapping[int, Mapping[str, AttentionEffect]]) -> Run:
    """Write the results into the run's folder and its manifest; return the updated run.

    Args:
        run: whose network was asked.
        effects: for each kept epoch the documents' effects by their ids.
    """
    import pyarrow as pa

    rows = [(epoch, name, effect) for epoch, of_epoch in effects.items() for name, effect in of_epoch.items()]
    result = [effect for _, _, effect in rows]
    columns = {
        "epoch": pa.array([epoch for epoch, _, _ in rows], pa.int32()),
        "id": pa.array([name for _, name, _ in rows], pa.string()),
        "tokens": pa.array([len(effect.weights) for effect in result], pa.int32()),
    }
    for intervention in dict.fromkeys(one for effect in result for one in effect.answers):  # in the order of asking
        for prefix, measure in ((_CHANGE, AttentionEffect.change), (_FLIPPED, AttentionEffect.flipped)):
            means = [
                float(measure(one, intervention).mean()) if intervention in one.answers else None for one in result
            ]
            columns[prefix + intervention.name] = pa.array(means, pa.float32())
    for name in Agreement._fields:
        columns[_TAU + name] = pa.array([getattr(effect.agreement, name) for effect in result], pa.float32())
    write_table(run.folder / ATTENTION, columns)
    return run.save()


def attention_survey(run: Run, epoch: int) -> AttentionSurvey:
    """Return how replaced weights change the predictions of the surveyed test documents at ``epoch``.

    Raises:
        RunError: if nobody asked, the run keeps no such epoch, or is damaged.
    """
    if ATTENTION not in run.files:
        raise RunError(
            f"The run {run.name!r} has no stored attention effects for its test documents. Run "
            f"`python -m nlpviz survey {run.name}`."
        )
    names = [name.removeprefix(_CHANGE) for name in run.table(ATTENTION).column_names if name.startswith(_CHANGE)]
    changes, flips, taus = (
        [prefix + name for name in some]
        for prefix, some in ((_CHANGE, names), (_FLIPPED, names), (_TAU, Agreement._fields))
    )
    table = run.table(ATTENTION, ["epoch", "id", "tokens", *changes, *flips, *taus])
    table = table.filter(table["epoch"].to_numpy() == run.check_surveyed(epoch))
    return AttentionSurvey(
        run=run.name,
        epoch=epoch,
        ids=tuple(table["id"].to_pylist()),
        tokens=table["tokens"].to_numpy().astype(np.int32),
        interventions=tuple(Intervention.named(name) for name in names),
        change=_columns(table, changes),
        flipped=_columns(table, flips),
        agreement=_columns(table, taus),
    )


def _columns(table: pa.Table, names: Sequence[str]) -> NDArray[np.float32]:
    """Return columns side by side, (N, len(names)); not a number where there is none."""
    result = np.full((len(table), len(names)), np.nan, dtype=np.float32)
    for position, name in enumerate(names):
        result[:, position] = table[name].to_numpy()  # null becomes not a number
    return result
