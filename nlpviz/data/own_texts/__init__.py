"""User data, read from a file: the format is detected, rows are read in constant memory, nothing is trusted.

=================  ==================================================================================================
format             how it is detected
=================  ==================================================================================================
CSV, TSV           by its name, or by tabs in every line; the first line names the columns, or they are numbered
JSON lines         by its name, or by its first line
Parquet            by its first bytes
folder of folders  the folders are the classes, or ``train`` and ``test`` with the classes in them
plain text         a text a line
=================  ==================================================================================================

Text may be packed with gzip, zip (one file in it) or Zstandard. Whatever is guessed is said, and can be named instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from nlpviz.data.own_texts.formats import Table, beginning, read_table
from nlpviz.data.own_texts.rows import LISTED, LONGEST_ROW, BadRow, OwnTextsError, Record, Row, Source
from nlpviz.data.own_texts.sniff import MOST_CLASSES, label_column, text_column

__all__ = [
    "LONGEST_ROW",
    "MOST_CLASSES",
    "BadRow",
    "Opened",
    "OwnTextsError",
    "Row",
    "Source",
    "open_running",
    "open_source",
]

_SAMPLE = 500
"""Rows by which the columns are guessed."""


@dataclass
class Opened:
    """A file whose columns are known.

    Attributes:
        source: with what was guessed filled in.
        columns: their names.
        guesses: sentences that say what was guessed.
        format: the title of its format.
        bad: the first 1,000 bad rows of the last reading.
        bad_count: how many there were.
    """

    source: Source
    columns: tuple[str, ...]
    guesses: tuple[str, ...]
    format: str
    table: Table = field(repr=False)
    bad: list[BadRow] = field(default_factory=list)
    bad_count: int = 0

    def rows(self) -> Iterator[Row]:
        """Yield the rows from the beginning, in constant memory; bad ones are counted in ``bad_count``, and listed.

        Raises:
            OwnTextsError: if the file cannot be read any more, or is damaged further down.
        """
        self._begin()
        text, label = self.source.text, self.source.label
        for record in self.table.records():
            if isinstance(record, BadRow):
                self._refuse(record)
            else:
                fields = record.fields
                yield Row(record.number, fields[text], fields[label].strip() if label else "", fields)

    def running(self) -> Iterator[str]:
        """Yield the file as one text, piece by piece: lines, those of millions of characters in parts, cut at a blank.

        Of a file with columns each text is a line. Bad lines are counted and listed as :meth:`rows` does.

        Raises:
            OwnTextsError: if the file cannot be read any more, or is damaged further down.
        """
        if self.table.running is None:
            yield from (f"{' '.join(row.text.split())}\n" for row in self.rows())
            return
        self._begin()
        rest = ""
        for line in self.table.running():
            if line.why:
                self._refuse(BadRow(line.number, line.why))
                continue
            text = rest + line.text
            whole = text.endswith("\n") or (" " not in text and len(text) > LONGEST_ROW)
            end = len(text) if whole else text.rfind(" ") + 1
            rest = text[end:]
            if end:
                yield text[:end]
        if rest:
            yield rest

    def _begin(self) -> None:
        self.bad.clear()
        self.bad_count = 0

    def _refuse(self, bad: BadRow) -> None:
        self.bad_count += 1
        if len(self.bad) < LISTED:
            self.bad.append(bad)


def open_source(source: Source) -> Opened:
    """Return a file opened: its columns found, what was left open guessed.

    Raises:
        OwnTextsError: if it is not there, empty, of no known format, or has no such column.
    """
    start = beginning(source)
    kind, table = read_table(start)
    named = {role: find_column(table.columns, getattr(source, role)) for role in ("text", "label", "group", "time")}
    guesses = [*table.guesses, *(("Each line is one text.",) if table.running else ())]
    if not named["text"] or not named["label"]:
        sample = _sample(source, table)
        named["text"] = named["text"] or _text_column(table, named, sample, guesses)
        named["label"] = named["label"] or _label_column(table, named, sample, guesses)
    known = replace(source, **named, encoding=start.encoding, delimiter=table.delimiter)
    return Opened(known, table.columns, tuple(guesses), kind.title, table)


def open_running(source: Source) -> Opened:
    """Return a file opened to be read as one text: of its columns that of the texts alone is looked for.

    Raises:
        OwnTextsError: if it is not there, empty, of no known format, or has no such column.
    """
    start = beginning(source)
    kind, table = read_table(start)
    text, guesses = find_column(table.columns, source.text) or table.text, list(table.guesses)
    if not text:
        text = _text_column(table, {}, _sample(source, table), guesses)
    known = replace(source, text=text, label="", encoding=start.encoding, delimiter=table.delimiter)
    return Opened(known, table.columns, tuple(guesses), kind.title, table)


def find_column(columns: Sequence[str], name: str) -> str:
    """Return the column that is called ``name``, whatever its case; ``""`` for none.

    Raises:
        OwnTextsError: if there is none, naming those whose names are nearest.
    """
    from rapidfuzz import process

    if not name or name in columns:
        return name
    for column in columns:
        if column.strip().casefold() == name.strip().casefold():
            return column
    nearest = [column for column, _, _ in process.extract(name, columns, limit=3)]
    others = f", … ({len(columns):,} in total)" if len(columns) > len(nearest) else ""
    raise OwnTextsError(f"There is no column {name!r}; the closest names are {', '.join(map(repr, nearest))}{others}.")


def _sample(source: Source, table: Table) -> list[Mapping[str, str]]:
    """Return the first rows, by which columns are guessed."""
    good = (record.fields for record in table.records() if isinstance(record, Record))
    sample = list(islice(good, _SAMPLE))
    if not sample:
        raise OwnTextsError(f"{source.path} contains no readable rows.")
    return sample


def _text_column(
    table: Table, named: Mapping[str, str], sample: Sequence[Mapping[str, str]], guesses: list[str]
) -> str:
    """Return the column of the texts, and say which it is where the format does not."""
    if table.text:
        return table.text
    text = text_column([name for name in table.columns if name not in named.values()] or table.columns, sample)
    guesses.append(f"Text column: {text!r}.")
    return text


def _label_column(
    table: Table, named: Mapping[str, str], sample: Sequence[Mapping[str, str]], guesses: list[str]
) -> str:
    """Return the column of the labels, or ``""``, and say which it is where the format does not."""
    if table.label:
        return table.label
    taken = {named[role] for role in ("text", "group", "time")}
    label = label_column([name for name in table.columns if name not in taken], sample, named["text"])
    guesses.append(f"Label column: {label!r}." if label else "No column looks like labels.")
    return label
