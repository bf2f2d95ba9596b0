"""The predictions of a run's kept epochs for minimal pairs, written and read: ``behaviours.parquet`` in its folder.

A row for each pair, in their order: ``known``, whether the run knows all its words, and a column for each kept epoch,
``positive.03``, with the probability of *positive* of both texts; of a run without epochs it is ``positive``. The pairs
themselves are named by a hash. No text is in it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from nlpviz.results.behaviours import Probed
from nlpviz.results.minimal_pairs import MinimalPair
from nlpviz.runs.derived import BEHAVIOURS, read_derived, write_derived
from nlpviz.runs.files import matrix, vectors
from nlpviz.runs.ngram_weights import WEIGHTS
from nlpviz.runs.run import VOCABULARY, Run

_PART = "positive"


def write_probed(run: Run, pairs: Sequence[MinimalPair], found: Sequence[Probed]) -> Run:
    """Write the predictions of a run's kept epochs for ``pairs`` into its folder; return the updated run."""
    import pyarrow as pa

    columns = {_column(one.epoch): vectors(one.positive) for one in found}
    return write_derived(run, BEHAVIOURS, columns | {"known": pa.array(found[0].known)}, _weights(run), _hash(pairs))


def read_probed(run: Run, pairs: Sequence[MinimalPair]) -> list[Probed] | None:
    """Return every kept epoch's predictions for ``pairs``, in ascending order; None where they are unknown.

    Raises:
        RunError: if the file is damaged.
    """
    table = read_derived(run, BEHAVIOURS, _weights(run), _hash(pairs))
    epochs = run.epochs or (None,)
    if table is None or not {"known", *map(_column, epochs)} <= set(table.column_names):
        return None
    known = table["known"].combine_chunks().to_numpy(zero_copy_only=False)
    return [Probed(run.name, run.title, epoch, matrix(table, _column(epoch)), known) for epoch in epochs]


def _column(epoch: int | None) -> str:
    return _PART if epoch is None else f"{_PART}.{epoch:02d}"


def _weights(run: Run) -> list[str]:
    return [name for name in run.files if name.endswith(".safetensors") or name in (VOCABULARY, WEIGHTS)]


def _hash(pairs: Sequence[MinimalPair]) -> str:
    return hashlib.sha256(json.dumps(pairs).encode()).hexdigest()
