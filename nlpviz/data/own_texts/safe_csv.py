"""A table written for people as CSV: no cell of it is a formula to the program that opens it.

OWASP, *CSV Injection*: spreadsheets run cells that begin with ``=``, ``+``, ``-`` or ``@``, a tab or a carriage
return. An apostrophe before them has them shown as text.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import TextIO

from nlpviz.data.own_texts.sniff import is_number

_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r")


def harmless(cell: object) -> str:
    """Return a cell as text that no spreadsheet takes for a formula; numbers stay numbers."""
    text = str(cell)
    return f"'{text}" if text.startswith(_BEGINNINGS) and not is_number(text) else text


def write_csv(stream: TextIO, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Write a header and rows, every cell of them harmless."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([harmless(column) for column in columns])
    writer.writerows([harmless(cell) for cell in row] for row in rows)
