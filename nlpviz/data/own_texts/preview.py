"""What was seen of a file while it was read as one text."""

from __future__ import annotations

from pathlib import Path

from nlpviz.data.own_texts import Opened
from nlpviz.results.own_texts import BadLine


def bad_lines(opened: Opened) -> tuple[BadLine, ...]:
    """Return the first bad rows of a file's last reading."""
    name = Path(opened.source.path).name
    return tuple(BadLine(name, *bad) for bad in opened.bad)
