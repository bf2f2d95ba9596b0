"""The formats of a user's file, one per module: each detects its files from their content, and reads them row by row.

A module of this package that defines a constant ``FORMAT`` of type :class:`Format` is found by :func:`formats`; nothing
else lists it. The first that tells a file as its own, in their order, reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from nlpviz.data.own_texts.lines import HEAD, Line, check_encoding, encoding_said, guess_encoding
from nlpviz.data.own_texts.rows import BadRow, OwnTextsError, Record, Source
from nlpviz.data.own_texts.unpacking import inner_name, unpacked
from nlpviz.discovery import discover


class Beginning(NamedTuple):
    """What is known of a file before it is read.

    Attributes:
        path: where it is.
        name: of what it holds, unpacked.
        head: its first bytes, unpacked; empty for a folder.
        encoding: as named or guessed; ``""`` for UTF-8 and Windows-1252 line by line.
        source: what a person said.
    """

    path: Path
    name: str
    head: bytes
    encoding: str
    source: Source

    @property
    def text(self) -> str:
        """The first lines as text, the last one perhaps cut; what cannot be read is replaced."""
        return self.head.decode(self.encoding or "utf-8-sig", "replace")

    @property
    def is_text(self) -> bool:
        """Whether it may be text: but for UTF-16 and UTF-32, no text holds a zero byte."""
        return bool(self.head) and (b"\x00" not in self.head or self.encoding.startswith(("utf-16", "utf-32")))

    @property
    def lines(self) -> list[str]:
        """The first lines that are whole; the only one, whole or not."""
        lines = self.text.splitlines()
        return lines[:-1] if len(lines) > 1 and len(self.head) == HEAD else lines


@dataclass(frozen=True)
class Table:
    """A file as one of the formats reads it.

    Attributes:
        columns: their names.
        records: reads the file from its beginning, rows and bad rows as they stand.
        guesses: sentences that say what was guessed of it.
        text: the column of the texts, where the format has one.
        label: that of the labels, likewise.
        delimiter: what parts its columns.
        running: reads the file as one text, a line or a piece of a long one at a time, where its format is one text.
    """

    columns: tuple[str, ...]
    records: Callable[[], Iterator[Record | BadRow]]
    guesses: tuple[str, ...] = ()
    text: str = ""
    label: str = ""
    delimiter: str = ""
    running: Callable[[], Iterator[Line]] | None = None


@dataclass(frozen=True)
class Format:
    """A format.

    Attributes:
        name: its name.
        title: what people call it.
        order: in which formats look at a file.
        tells: whether a file is of it.
        read: returns the table that such a file is.
        bytes_only: whether a file is no text, and so has no encoding.
    """

    name: str
    title: str
    order: int
    tells: Callable[[Beginning], bool]
    read: Callable[[Beginning], Table]
    bytes_only: bool = field(default=False, kw_only=True)


def formats() -> list[Format]:
    """Return every format, in the order in which they look at a file."""
    return sorted(discover("nlpviz.data.own_texts.formats", "FORMAT", Format).values(), key=lambda one: one.order)


def beginning(source: Source) -> Beginning:
    """Return what is known of a file before it is read.

    Raises:
        OwnTextsError: if it is not there, empty, or cannot be read.
    """
    path = Path(source.path).expanduser()
    if path.is_dir():
        return Beginning(path, path.name, b"", "", source)
    if not path.is_file():
        raise OwnTextsError(f"There is no file {source.path}.")
    with unpacked(path) as stream:
        head = stream.read(HEAD)
    if not head.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise OwnTextsError(f"{source.path} is empty.")
    encoding = check_encoding(source.encoding) if source.encoding else guess_encoding(head)
    return Beginning(path, inner_name(path), head, encoding, source)


def read_table(start: Beginning) -> tuple[Format, Table]:
    """Return the format of a file, and the table that it is.

    Raises:
        OwnTextsError: if it is none of them, or damaged.
    """
    for one in formats():
        if one.tells(start):
            table = one.read(start)
            said = () if one.bytes_only or start.source.encoding else (encoding_said(start.head, start.encoding),)
            return one, replace(table, guesses=(*said, *table.guesses))
    titles = ", ".join(one.title for one in formats())
    raise OwnTextsError(f"{start.source.path} is not a text file; supported formats: {titles}.")
