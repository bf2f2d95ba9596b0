"""JSON lines: an object a line, its keys the columns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from nlpviz.data.own_texts.formats import Beginning, Format, Table
from nlpviz.data.own_texts.lines import Line, read_lines
from nlpviz.data.own_texts.rows import BadRow, OwnTextsError, Record, as_text
from nlpviz.data.own_texts.unpacking import unpacked

_SUFFIXES = (".jsonl", ".ndjson", ".json")


def _tells(start: Beginning) -> bool:
    named = start.name.lower().endswith(_SUFFIXES)
    return start.is_text and (named or isinstance(_object(start.text.lstrip().partition("\n")[0]), dict))


def _read(start: Beginning) -> Table:
    if start.text.lstrip().startswith("["):
        raise OwnTextsError(
            f"{start.source.path} is a single JSON list, which cannot be read line by line. Write one object "
            "per line, for example with `jq -c '.[]'`."
        )
    objects = [found for line in start.lines if isinstance(found := _object(line), dict)]
    if not objects:
        raise OwnTextsError(f"{start.source.path} has no JSON object in its first lines. Write one object per line.")
    columns = tuple(dict.fromkeys(str(key) for one in objects for key in one))
    return Table(columns, partial(_records, start, columns))


def _records(start: Beginning, columns: tuple[str, ...]) -> Iterator[Record | BadRow]:
    with unpacked(start.path) as stream:
        for line in read_lines(stream, start.encoding):
            if line.why:
                yield BadRow(line.number, line.why)
            elif line.text.strip():
                yield _record(line, columns)


def _record(line: Line, columns: tuple[str, ...]) -> Record | BadRow:
    read = _object(line.text)
    if not isinstance(read, dict):
        return BadRow(line.number, "is not a JSON object")
    return Record(line.number, {name: as_text(read.get(name)) for name in columns})


def _object(line: str) -> object:
    """Return what a line says in JSON; None where it is none, or too deep."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


FORMAT = Format("jsonl", "JSON lines", 20, _tells, _read)
