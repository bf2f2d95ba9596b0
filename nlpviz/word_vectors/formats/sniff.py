"""The format of a file of word vectors, detected from its content, not its name."""

from __future__ import annotations

import re

from nlpviz.word_vectors.formats.limits import FormatError, Layout
from nlpviz.word_vectors.lookup import shown

HEAD = 1 << 20
"""Bytes from a file's beginning that are looked at; no line is longer."""

_FOREIGN = {
    b"PK\x03\x04": "a zip archive (as written by torch). Unpack it if it contains vectors as text",
    b"\x93NUMPY": "a NumPy array without words",
    b"\x89HDF": "an HDF5 file",
    b"\xba\x16\x4f\x2f": "a fastText model (.bin). Read the accompanying .vec file instead",
    b"%PDF": "a PDF document",
    b"<": "an HTML or XML page",
    b"{": "a JSON file",
    b"SQLite": "a database",
}
_HEADER = re.compile(rb"[ \t]*(\d{1,18})[ \t]+(\d{1,18})[ \t]*\r?\n")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")


def tell(name: str, head: bytes) -> Layout:
    """Return the layout of a file, detected from its beginning.

    Raises:
        FormatError: if it is not a file of word vectors, with its actual format where known.
    """
    if not head:
        raise FormatError(f"{name} is empty.")
    if head[:1] == b"\x80" and head[1:2] <= b"\x05":
        raise FormatError(
            f"{name} is a pickle. Pickles are never read, because they can run arbitrary code. "
            "Save the vectors with gensim’s save_word2vec_format instead."
        )
    skipped = 3 if head.startswith(b"\xef\xbb\xbf") else 0
    header = _HEADER.match(head, skipped)
    if header is not None:
        return _with_header(name, head, header)
    for magic, what in _FOREIGN.items():
        if head.startswith(magic, skipped) and not (magic in b"<{" and _dimensions(_first_line(head, skipped))):
            raise FormatError(f"{name} is {what}.")
    line = _first_line(head, skipped)
    dimensions = 0 if _CONTROL.search(head) else _dimensions(line)
    if dimensions < 2:
        raise FormatError(
            f"{name} is not a file of word vectors: line 1 is {shown(line[:200].decode('utf-8', 'replace'))}, "
            "neither two integers nor a word with its vector."
        )
    return Layout("GloVe text", binary=False, words=None, dimensions=dimensions, start=skipped)


def is_number(field: bytes) -> bool:
    """Return whether a field of a line is a number."""
    try:
        float(field)
    except ValueError:
        return False
    return True


def _with_header(name: str, head: bytes, header: re.Match[bytes]) -> Layout:
    """Return the layout of a file whose first line holds the numbers of words and dimensions."""
    words, dimensions = int(header[1]), int(header[2])
    if not words or not dimensions:
        raise FormatError(
            f"The first line of {name} declares {words:,} words of {dimensions:,} numbers, so there is nothing to read."
        )
    _, _, first = head[header.end() :].partition(b" ")
    binary = any(byte >= 0x7F or byte < 0x09 or 0x0E <= byte < 0x20 for byte in first[: 4 * dimensions])
    if binary and _dimensions(_first_line(head, header.end())) == dimensions:
        binary = False  # the first word is in another script: the line is text all the same
    title = "word2vec binary" if binary else "word2vec text"
    return Layout(title, binary, words, dimensions, header.end())


def _first_line(head: bytes, start: int) -> bytes:
    """Return the line that begins at ``start``."""
    return head[start:].partition(b"\n")[0]


def _dimensions(line: bytes) -> int:
    """Return how many numbers a line ends with, its first field aside."""
    fields = line.split()
    return next(
        (position for position, field in enumerate(reversed(fields[1:])) if not is_number(field)),
        max(len(fields) - 1, 0),
    )
