"""What is read of the user's file: its path and the names of its columns, its rows, and the bad rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from nlpviz.data import DataError

T = TypeVar("T")

LONGEST_ROW = 2**22
"""Characters of a row: a longer row is a bad row, and no more than so many of its characters are ever in memory."""
LISTED = 1000
"""So many bad rows are listed; all of them are counted."""
_NAMED = 5  # bad rows in a sentence


class OwnTextsError(DataError):
    """The user's file cannot be used; the message is one sentence that a person can act on."""


@dataclass(frozen=True)
class Source:
    """The user's file, and which columns to read. What is ``""`` is guessed, except ``group`` and ``time``.

    Attributes:
        path: of a file or a folder.
        text: the column of the texts.
        label: the column of the labels; where none looks like one, texts have none.
        group: the column of what may not stand on both sides of a split, such as an author; ``""`` for none.
        time: the column by which later texts are held out; ``""`` for none.
        delimiter: what parts the columns of CSV, one character.
        encoding: as Python calls it, such as ``"utf-8"`` or ``"cp1252"``.
    """

    path: str
    text: str = ""
    label: str = ""
    group: str = ""
    time: str = ""
    delimiter: str = ""
    encoding: str = ""


class Row(NamedTuple):
    """A row that can be used.

    Attributes:
        number: of the line at which it begins, from 1; of Parquet the row, of a folder the file.
        text: as it stands; it may be empty.
        label: without blanks around it; ``""`` where there is none.
        fields: all columns by their names, as text.
    """

    number: int
    text: str
    label: str
    fields: Mapping[str, str]


class BadRow(NamedTuple):
    """A row that cannot be used.

    Attributes:
        number: as of a :class:`Row`.
        why: half a sentence that goes on after "Row 17".
    """

    number: int
    why: str


class Record(NamedTuple):
    """A row as a format reads it: all columns by their names, before any of them is known to be the text."""

    number: int
    fields: Mapping[str, str]


def as_text(value: object) -> str:
    """Return a value of a typed column as text: nothing as ``""``, a list or an object as JSON has it."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, dict | list | bool):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


@dataclass(frozen=True)
class UsableRows(Generic[T]):
    """What can be used of the rows of a file, and what became of the others.

    Attributes:
        file: its name.
        form: what people call its form; ``""`` where there is only one.
        rows: what the usable ones hold, in their order.
        bad: the first bad rows.
        bad_count: how many there are.
        cut: the most rows that were read, where there are more; 0 where all were.
    """

    file: str
    form: str
    rows: tuple[T, ...]
    bad: tuple[BadRow, ...]
    bad_count: int
    cut: int

    @property
    def said(self) -> str:
        """What became of the rows, in a sentence or three that name bad ones."""
        rows, form = len(self.rows) + self.bad_count, f" ({self.form})" if self.form else ""
        parts = [f"{self.file}{form}: {len(self.rows):,} of {rows:,} row{'s' * (rows != 1)} used."]
        if self.bad_count:
            more = f"; … {self.bad_count - _NAMED:,} more" if self.bad_count > _NAMED else ""
            parts.append(f"Excluded: {listed(self.bad)}{more}.")
        if self.cut:
            parts.append(f"Only the first {self.cut:,} rows were read.")
        return " ".join(parts)


def listed(bad: tuple[BadRow, ...]) -> str:
    """Return the first bad rows in words."""
    return "; ".join(f"row {number:,} {why}" for number, why in bad[:_NAMED])
