"""One step of a cell at one unit: its equations, and the value of each of their symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class CellStep:
    """A unit's computation from one word and the previous state.

    Attributes:
        run: whose network.
        epoch: of its weights.
        word: that was read.
        position: of the word among those read, from 0.
        layer: from 0.
        unit: from 0.
        formula: the equations in TeX, one a line, each ``left = right``.
        numbers: what the symbols in ``formula`` stand for at this unit; several numbers are the summands of one symbol.
    """

    run: str
    epoch: int
    word: str
    position: int
    layer: int
    unit: int
    formula: tuple[str, ...]
    numbers: Mapping[str, tuple[float, ...]]

    def value(self, symbol: str) -> float:
        """Return the value of a symbol.

        Raises:
            KeyError: if the equations have no such symbol.
        """
        return sum(self.numbers[symbol])
