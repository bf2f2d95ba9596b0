"""Texts with the words that people marked in them, read from the user's file, row by row.

There are two forms, recognised by their columns:

* ``text``, ``label`` and ``spans``: CSV, TSV, JSON lines or Parquet; spans are ``[[start, end], …]`` in characters, the
  end not among them. In a file without types they are written as JSON.
* ERASER's (DeYoung et al. 2020): JSON lines with ``annotation_id``, ``classification`` and ``evidences``, whose
  ``start_token`` and ``end_token`` count words between blanks. A document stands in the row (``document`` or ``text``)
  or beside the file, in the folder ``docs`` under its ``docid``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from nlpviz.data.own_texts import Opened, OwnTextsError, Source, open_running
from nlpviz.data.own_texts.rows import LISTED, LONGEST_ROW, BadRow, UsableRows, listed
from nlpviz.results.rationales import Marked
from nlpviz.text.vocabulary import shortened, tokenize

SIMPLE, ERASER = ("text", "label", "spans"), ("annotation_id", "classification", "evidences")
"""The columns by which the two forms are recognised."""
MOST_ROWS = 1_000
"""Rows that are read of a file, unless fewer are asked for."""
_DOCUMENTS = "docs"  # ERASER's folder

Span = tuple[int, int]


class _Unusable(Exception):  # noqa: N818 (it never leaves this module)
    """A row that is no marked text; the message is half a sentence that goes on after "row 17"."""


def read_rationales(source: Source, most: int = MOST_ROWS) -> UsableRows[Marked]:
    """Return the marked texts of a file; a row that is none is a bad row, and the others are used.

    Raises:
        OwnTextsError: if the file cannot be read, has neither form's columns, or holds no marked text.
    """
    opened = open_running(source)
    path = Path(source.path).expanduser()
    columns = {name.strip().casefold(): name for name in opened.columns}
    if set(SIMPLE) <= set(columns):
        form, convert = "text, label, spans", _simple
    elif set(ERASER) <= set(columns):
        form, convert = "ERASER", _eraser
    else:
        raise OwnTextsError(_says_columns(path.name, opened))
    marked: list[Marked] = []
    bad: list[BadRow] = []
    rows = opened.rows()
    for row in islice(rows, most):
        fields = {name: row.fields.get(column, "") for name, column in columns.items()}
        try:
            marked.append(_checked(convert(row.number, fields, path.parent)))
        except _Unusable as problem:
            bad.append(BadRow(row.number, str(problem)))
    cut = most if next(rows, None) is not None else 0
    first_bad = tuple(sorted([*bad, *opened.bad])[:LISTED])
    if not marked:
        raise OwnTextsError(f"{path.name} contains no usable annotated texts: {listed(first_bad) or 'it is empty'}.")
    return UsableRows(path.name, form, tuple(marked), first_bad, len(bad) + opened.bad_count, cut)


def _says_columns(file: str, opened: Opened) -> str:
    there = ", ".join(repr(shortened(name)) for name in opened.columns[:8])
    return (
        f"{file} contains no rationales. It needs the columns text, label and spans, or annotation_id, "
        f"classification and evidences in ERASER format. Columns found: {there}."
    )


def _checked(one: Marked) -> Marked:
    """Return a marked text; refuse one without words, label or spans, or with a span that lies beyond it."""
    if not tokenize(one.text):
        raise _Unusable("has no words in its text")
    if not one.label:
        raise _Unusable("has no label")
    if not one.spans:
        raise _Unusable("has no marked span")
    for start, end in one.spans:
        if not 0 <= start < end <= len(one.text):
            raise _Unusable(
                f"marks characters {start} to {end}, but a span must be non-empty and lie within "
                f"the {len(one.text):,} characters"
            )
    return one


# ------------------------------------------------------------------------------------------------- text, label, spans


def _simple(number: int, fields: Mapping[str, str], folder: Path) -> Marked:  # noqa: ARG001 - the other form has one
    """Return a row of the simple form."""
    spans = _json(fields["spans"])
    if not isinstance(spans, list) or not all(_is_span(span) for span in spans):
        raise _Unusable("has spans that are not a list of [start, end] integers")
    return Marked(number, fields["text"], fields["label"].strip(), tuple((start, end) for start, end in spans))


def _is_span(span: object) -> bool:
    return isinstance(span, list) and len(span) == 2 and all(type(end) is int for end in span)


def _json(value: str) -> object:
    """Return what a cell says in JSON; None where it is none, or too deep."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


# ------------------------------------------------------------------------------------------------------------- ERASER


def _eraser(number: int, fields: Mapping[str, str], folder: Path) -> Marked:
    """Return a row of ERASER's form: its evidences are groups of pieces of one document."""
    groups = _json(fields["evidences"])
    if not isinstance(groups, list):
        raise _Unusable("has evidences that are not a list")
    pieces = [piece for group in groups for piece in (group if isinstance(group, list) else [group])]
    if not all(isinstance(piece, dict) for piece in pieces):
        raise _Unusable("has an evidence that is not an object")
    names = {str(piece.get("docid") or fields["annotation_id"]) for piece in pieces} or {fields["annotation_id"]}
    if len(names) > 1:
        raise _Unusable(f"has evidence in {len(names)} documents instead of one")
    text = fields.get("document") or fields.get("text") or _document(folder, names.pop())
    words = [match.span() for match in re.finditer(r"\S+", text)]
    spans = tuple(_of_words(words, piece.get("start_token"), piece.get("end_token")) for piece in pieces)
    return Marked(number, text, fields["classification"].strip(), spans)


def _of_words(words: list[Span], start: object, end: object) -> Span:
    """Return from which character to which the words from ``start`` up to ``end`` reach."""
    if type(start) is not int or type(end) is not int:
        raise _Unusable("has an evidence without start_token and end_token")
    if not 0 <= start < end <= len(words):
        raise _Unusable(
            f"marks words {start} to {end}, but a span must be non-empty and lie within the {len(words):,} words"
        )
    return words[start][0], words[end - 1][1]


def _document(folder: Path, name: str) -> str:
    """Return a document beside the file; nothing outside ERASER's folder is read."""
    home = (folder / _DOCUMENTS).resolve()
    try:
        path = (home / name).resolve()
        if not path.is_relative_to(home) or not path.is_file() or path.stat().st_size > LONGEST_ROW:
            raise _Unusable(f"needs {shortened(name)!r}, which is not in the folder {_DOCUMENTS} next to the file")
        return path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        raise _Unusable(f"needs {shortened(name)!r}, which cannot be read") from None
