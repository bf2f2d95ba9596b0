"""Word vectors as text, one word per line: word2vec's and gensim's, fastText's ``.vec``, GloVe's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

import numpy as np

from nlpviz.word_vectors.formats.limits import FormatError, Layout, Limits, Rows, in_mib, usable
from nlpviz.word_vectors.formats.sniff import HEAD, is_number
from nlpviz.word_vectors.lookup import shown

_AS_TEXT = 16
"""Text takes at most so many times the bytes of the numbers that it writes down: more, unpacked, is no vectors."""


def read_text(name: str, opened: Callable[[], BinaryIO], layout: Layout, limits: Limits) -> Rows:
    """Return the words of a text file; the lines are counted first, so that the table has its size from the start.

    A word may hold spaces, as in GloVe's largest file: a line's last D fields are its numbers.

    Raises:
        FormatError: if a line is malformed, by its number; if the first line's promise is not kept; if it is too large.
    """
    first = 1 if layout.words is None else 2
    with opened() as stream:
        lines = _count(name, stream, layout, limits)
    if layout.words is not None and layout.words > lines:
        raise FormatError(
            f"The first line of {name} declares {layout.words:,} words of {layout.dimensions:,} numbers, "
            f"but {lines:,} {'line follows' if lines == 1 else 'lines follow'}."
        )
    rows = Rows(limits.table(name, lines if layout.words is None else layout.words, layout.dimensions))
    read = 0
    with opened() as stream, np.errstate(over="ignore"):
        stream.seek(layout.start)
        for number, line in _lines(name, stream, first):
            if rows.full or read == layout.words:
                _check_end(name, layout, limits, number, rows)
                break
            _take(f"Line {number:,} of {name}", line, layout.dimensions, rows)
            read += 1
    if layout.words is not None and read < layout.words and not rows.full:
        raise FormatError(f"The first line of {name} declares {layout.words:,} words, but the file contains {read:,}.")
    return rows


def _check_end(name: str, layout: Layout, limits: Limits, number: int, rows: Rows) -> None:
    """Refuse a file that goes on, unless only its first words were wanted."""
    if limits.most_words is None or len(rows.words) < limits.most_words:
        raise FormatError(
            f"{name} continues in line {number:,}, after the {layout.words:,} words that its first line declares."
        )


def _take(where: str, line: bytes, dimensions: int, rows: Rows) -> None:
    """Put the word and the numbers of one line into their row."""
    spelt, *numbers = line.rsplit(b" ", dimensions)
    values = _values(numbers) if len(numbers) == dimensions else None
    if values is None or b" " in spelt:
        spelt, numbers = _parted(where, line, dimensions)
        values = _values(numbers)
    if not spelt:
        raise FormatError(f"{where} begins with a space instead of a word.")
    if values is None:
        wrong = next(field for field in numbers if not is_number(field))
        raise FormatError(f"{where} contains {shown(wrong.decode('utf-8', 'replace'))} instead of a number.")
    if not usable(values):
        raise FormatError(f"{where} contains a number that is not finite or too large.")
    room = rows.next(spelt)
    if room is not None:
        room[:] = values


def _values(numbers: list[bytes]) -> np.ndarray | None:
    """Return the fields as single-precision numbers, or None if one is none."""
    try:
        return np.array(numbers, dtype=np.float32)
    except ValueError:
        return None


def _parted(where: str, line: bytes, dimensions: int) -> tuple[bytes, list[bytes]]:
    """Return the word and the numbers of a line that is not plainly a word, a space and numbers with spaces between.

    Raises:
        FormatError: if it holds more or fewer numbers than others.
    """
    fields = line.replace(b"\t", b" ").split(b" ")
    fields = [fields[0], *(field for field in fields[1:] if field)]
    spelt, numbers = fields[:-dimensions], fields[-dimensions:]
    many = next(
        (position for position, field in enumerate(reversed(fields[1:])) if not is_number(field)), len(fields) - 1
    )
    if len(spelt) == 1 or (spelt and many == dimensions):
        return b" ".join(spelt), numbers
    raise FormatError(f"{where} has {many:,} numbers, but the first line has {dimensions:,}.")


def _lines(name: str, stream: BinaryIO, first: int) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not empty, without what ends them, and their numbers."""
    number = first
    while line := stream.readline(HEAD):
        if len(line) == HEAD and not line.endswith(b"\n"):
            raise FormatError(f"Line {number:,} of {name} is longer than {in_mib(HEAD)}.")
        line = line.rstrip(b" \t\r\n")
        if line:
            yield number, line
        number += 1


def _count(name: str, stream: BinaryIO, layout: Layout, limits: Limits) -> int:
    """Return how many lines hold words, at most; an empty line at the end is none.

    Raises:
        FormatError: if the text is larger than any that vectors of the largest size would make.
    """
    stream.seek(layout.start)
    lines = total = 0
    block = b"\n"
    last = block
    while block := stream.read(HEAD):
        lines += block.count(b"\n")
        total += len(block)
        last = block
        if limits.most_words is not None and lines > limits.most_words and layout.words is None:
            return lines
        if total > _AS_TEXT * limits.largest_bytes and limits.most_words is None:
            raise FormatError(f"{name} is larger than {in_mib(_AS_TEXT * limits.largest_bytes)}. Read fewer words.")
    return lines + (not last.endswith(b"\n"))
