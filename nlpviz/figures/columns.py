"""The table of a figure from its rows: the headings once, and what stands under them once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Table = dict[str, Sequence[object] | NDArray[Any]]
"""Columns of equal length by their headings, with units."""


def columns(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return the table of ``rows``; a column of NumPy's numbers is an array, which keeps their precision.

    Args:
        headings: of the columns, each another.
        rows: from top to bottom, each with a value for each heading.
    """
    listed = list(rows)
    values: Iterable[Sequence[object]] = zip(*listed, strict=True) if listed else [()] * len(headings)
    return {heading: _column(column) for heading, column in zip(headings, values, strict=True)}


def _column(values: Sequence[object]) -> Sequence[object] | NDArray[Any]:
    return np.array(values) if values and all(isinstance(value, np.number) for value in values) else list(values)


def padded(values: Sequence[float] | NDArray[Any], count: int) -> NDArray[Any]:
    """Return numbers followed by NaN until there are ``count``: what some rows do not have."""
    return np.pad(np.asarray(values), (0, count - len(values)), constant_values=np.nan)
