"""The n-gram counts of a corpus's training texts, kept in the folder of the baseline that was fitted to them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np

from nlpviz.results.ngram_counts import NgramCounts, narrow
from nlpviz.results.ngram_weights import WeighedNgram
from nlpviz.runs.run import Run, RunError

COUNTS = "ngram-counts.parquet"
NGRAMS = "ngrams.csv"
"""The strongest n-grams with their weights, beside the counts."""


def read_strongest(run: Run) -> dict[str, tuple[WeighedNgram, ...]]:
    """Return the strongest n-grams of each class that has a regression, only the last of two classes.

    Raises:
        RunError: if the run keeps none, or they are damaged.
    """
    several = len(run.class_names) > 2
    found: dict[str, list[WeighedNgram]] = {name: [] for name in (run.class_names if several else run.class_names[-1:])}
    try:
        with run.file(NGRAMS).open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                name = row["class"] if several else run.class_names[-1]
                found[name].append(WeighedNgram(row["ngram"], float(row["weight"])))
    except (KeyError, TypeError, ValueError, csv.Error):
        raise RunError(f"{NGRAMS} of the run {run.name!r} is damaged or incomplete.") from None
    return {name: tuple(rows) for name, rows in found.items()}


def write_counts(folder: Path, counts: NgramCounts) -> None:
    """Write ``counts`` into a run's folder: the gaps between the hashes, byte by byte, so that they take least."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from nlpviz.runs.files import write_whole

    gaps = np.diff(counts.hashes.astype(np.int64), prepend=0)
    about = {"longest": counts.longest, "texts": counts.texts, "space": counts.space}
    table = pa.table({"gap": pa.array(gaps.astype(np.int32)), "count": pa.array(counts.counts.astype(np.int32))})
    table = table.replace_schema_metadata({"nlpviz": json.dumps(about)})
    encoding = dict.fromkeys(table.column_names, "BYTE_STREAM_SPLIT")
    write_whole(
        folder / COUNTS,
        lambda partial: pq.write_table(
            table, partial, compression="zstd", compression_level=19, use_dictionary=False, column_encoding=encoding
        ),
    )


def read_counts(run: Run) -> NgramCounts:
    """Return the counts in a run's folder.

    Raises:
        RunError: if it has none, or they are damaged.
    """
    table = run.table(COUNTS, ["gap", "count"])
    try:
        about = json.loads((table.schema.metadata or {})[b"nlpviz"])
        hashes = np.cumsum(table["gap"].to_numpy(), dtype=narrow(about["space"]))
        return NgramCounts(**about, hashes=hashes, counts=np.array(table["count"].to_numpy()))
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{COUNTS} of the run {run.name!r} is damaged or incomplete.") from None
