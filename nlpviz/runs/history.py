"""What each epoch of a run cost and reached: ``history.csv``, one line an epoch, in one form for every kind of run.

A kind says which columns it has with a record: a frozen dataclass or a named tuple of numbers whose first field is
``epoch``. A number that there is not is NaN in the record and an empty cell in the file.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from nlpviz.runs.files import write_text
from nlpviz.runs.run import HISTORY, Run, RunError

Record = TypeVar("Record")


@dataclass(frozen=True)
class EpochRecord:
    """What one epoch of a classifier cost and reached; ``gradient_norm`` is the mean over its steps before clipping."""

    epoch: int
    train_loss: float
    train_accuracy: float
    validation_loss: float
    validation_accuracy: float
    gradient_norm: float
    seconds: float


def columns(record: type[Any]) -> tuple[str, ...]:
    """Return the names of a record's fields, which are the columns of the file."""
    return tuple(getattr(record, "_fields", None) or record.__dataclass_fields__)


def write_history(folder: Path, records: Iterable[Any]) -> None:
    """Write the epochs' records, all of one type."""
    rows = list(records)
    names = columns(type(rows[0]))
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_cell(getattr(row, name)) for name in names] for row in rows)
    write_text(folder / HISTORY, text.getvalue())


def _cell(value: float) -> object:
    if isinstance(value, int):
        return value
    return "" if math.isnan(value) else round(value, 6)


def read_history(run: Run, record: type[Record]) -> tuple[Record, ...]:
    """Return what each epoch cost and reached, the first one first.

    Raises:
        RunError: if the file is missing or damaged, or has other columns than ``record``.
    """
    with run.file(HISTORY).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    try:
        return tuple(
            record(**{name: int(cell) if name == "epoch" else float(cell or "nan") for name, cell in row.items()})
            for row in rows
        )
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{HISTORY} of the run {run.name!r} lacks a column or holds no number in it.") from None
