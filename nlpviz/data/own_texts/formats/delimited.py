"""CSV and TSV: columns parted by one sign, quoted where need be.

RFC 4180 (2005), *Common Format and MIME Type for CSV Files*, with any sign between the columns. A row that breaks the
rules is a bad row, and reading goes on in the line after its first: a quotation mark that nothing closes loses one row,
not the rest of the file. Of tab-separated rows many are written without quoting; those are read as they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from nlpviz.data.own_texts.formats import Beginning, Format, Table
from nlpviz.data.own_texts.lines import Line, read_lines
from nlpviz.data.own_texts.parsing import Cells, parse_rows
from nlpviz.data.own_texts.rows import BadRow, OwnTextsError, Record
from nlpviz.data.own_texts.sniff import has_header
from nlpviz.data.own_texts.unpacking import unpacked

_SUFFIXES = (".csv", ".tsv", ".tab")
_DELIMITERS = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "vertical bar"}
_LOOKED_AT = 200
"""Rows by which delimiter and header are guessed."""


def _tells(start: Beginning) -> bool:
    if not start.is_text:
        return False
    named = start.name.lower().endswith(_SUFFIXES) or bool(start.source.delimiter)
    return named or (len(start.lines) > 1 and _agreement(_first_rows(start, "\t")) >= 0.95)


def _read(start: Beginning) -> Table:
    guesses = []
    if start.source.delimiter:
        delimiter = _named(start.source.delimiter)
    else:
        delimiter = max(_DELIMITERS, key=lambda one: _agreement(_first_rows(start, one)))
        guesses.append(f"Column delimiter: {_DELIMITERS[delimiter]}.")
    rows = _first_rows(start, delimiter)
    if not rows:
        raise OwnTextsError(f"{start.source.path} has no readable row in its first lines.")
    header = has_header(rows)
    columns = tuple(cell.strip() for cell in rows[0]) if header else tuple(str(1 + at) for at in range(len(rows[0])))
    if not header:
        guesses.append(f"The first line is not a header, so the columns are named {columns[0]} to {columns[-1]}.")
    if len(set(columns)) < len(columns):
        twice = next(name for name in columns if columns.count(name) > 1)
        raise OwnTextsError(f"{start.source.path} has two columns named {twice!r}. Rename one of them.")
    return Table(
        columns,
        partial(_records, start, columns, delimiter=delimiter, header=header),
        tuple(guesses),
        delimiter=delimiter,
    )


def _records(start: Beginning, columns: tuple[str, ...], *, delimiter: str, header: bool) -> Iterator[Record | BadRow]:
    with unpacked(start.path) as stream:
        rows = parse_rows(read_lines(stream, start.encoding), delimiter, len(columns))
        if header:
            next(rows, None)
        for row in rows:
            if isinstance(row, BadRow):
                yield row
            else:
                yield Record(row.number, dict(zip(columns, row.cells, strict=True)))


def _named(delimiter: str) -> str:
    """Return the delimiter that a person named; a tab may be spelt out.

    Raises:
        OwnTextsError: if it is not one sign, or one that cannot part columns.
    """
    delimiter = {"\\t": "\t", "tab": "\t"}.get(delimiter, delimiter)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise OwnTextsError(
            f"{delimiter!r} is not a valid delimiter. Use a single character such as ',' or the word 'tab'."
        )
    return delimiter


def _first_rows(start: Beginning, delimiter: str) -> list[list[str]]:
    """Return the cells of the first rows that can be read."""
    lines = (Line(number, f"{line}\n") for number, line in enumerate(start.lines, start=1))
    return [row.cells for row in _first(parse_rows(lines, delimiter, 0))]


def _first(rows: Iterable[Cells | BadRow]) -> Iterator[Cells]:
    for _, row in zip(range(_LOOKED_AT), rows, strict=False):
        if isinstance(row, Cells):
            yield row


def _agreement(rows: list[list[str]]) -> float:
    """Return what share of rows has as many cells as the first one, if that is more than one; else 0."""
    if not rows or len(rows[0]) < 2:
        return 0.0
    return sum(len(row) == len(rows[0]) for row in rows) / len(rows)


FORMAT = Format("delimited", "CSV or TSV", 30, _tells, _read)
