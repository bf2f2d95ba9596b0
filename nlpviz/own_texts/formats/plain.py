"""Plain text: a text a line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from nlpviz.own_texts.formats import Beginning, Format, Table
from nlpviz.own_texts.lines import read_lines
from nlpviz.own_texts.rows import BadRow, Record
from nlpviz.own_texts.unpacking import unpacked


def _tells(start: Beginning) -> bool:
    return start.is_text


def _read(start: Beginning) -> Table:
    return Table(("text",), partial(_records, start), ("Each line is a text.",), "text")


def _records(start: Beginning) -> Iterator[Record | BadRow]:
    with unpacked(start.path) as stream:
        for line in read_lines(stream, start.encoding):
            if line.why:
                yield BadRow(line.number, line.why)
            else:
                yield Record(line.number, {"text": line.text.rstrip("\n")})


FORMAT = Format("plain", "text, one a line", 40, _tells, _read)
