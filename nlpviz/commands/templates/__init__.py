"""What ``new`` writes, a file for each: small examples that pass all checks, with placeholders for names.

The parts of a template begin with ``---`` and the path of a new file, or the path of a document and the beginning of
the heading under which an entry is added; the last part says what to do next.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import NamedTuple

from nlpviz.run_kinds import UsageError

TEMPLATES = {file.stem: file for file in sorted(Path(__file__).parent.glob("*.txt"))}
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST = 30
_PART = re.compile(r"^--- (?P<path>\S+)(?: (?P<heading>[^\n]*))?\n(?P<text>.*?)(?=^--- |\Z)", re.MULTILINE | re.DOTALL)
NEXT = "next"
"""The part that says what to do with the files."""


class TemplatePart(NamedTuple):
    """A new file, or an entry for a document.

    Attributes:
        path: of the file, relative to the repository.
        heading: how the heading of the entry's section begins; None for a new file.
        text: of the file, or of the entry.
    """

    path: str
    heading: str | None
    text: str


def parts_of(what: str, fields: Mapping[str, str]) -> dict[str, TemplatePart]:
    """Return the parts of a template by their paths, its fields filled in."""
    text = Template(TEMPLATES[what].read_text(encoding="utf-8")).substitute(fields)
    return {part.path: part for part in (TemplatePart(**found.groupdict()) for found in _PART.finditer(text))}


def fields_of(name: str) -> dict[str, str]:
    """Return what a template may name: ``mean-gradient`` as it stands in Python, in classes and in titles.

    Raises:
        UsageError: if it is no name.
    """
    if not _NAME.fullmatch(name) or iskeyword(name) or len(name) > _LONGEST:
        raise UsageError(
            f"{name!r} is not a name: use lower-case words joined by hyphens, {_LONGEST} characters at most, for "
            "example mean-gradient."
        )
    words = name.split("-")
    return {
        "name": name,
        "module": "_".join(words),
        "camel": "".join(map(str.capitalize, words)),
        "title": " ".join(words).capitalize(),
        "lower": " ".join(words),
    }
