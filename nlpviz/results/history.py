"""How a run's epochs are drawn: which columns of its history stand in one panel, and lines across it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Curve(NamedTuple):
    """One column of a history, and what people call what it was measured on: ``"train"``, ``"validation"``."""

    column: str
    name: str


@dataclass(frozen=True)
class Measure:
    """One panel of training curves.

    Attributes:
        name: what people call it, for example ``"accuracy"``.
        title: of its axis, with the unit.
        curves: the columns that are drawn in it.
        form: how its numbers are written, for example ``".1%"``.
        from_zero: whether its axis begins at zero.
    """

    name: str
    title: str
    curves: tuple[Curve, ...]
    form: str
    from_zero: bool = True


class Level(NamedTuple):
    """A number of one run as a line across a panel: the run's title, the number, the panel's name, what it is of."""

    title: str
    value: float
    measure: str
    on: str
