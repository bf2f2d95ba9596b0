"""The weights of a baseline's n-grams in its folder: ``ngram-weights.parquet``, so that it predicts without its corpus.

A row for each n-gram, by the gap between its hash and the one before; a column for each regression, in 512ths of a
log-odds. A million n-grams take 3 MB.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from nlpviz.results.ngram_counts import narrow
from nlpviz.results.ngram_weights import NgramWeights
from nlpviz.runs.run import Run, RunError

WEIGHTS = "ngram-weights.parquet"
_STEPS = 512  # of a log-odds


def write_weights(folder: Path, known: NgramWeights, name: str = WEIGHTS) -> None:
    """Write weights into the file ``name`` of a run's folder; those above 64 are 64."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from nlpviz.runs.files import write_whole

    gaps = np.diff(known.hashes.astype(np.int64), prepend=0)
    levels = np.rint(known.weights * _STEPS).clip(-32_768, 32_767).astype(np.int16)
    columns = {"gap": pa.array(gaps)} | {_column(at): pa.array(row) for at, row in enumerate(levels)}
    about = {"longest": known.longest, "space": known.space, "biases": known.biases.tolist()}
    table = pa.table(columns).replace_schema_metadata({"nlpviz": json.dumps(about)})
    encoding = dict.fromkeys(table.column_names, "BYTE_STREAM_SPLIT")
    write_whole(
        folder / name,
        lambda partial: pq.write_table(
            table, partial, compression="zstd", compression_level=19, use_dictionary=False, column_encoding=encoding
        ),
    )


def check_weights(run: Run) -> None:
    """Refuse a run that keeps no n-gram weights: the file is large, and a run may be published without it."""
    if WEIGHTS not in run.files:
        raise RunError(
            f"The run {run.name!r} has no stored n-gram weights. Run `python -m nlpviz survey {run.name}` to add them."
        )


def read_weights(run: Run, name: str = WEIGHTS) -> NgramWeights:
    """Return the weights in the file ``name`` of a run's folder.

    Raises:
        RunError: if it has none, or they are damaged.
    """
    if name == WEIGHTS:
        check_weights(run)
    table = run.table(name, ["gap"])
    try:
        about = json.loads((table.schema.metadata or {})[b"nlpviz"])
        hashes = np.cumsum(table["gap"].to_numpy()).astype(narrow(about["space"]))
        biases = np.array(about["biases"], dtype=np.float64)
        columns = run.table(name, [_column(at) for at in range(len(biases))])
        weights = np.stack([column.to_numpy() for column in columns.columns]).astype(np.float32) / np.float32(_STEPS)
        return NgramWeights(about["longest"], about["space"], hashes, weights, biases)
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{name} of the run {run.name!r} is damaged or incomplete.") from None


def _column(regression: int) -> str:
    return f"weight.{regression:02d}"
