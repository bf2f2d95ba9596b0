"""All rows of the user's file in memory, column by column: what a split and a training need."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from nlpviz.data.own_texts import Opened, OwnTextsError, Row, Source
from nlpviz.data.own_texts.formats.folder import SPLIT
from nlpviz.data.own_texts.rows import LISTED
from nlpviz.data.own_texts.sniff import moment
from nlpviz.results.own_texts import BadLine


@dataclass
class Gathered:
    """The rows that can be used of one file, N of them.

    Attributes:
        file: its name.
        numbers: of the rows.
        texts: none of them empty.
        labels: as they are written.
        groups: where a column of groups was named, else empty.
        times: where a column of times was named, else empty.
        splits: ``"train"`` or ``"test"`` where the file says it, else empty.
        rows: read, bad and empty ones too.
        empty: rows without a text.
        bad: the first bad rows.
        bad_count: how many there are.
    """

    file: str
    numbers: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    times: list[str] = field(default_factory=list)
    splits: list[str] = field(default_factory=list)
    rows: int = 0
    empty: int = 0
    bad: list[BadLine] = field(default_factory=list)
    bad_count: int = 0

    def __len__(self) -> int:
        """Return N."""
        return len(self.numbers)

    def refuse(self, number: int, why: str) -> None:
        """Count a bad row, and list it while the list is short."""
        self.bad_count += 1
        if len(self.bad) < LISTED:
            self.bad.append(BadLine(self.file, number, why))


def gather(opened: Opened) -> Gathered:
    """Return the rows of a file that can be used; one without a label, group or time that it should have is bad.

    Raises:
        OwnTextsError: if the file is damaged, or no row is left.
    """
    source = opened.source
    result = Gathered(Path(source.path).name)
    says_split = SPLIT in opened.columns and opened.format == "a folder with one subfolder per class"
    for row in opened.rows():
        result.rows += 1
        if not row.text.strip():
            result.empty += 1
            continue
        if why := _unusable(row, source):
            result.refuse(row.number, why)
            continue
        result.numbers.append(row.number)
        result.texts.append(row.text)
        result.labels.append(row.label)
        for column, name in ((result.groups, source.group), (result.times, source.time)):
            if name:
                column.append(row.fields[name].strip())
        if says_split:
            result.splits.append(row.fields[SPLIT])
    result.rows += opened.bad_count
    for bad in opened.bad:
        result.refuse(*bad)
    result.bad_count += opened.bad_count - len(opened.bad)
    if not len(result):
        first = f" {result.bad[0]}" if result.bad else ""
        raise OwnTextsError(f"{source.path} contains no usable rows.{first}")
    return result


def _unusable(row: Row, source: Source) -> str:
    """Return why a row with a text cannot be used, as half a sentence; ``""`` where it can."""
    if source.label and not row.label:
        return "has no label"
    for name, column in (("group", source.group), ("time", source.time)):
        if column and not row.fields[column].strip():
            return f"has no {name}"
    if source.time and moment(row.fields[source.time]) is None:
        return f"has the time {row.fields[source.time][:40]!r}, which is not a valid time such as 2026-01-31T12:00"
    return ""
