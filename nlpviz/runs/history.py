"""What each epoch of a run cost and reached: ``history.csv``, one line per epoch, the same for every kind of run.

The columns are the fields of the kind's record (:mod:`nlpviz.results.history`); a NaN in it is an empty cell.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from nlpviz.results.history import columns
from nlpviz.runs.files import write_text
from nlpviz.runs.run import HISTORY, Run, RunError

Record = TypeVar("Record")


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
    """Return the loss, the validation score and the duration of each epoch of a run.

    Args:
        run: any run that was trained in epochs.
        record: the type of the records, a class of :mod:`nlpviz.results.history`: ``EpochRecord`` for classifiers,
            ``WordEpoch`` for word vectors, ``LanguageEpoch`` for language models, and so on.

    Returns:
        One record per epoch, starting with epoch 0 (before training); durations are in seconds. Missing numbers are
        NaN.

    Raises:
        RunError: if the file is missing or damaged, or its columns are not the fields of ``record``.

    Example:
        >>> from nlpviz.results.history import EpochRecord
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.history import read_history
        >>> history = read_history(open_run("imdb-cnn"), EpochRecord)
        >>> [round(epoch.validation_accuracy, 2) for epoch in history[:3]]
        [0.51, 0.87, 0.88]
    """
    with run.file(HISTORY).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    try:
        return tuple(
            record(**{name: int(cell) if name == "epoch" else float(cell or "nan") for name, cell in row.items()})
            for row in rows
        )
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{HISTORY} of the run {run.name!r} has a missing column or an invalid number.") from None
