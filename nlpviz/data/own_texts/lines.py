"""A file's lines as text, whatever its encoding, none of them longer than a row may be.

Where no encoding is named, a file that begins like UTF-16 is read as that, and each line of any other as UTF-8 if it is
that and else as Windows-1252: files that were put together from several have both.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from typing import IO, NamedTuple

from nlpviz.data.own_texts.rows import LONGEST_ROW, OwnTextsError

HEAD = 2**16
"""Bytes at which a file is looked at before it is read."""
FALLBACK = "cp1252"

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_REPLACED = "\ufffd"


class Line(NamedTuple):
    """A line.

    Attributes:
        number: from 1.
        text: with the line feed that ends it; ``""`` where it cannot be read.
        why: why not, else ``""``.
        fallback: whether it was read as Windows-1252 since it is not UTF-8.
    """

    number: int
    text: str
    why: str = ""
    fallback: bool = False


def guess_encoding(head: bytes) -> str:
    """Return the encoding of a file by its first bytes; ``""`` for UTF-8, line by line with Windows-1252 beside it."""
    for mark, name in _BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            return name
    odd, even = head[1::2].count(0), head[::2].count(0)
    name = "utf-16-le" if odd > even else "utf-16-be"
    likely = len(head) >= 4 and max(odd, even) > len(head) // 5
    return name if likely and not _CONTROL.search(head.decode(name, "replace")) else ""


def check_encoding(name: str) -> str:
    """Return ``name`` if Python knows such an encoding of text.

    Raises:
        OwnTextsError: if it does not.
    """
    try:
        "".encode(name)
    except (LookupError, ValueError):
        raise OwnTextsError(f"There is no encoding {name!r}; examples: utf-8, utf-16, cp1252 and latin-1.") from None
    return name


def encoding_said(head: bytes, encoding: str) -> str:
    """Return a sentence that says how a file is read for which nobody named an encoding."""
    if encoding:
        return f"Encoding: {encoding.upper()}."
    lines = head.split(b"\n")[:-1] or [head]
    other = sum(_decoded(line, "utf-8") is None for line in lines)
    if not other:
        return "Encoding: UTF-8."
    return f"Encoding: {other:,} of the first {len(lines):,} lines are not UTF-8 and are read as Windows-1252."


def read_lines(
    stream: IO[bytes], encoding: str, longest: int = LONGEST_ROW, *, in_pieces: bool = False
) -> Iterator[Line]:
    """Yield the lines of ``stream`` in constant memory; carriage returns end a line, too.

    Args:
        stream: bytes, unpacked.
        encoding: as named or guessed; ``""`` for UTF-8 and Windows-1252 line by line.
        longest: characters of a line; the rest of a longer one is passed over.
        in_pieces: yields a longer line in pieces of that length instead; only the last piece ends in a line feed.
    """
    kept = "surrogateescape" if not encoding else "replace"
    text = io.TextIOWrapper(stream, encoding or "utf-8-sig", errors=kept)  # which passes over a byte order mark
    try:
        number, ended = 0, True
        while line := text.readline(longest + 1):
            number += ended
            ended = not in_pieces or line.endswith("\n")
            if not in_pieces and len(line) > longest and not line.endswith("\n"):
                while (rest := text.readline(longest)) and not rest.endswith("\n"):
                    pass
                yield Line(number, "", f"is longer than {longest:,} characters")
            elif not encoding and not _is_text(line):
                yield _as_fallback(number, line)
            elif encoding and _REPLACED in line:
                yield Line(number, "", f"contains bytes that are not {encoding.upper()}")
            else:
                yield Line(number, line)
    finally:
        if not stream.closed:  # by whoever opened it, where not all is read
            text.detach()


def _is_text(line: str) -> bool:
    """Return whether all bytes of a line were UTF-8; others are surrogates now, which no UTF-8 holds."""
    try:
        line.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_fallback(number: int, line: str) -> Line:
    """Return a line that is not UTF-8, read as Windows-1252."""
    text = _decoded(line.encode("utf-8", "surrogateescape"), FALLBACK)
    if text is None:
        return Line(number, "", "contains bytes that are neither UTF-8 nor Windows-1252")
    return Line(number, text, fallback=True)


def _decoded(line: bytes, encoding: str) -> str | None:
    try:
        return line.decode(encoding)
    except UnicodeDecodeError:
        return None
