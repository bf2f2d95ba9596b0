"""The prediction for every text of the user's file, written row by row: CSV, JSON lines or Parquet.

A row holds its number in the file, its label, the predicted class and the probability of each class; the text only
where texts were kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nlpviz.results.own_evaluation import FileEvaluation
from nlpviz.run_kinds.parts import UsageError

_ENDINGS = (".csv", ".jsonl", ".parquet")


def check_place(path: Path) -> None:
    """Refuse a file that cannot be written, before anything is computed.

    Raises:
        UsageError: if its name says no form, it is there already, or its folder is not.
    """
    if path.suffix.lower() not in _ENDINGS:
        raise UsageError(f"{path} has no supported file extension. Use .csv, .jsonl or .parquet.")
    if path.exists():
        raise UsageError(f"{path} already exists. Choose another name, or delete it first.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent}.")


def write_predictions(path: Path, found: FileEvaluation) -> None:
    """Write what every run predicts for each text, whole or not at all.

    Args:
        path: its ending says the form.
        found: one run or two; the second one's columns begin with its name.
    """
    from nlpviz.runs.files import write_whole

    write = {".csv": _write_csv, ".jsonl": _write_lines, ".parquet": _write_parquet}[path.suffix.lower()]
    write_whole(path, lambda partial: write(partial, found))


def _columns(found: FileEvaluation) -> dict[str, Any]:
    names = found.runs[0].assessment.confusion.class_names
    columns: dict[str, Any] = {
        "row": found.numbers.tolist(),
        "label": [names[label] for label in found.labels],
    }
    for at, one in enumerate(found.runs):
        before = f"{one.assessment.run}: " if at else ""
        columns[f"{before}predicted"] = [names[at] for at in one.probabilities.argmax(axis=1)]
        for name, column in zip(names, one.probabilities.T, strict=True):
            columns[f"{before}probability {name}"] = column
    return columns | ({} if found.texts is None else {"text": list(found.texts)})


def _rows(columns: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    numbers = [column.tolist() if hasattr(column, "tolist") else column for column in columns.values()]
    return zip(*numbers, strict=True)


def _write_csv(path: Path, found: FileEvaluation) -> None:
    from nlpviz.data.own_texts.safe_csv import write_csv

    columns = _columns(found)
    with path.open("w", encoding="utf-8", newline="") as stream:
        write_csv(stream, columns, _rows(columns))


def _write_lines(path: Path, found: FileEvaluation) -> None:
    columns = _columns(found)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for row in _rows(columns):
            stream.write(f"{json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False)}\n")


def _write_parquet(path: Path, found: FileEvaluation) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table(_columns(found)), path, compression="zstd")
