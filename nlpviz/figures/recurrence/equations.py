"""A cell's equations in TeX, each with the numbers of one unit at one word under it."""

from __future__ import annotations

import re

from nlpviz.figures.numbers import number
from nlpviz.results.cell_step import CellStep

_WIDE = 30  # signs of a right side, beyond which its result stands under it: half a window has room for no more


def worked(step: CellStep) -> list[str]:
    """Return each equation with its numbers: as it is written, with the numbers in place, and what it comes to."""
    return [_worked(line, step) for line in step.formula]


def _worked(line: str, step: CellStep) -> str:
    left, right = line.split(" = ", 1)
    if left not in step.numbers:
        return line
    numbers, result = with_numbers(right, step), _figures(step.value(left))
    apart = r" \\ &= " if len(re.sub(r"\\\w+|\\.", "", numbers)) > _WIDE else " = "
    return rf"\begin{{aligned}} {left} &= {right} \\ &= {numbers}{apart}{result} \end{{aligned}}"


def with_numbers(right: str, step: CellStep) -> str:
    """Return the right side of an equation with a number for each of its symbols."""
    symbols = sorted(step.numbers, key=len, reverse=True)
    known = "|".join(rf"(?<![A-Za-z\\]){re.escape(symbol)}(?![A-Za-z_'^])" for symbol in symbols)
    written = re.sub(known, lambda found: _summands(step.numbers[found[0]]), right)
    written = re.sub(r"\+ \((-[^()]*)\)", lambda found: f"- {found[1][1:]}", written)  # a sum subtracts
    written = re.sub(r"(^|\()\((-[^()]*)\)(?= [+-]|\)|$)", r"\1\2", written)  # nothing to the left of it
    written = re.sub(r"(?<=[\d)]) (?=[\d(]|\\min)", r" \\cdot ", written)
    return written.replace(r"\circ", r"\cdot")


def _summands(values: tuple[float, ...]) -> str:
    """Return a number, in brackets where it is negative, or several as their sum."""
    if len(values) > 1:
        return f"({' + '.join(_bracketed(value) for value in values)})"
    return _bracketed(values[0])


def _bracketed(value: float) -> str:
    written = _figures(value)
    return f"({written})" if written.startswith("-") else written


def _figures(value: float) -> str:
    """Return a number with three places, fewer where it is large or whole; minus signs as TeX has them."""
    places = 0 if value == round(value) else 3 if abs(value) < 10 else 1
    return number(value, f".{places}f", signed=False).replace("−", "-")
