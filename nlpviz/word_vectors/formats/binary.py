"""Word vectors in word2vec's binary format: a word, a space, D numbers in single precision, and so on."""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np

from nlpviz.word_vectors.formats.limits import FormatError, Layout, Limits, Rows, usable
from nlpviz.word_vectors.lookup import shown

_LONGEST_WORD = 10_000
"""Bytes."""
_GIVEN_BACK = 64 << 20
"""Bytes of the mapped file that are read before they are given back."""


def read_binary(path: Path, layout: Layout, limits: Limits) -> Rows:
    """Return the words of a binary file, which is mapped into memory: only the table of the vectors is filled.

    Raises:
        FormatError: if the first line promises more than the file can hold, it ends too early or too late, or a number
            is not finite.
    """
    name, size = path.name, 4 * layout.dimensions
    words = layout.words or 0
    there = path.stat().st_size - layout.start
    if words * (size + 1) > there:
        raise FormatError(
            f"The first line of {name} declares {words:,} words of {layout.dimensions:,} numbers, "
            f"more than fit into its {there:,} bytes. The file is truncated or damaged."
        )
    rows = Rows(limits.table(name, words, layout.dimensions))
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        at, returned, taken = layout.start, 0, 0
        while taken < words and not rows.full:
            taken += 1
            at = _take(f"Word {taken:,} of {name}", mapped, at, size, rows)
            if at - returned > _GIVEN_BACK:
                returned = _give_back(mapped, returned, at)
        if taken == words and mapped[at : at + size].strip(b"\r\n"):
            raise FormatError(
                f"{name} continues after the {words:,} words that its first line declares. The file is damaged."
            )
    return rows


def _take(where: str, mapped: mmap.mmap, at: int, size: int, rows: Rows) -> int:
    """Put one word and its numbers into their row; return where the next one begins."""
    space = mapped.find(b" ", at, at + _LONGEST_WORD)
    if space < 0:
        raise FormatError(f"{where} has no end. The file is truncated or damaged.")
    spelt = mapped[at:space].lstrip(b"\r\n")
    end = space + 1 + size
    if end > len(mapped):
        raise FormatError(f"{where}{_spelling(spelt)} has an incomplete vector. The file is truncated or damaged.")
    values = np.frombuffer(mapped[space + 1 : end], dtype="<f4")
    if not usable(values):
        raise FormatError(f"{where}{_spelling(spelt)} has a number that is not finite or too large.")
    room = rows.next(spelt)
    if room is not None:
        room[:] = values
    return end


def _spelling(spelt: bytes) -> str:
    """Return what a sentence calls a word, nothing where its bytes are no text."""
    try:
        return f", {shown(spelt.decode('utf-8'))},"
    except UnicodeDecodeError:
        return ""


def _give_back(mapped: mmap.mmap, start: int, end: int) -> int:
    """Let the system take back the memory of what was read of a mapped file, where it can; return up to where."""
    end -= end % mmap.PAGESIZE
    if hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED, start, end - start)
    return end
