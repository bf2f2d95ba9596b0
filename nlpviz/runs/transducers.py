"""The files of a run with an output after every step: its weights, and its errors by length in ``lengths.csv``."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from nlpviz.data import DataError
from nlpviz.data.bits import BitTask, bit_tasks
from nlpviz.results.tape import LengthError
from nlpviz.runs.files import write_text
from nlpviz.runs.run import Run, RunError

if TYPE_CHECKING:
    from torch import nn

KIND = "transducer"
LENGTHS = "lengths.csv"


def task_of(run: Run) -> BitTask:
    """Return the task that a run learnt.

    Raises:
        DataError: if this version does not know it.
    """
    name, known = run.corpus["name"], bit_tasks()
    if name not in known:
        raise DataError(
            f"The run {run.name!r} was trained on the unknown task {name!r}; available: {', '.join(known)}."
        )
    return known[name]


def network_title(run: Run) -> str:
    """Return a network's short title for a known task: the part of the run's title after the task."""
    return run.title.partition(", ")[2].capitalize().replace("turing", "Turing").replace("Lstm", "LSTM")


def load_transducer(run: Run, epoch: int | None = None) -> nn.Module:
    """Return the :class:`nlpviz.networks.architectures.Transducer` with the weights of ``epoch``, by default the best.

    Raises:
        RunError: if there is no such epoch, or its weights do not fit the architecture.
    """
    from nlpviz.networks.architectures import transducers

    return run.module(run.check_epoch(run.best_epoch if epoch is None else epoch), transducers())


def write_lengths(folder: Path, rows: Iterable[LengthError]) -> None:
    """Write how often each kept epoch answers wrongly, by length."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(LengthError._fields)
    writer.writerows([round(cell, 6) if isinstance(cell, float) else cell for cell in row] for row in rows)
    write_text(folder / LENGTHS, text.getvalue())


def read_lengths(run: Run, epoch: int | None = None) -> tuple[LengthError, ...]:
    """Return how often an epoch, by default each kept one, answers wrongly, by length.

    Raises:
        RunError: if the file is missing or damaged.
    """
    try:
        with run.file(LENGTHS).open(encoding="utf-8", newline="") as stream:
            rows = [
                LengthError(
                    *(int(row[name]) for name in ("epoch", "length", "sequences")),
                    *(float(row[name]) for name in ("error", "exact")),
                )
                for row in csv.DictReader(stream)
            ]
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{LENGTHS} of the run {run.name!r} has a missing column or an invalid number.") from None
    return tuple(row for row in rows if epoch in (None, row.epoch))
