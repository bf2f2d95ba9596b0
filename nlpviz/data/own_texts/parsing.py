"""Lines with delimiters become rows of cells; one that breaks the rules spoils no other."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from nlpviz.data.own_texts.lines import Line
from nlpviz.data.own_texts.rows import LONGEST_ROW, BadRow

MOST_LINES = 10_000
"""Lines that the cells of one row may run over."""

_OPEN = "has an unclosed quotation mark"

csv.field_size_limit(LONGEST_ROW)  # 128 KiB unless said, for all of Python; lines are bounded before they get here


class Cells(NamedTuple):
    """The cells of a row, and the number of the line at which it begins."""

    number: int
    cells: list[str]


class _Broken(Exception):  # noqa: N818 (it never leaves this module)
    """The lines that were read make no row; the message says why."""


class _Lines:
    """Lines of which those that were read too far are read once more."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self._lines = lines
        self._again: deque[Line] = deque()
        self.row: list[Line] = []
        """The lines of the row that is being read."""

    def read(self) -> Iterator[str]:
        """Yield the text of the lines that make the next row, as far as it goes on."""
        self.row = []
        size = 0
        while (line := self._again.popleft() if self._again else next(self._lines, None)) is not None:
            self.row.append(line)
            size += len(line.text)
            if line.why:
                raise _Broken(line.why if len(self.row) == 1 else f"continues on a line that {line.why}")
            if size > LONGEST_ROW or len(self.row) > MOST_LINES:
                raise _Broken(_OPEN)
            yield line.text

    def go_on_after_first(self) -> None:
        """Have the lines after the first one of the row read again."""
        self._again.extendleft(reversed(self.row[1:]))


def parse_rows(lines: Iterator[Line], delimiter: str, width: int) -> Iterator[Cells | BadRow]:
    """Yield rows, and the bad ones where they stand; blank lines are none.

    Args:
        lines: as they are read.
        delimiter: what parts the cells.
        width: cells in a row; 0 for any number.
    """
    source = _Lines(lines)
    while True:
        try:
            cells = next(csv.reader(source.read(), delimiter=delimiter, strict=True), None)
        except (csv.Error, _Broken) as problem:
            cells, broken = [], _said(problem)
        else:
            if cells is None:
                return
            if not cells:
                continue
            cells = _without_extra(cells, width)
            broken = _wrong(source, cells, delimiter, width)
        if broken:
            source.go_on_after_first()
            yield _as_it_stands(source.row[0], delimiter, width) or BadRow(source.row[0].number, broken)
        else:
            yield Cells(source.row[0].number, cells)


def _without_extra(cells: list[str], width: int) -> list[str]:
    """Return the cells without empty ones beyond the last column, which spreadsheets leave."""
    while width and len(cells) > width and not cells[-1]:
        cells = cells[:-1]
    return cells


def _wrong(source: _Lines, cells: list[str], delimiter: str, width: int) -> str:
    """Return what is wrong with a row whose cells were read; ``""`` for nothing."""
    if width and len(cells) != width:
        return f"has {len(cells):,} {'cell' if len(cells) == 1 else 'cells'} instead of {width:,}"
    if delimiter == "\t" and len(source.row) > 1 and all(line.text.count("\t") == width - 1 for line in source.row):
        return _OPEN  # each of its lines is a whole row, and the quotation marks are the texts' own
    return ""


def _as_it_stands(line: Line, delimiter: str, width: int) -> Cells | None:
    """Return a row of tab-separated cells that nobody quoted; None where it is none."""
    cells = line.text.removesuffix("\n").split("\t")
    return Cells(line.number, cells) if delimiter == "\t" and not line.why and len(cells) == width else None


def _said(problem: Exception) -> str:
    """Return what is wrong with a row, as half a sentence."""
    if not isinstance(problem, csv.Error):
        return str(problem)
    return _OPEN if "unexpected end" in str(problem) else "has an unescaped quotation mark within a cell"
