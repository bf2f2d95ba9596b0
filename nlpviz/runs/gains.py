"""Where a run predicts its test text better than others: ``gains.csv``, one line per group of tokens."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import astuple, fields

from nlpviz.results.gains import Gain
from nlpviz.runs.files import write_text
from nlpviz.runs.run import Run, RunError

GAINS = "gains.csv"
_OVER = "over"
_COLUMNS = [field.name for field in fields(Gain)]


def write_gains(run: Run, found: Mapping[str, Sequence[Gain]]) -> Run:
    """Write a run's gains over other runs, by their names; return the updated run."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_OVER, *_COLUMNS])
    for name, groups in found.items():
        writer.writerows(
            [name, *(round(value, 5) if isinstance(value, float) else value for value in astuple(one))]
            for one in groups
        )
    write_text(run.folder / GAINS, text.getvalue())
    return run.save()


def gains_over(run: Run, other: str, grouping: str) -> tuple[Gain, ...]:
    """Return a run's gain over the run called ``other`` for each group of a grouping of its test tokens."""
    return tuple(gain for gain in read_gains(run)[other] if gain.grouping == grouping)


def read_gains(run: Run) -> dict[str, tuple[Gain, ...]]:
    """Return a run's gains over other runs, by their names.

    Raises:
        RunError: if the file is missing or damaged.
    """
    with run.file(GAINS).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    result: dict[str, list[Gain]] = {}
    try:
        for row in rows:
            numbers = {name: float(row[name]) for name in ("nats", "other_nats", "low", "high")}
            one = Gain(grouping=row["grouping"], group=row["group"], tokens=int(row["tokens"]), **numbers)
            result.setdefault(row[_OVER], []).append(one)
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{GAINS} of the run {run.name!r} has a missing column or an invalid number.") from None
    return {name: tuple(groups) for name, groups in result.items()}
