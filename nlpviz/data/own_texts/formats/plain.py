"""Plain text: a text a line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from nlpviz.data.own_texts.formats import Beginning, Format, Table
from nlpviz.data.own_texts.lines import Line, read_lines
from nlpviz.data.own_texts.rows import BadRow, Record
from nlpviz.data.own_texts.unpacking import unpacked


def _tells(start: Beginning) -> bool:
    return start.is_text


def _read(start: Beginning) -> Table:
    running = partial(_running, start)
    return Table(("text",), partial(_records, start), text="text", running=running)


def _records(start: Beginning) -> Iterator[Record | BadRow]:
    with unpacked(start.path) as stream:
        for line in read_lines(stream, start.encoding):
            if line.why:
                yield BadRow(line.number, line.why)
            else:
                yield Record(line.number, {"text": line.text.rstrip("\n")})


def _running(start: Beginning) -> Iterator[Line]:
    with unpacked(start.path) as stream:
        yield from read_lines(stream, start.encoding, in_pieces=True)


FORMAT = Format("plain", "plain text, one text per line", 40, _tells, _read)
