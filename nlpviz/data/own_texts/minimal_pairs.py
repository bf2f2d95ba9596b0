"""The user's minimal pairs: two texts per row, and what a sentiment classifier should predict for them.

The file is read as any other one (CSV, TSV, JSON lines, Parquet): the columns ``first``, ``second`` and ``expected``,
and ``capability`` where pairs are to be counted apart.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from io import StringIO
from itertools import islice
from pathlib import Path

from nlpviz.data.own_texts import OwnTextsError, Source, open_running
from nlpviz.data.own_texts.rows import LISTED, BadRow, UsableRows, listed
from nlpviz.results.minimal_pairs import EXPECTATIONS, MinimalPair
from nlpviz.text.aligned import align
from nlpviz.text.vocabulary import shortened, tokenize

REQUIRED = ("first", "second", "expected")
CAPABILITY, UNNAMED = "capability", "your pairs"
"""The column that groups pairs, and what those without it are called."""
MOST_PAIRS, LONGEST = 1_000, 500
"""Pairs that are read of a file, and characters of a text."""
MOST_CAPABILITIES = 30
_LONGEST_NAME = 60  # of a capability
_SENTENCE = re.compile(r".+?(?:[.!?]+[\"')]*(?=\s|$)|$)\s*", re.DOTALL)
_MARKUP = re.compile(r"<[ ]*/?[ ]*[a-zA-Z][^<>]{0,40}>")  # no token: it parts two words


def read_minimal_pairs(source: Source) -> UsableRows[MinimalPair]:
    """Return the pairs of a file; a row that is no pair is a bad row, and the others are used.

    Raises:
        OwnTextsError: if the file cannot be read, lacks a column, or holds no pair.
    """
    opened = open_running(source)
    file = Path(source.path).name
    columns = {name.strip().casefold(): name for name in opened.columns}
    if missing := [name for name in REQUIRED if name not in columns]:
        there = ", ".join(repr(shortened(name)) for name in opened.columns[:8])
        raise OwnTextsError(
            f"{file} has no column {' and no column '.join(map(repr, missing))}. Pairs need the columns "
            f"first, second and expected; an optional column, capability, groups them. Columns found: {there}."
        )
    pairs: list[MinimalPair] = []
    bad: list[BadRow] = []
    capabilities: set[str] = set()
    rows = opened.rows()
    for row in islice(rows, MOST_PAIRS):
        first, second, expected = (row.fields[columns[name]].strip() for name in REQUIRED)
        capability = " ".join(row.fields.get(columns.get(CAPABILITY, ""), "").split()) or UNNAMED
        if why := unusable(first, second, _folded(expected)) or _too_many(capability, capabilities):
            bad.append(BadRow(row.number, why))
            continue
        capabilities.add(capability)
        pairs.append(MinimalPair(capability, capability, first, second, _folded(expected)))
    cut = MOST_PAIRS if next(rows, None) is not None else 0
    count = len(bad) + opened.bad_count
    first_bad = tuple(sorted([*bad, *opened.bad])[:LISTED])
    if not pairs:
        raise OwnTextsError(f"{file} contains no usable pairs: {listed(first_bad) or 'it is empty'}.")
    return UsableRows(file, "", tuple(pairs), first_bad, count, cut)


def written(pairs: Sequence[MinimalPair]) -> str:
    """Return pairs as the CSV that :func:`read_minimal_pairs` reads."""
    lines = StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    rows.writerow([CAPABILITY, *REQUIRED])
    rows.writerows([pair.capability, pair.first, pair.second, pair.expected] for pair in pairs)
    return lines.getvalue()


def round_difference(first: str, second: str) -> tuple[str, str] | None:
    """Return two texts as a pair can have them: whole, or where they are long, the sentences that differ.

    None where these are longer than :data:`LONGEST`, or one of them has no word.
    """
    first, second = (" ".join(_MARKUP.sub(" ", text).split()) for text in (first, second))
    if max(len(first), len(second)) > LONGEST:
        parts = [_SENTENCE.findall(text) for text in (first, second)]
        blocks = [block for block in align(*parts) if not block.same]
        if not blocks:
            return None
        spans = [
            (blocks[0].before[0], blocks[-1].before[1]),
            (blocks[0].after[0], blocks[-1].after[1]),
        ]
        first, second = ("".join(part[start:stop]).strip() for part, (start, stop) in zip(parts, spans, strict=True))
    usable = max(len(first), len(second)) <= LONGEST and tokenize(first) and tokenize(second)
    return (first, second) if usable else None


def _folded(expected: str) -> str:
    return "/".join(part.strip() for part in expected.casefold().split("/"))


def unusable(first: str, second: str, expected: str) -> str:
    """Return why two texts are no pair, as half a sentence; ``""`` where they are one."""
    for name, text in (("first", first), ("second", second)):
        if not tokenize(text):
            return f"has no words in the column {name!r}"
        if len(text) > LONGEST:
            return f"has more than {LONGEST:,} characters in the column {name!r}"
    if first == second:
        return "has the same text twice"
    if expected not in EXPECTATIONS:
        return f"expects {shortened(expected)!r}, which is not among {', '.join(EXPECTATIONS)}"
    return ""


def _too_many(capability: str, known: set[str]) -> str:
    if len(capability) > _LONGEST_NAME:
        return f"has a capability name of more than {_LONGEST_NAME} characters"
    if capability not in known and len(known) >= MOST_CAPABILITIES:
        return f"exceeds the maximum of {MOST_CAPABILITIES} capabilities"
    return ""
