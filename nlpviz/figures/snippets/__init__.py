"""The numbers of a figure in a few lines of Python, one module a subject: what a page offers under *Code*.

A snippet runs as it is from a file in any folder. It leaves a pandas table, ``table``, each of whose columns is one of
the figure's CSV, and writes the figure as an HTML file, by the function by which the page draws it; a test runs them
all.
Whatever a visitor chose or typed stands in it as a Python literal.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Template
from textwrap import dedent

Literal = str | int | float | bool | None
Sources = Sequence[tuple[str, int]]
"""Runs with an epoch each."""
_RUN = "# Save this as a file in any folder, and run it with nlpviz's own Python: PATH-TO-NLPVIZ/.venv/bin/python FILE"


def written(code: str, **values: Literal | Sequence[Literal] | Sequence[tuple[Literal, ...]]) -> str:
    """Return ``code`` without its indentation, under a line that says how to run it.

    Each ``$name`` in it is replaced by its value as Python writes it.

    Raises:
        TypeError: if a value, or a part of one, is no text, number, truth value or None, whose literals Python reads
            back as they were.
    """
    literals = {name: _literal(value) for name, value in values.items()}
    return Template(f"{_RUN}\n{dedent(code).strip()}\n").substitute(literals)


def _literal(value: object) -> str:
    if type(value) in (str, int, float, bool, type(None)):
        return repr(value)
    if type(value) is tuple:
        inside = ", ".join(map(_literal, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if type(value) is list:
        return f"[{', '.join(map(_literal, value))}]"
    raise TypeError(f"{type(value).__name__} has no literal in a snippet")
