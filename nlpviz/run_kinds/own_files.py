"""What a person hands over to be measured: files of one text a line, words, questions; and how they are refused."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from nlpviz.run_kinds.parts import UsageError


def lines_of(path: Path) -> Sequence[str]:
    """Return the lines of a file, or of standard input for ``-``, split on line feeds alone.

    Raises:
        UsageError: if it cannot be read as UTF-8.
    """
    try:
        content = (sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as UTF-8 text ({type(error).__name__}).") from None
    return str(content).removesuffix("\n").split("\n")


def paired_lines(path: Path, other: Path, each: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return the lines of two files, the second of which has one for each of the first.

    Raises:
        UsageError: if one cannot be read, or they have not as many; ``each`` says what a line of the second one is.
    """
    lines, others = lines_of(path), lines_of(other)
    if len(lines) != len(others):
        raise UsageError(
            f"{path} has {len(lines):,} lines, but {other} has {len(others):,}. Write one {each} per line."
        )
    return lines, others


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what word vectors refuse into what the shell prints.

    Raises:
        UsageError: in their place.
    """
    from nlpviz.word_vectors import WordVectorsError

    try:
        yield
    except WordVectorsError as error:
        raise UsageError(str(error)) from None
