"""What a figure is handed on with: words, numbers and where they come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from typing import Any

import numpy as np
import orjson
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz import __version__
from nlpviz.figures.frames import Playback
from nlpviz.figures.run_titles import in_words

Column = Sequence[object] | NDArray[Any]
Table = dict[str, Column]
"""Columns of equal length by their headings, with units."""


@dataclass(frozen=True)
class FigureView:
    """A figure and what accompanies it: words for it, its numbers, and where they come from.

    Text of people or of reviews inside ``figure`` (hover text, labels) must have gone through ``html.escape``:
    Plotly takes ``<b>`` and ``<a href>`` in it for markup. ``alt``, ``table`` and ``caption`` are plain text.

    Attributes:
        figure: what is drawn; a click on a point hands on the point's ``customdata``, an id.
        alt: what the picture shows, with its main numbers, for those who cannot see it.
        table: the same as columns of equal length, by their headings (with units).
        caption: its provenance, as :func:`provenance` writes it.
        name: the name of its files, without an ending.
        playback: what the figure shows at other epochs, for the browser to play; None for none.
        still: SVG of about the same for a page by itself, which is painted before plotly.js is read; empty for none.
    """

    figure: go.Figure
    alt: str
    table: Mapping[str, Column]
    caption: str
    name: str
    playback: Playback | None = None
    still: str = ""

    def __post_init__(self) -> None:
        """Refuse a figure without words, and columns of different lengths."""
        if not self.alt.strip() or not self.caption.strip() or not self.name.strip():
            raise ValueError("a figure needs alternative text, a caption and a file name")
        if len({len(column) for column in self.table.values()}) != 1:
            raise ValueError("a figure needs a table with columns of equal length")

    @cached_property
    def json(self) -> dict[str, Any]:
        """The figure as the browser gets it, its arrays packed; made once, and never to be changed."""
        drawn: dict[str, Any] = orjson.loads(self.figure.to_json(engine="orjson"))
        return drawn

    @cached_property
    def frames(self) -> dict[str, Any] | None:
        """The playback as the browser gets it, or None; made once, and never to be changed."""
        return self.playback.packed(self.figure.data) if self.playback else None


def table_of(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return the table of ``rows``; a column of NumPy's numbers is an array, which keeps their precision.

    Args:
        headings: of the columns, no two the same.
        rows: from top to bottom, each with a value under each heading. One that holds lists, ranges or arrays of
            one length stands for as many rows, which share its other values.
    """
    every = [row for several in rows for row in _apart(several)]
    values: Iterable[Sequence[object]] = zip(*every, strict=True) if every else [()] * len(headings)
    return {heading: _column(column) for heading, column in zip(headings, values, strict=True)}


def _apart(row: Sequence[object]) -> Iterable[Sequence[object]]:
    lengths = {len(value) for value in row if isinstance(value, list | range | np.ndarray)}
    if not lengths:
        return [row]
    (count,) = lengths
    return zip(*(v if isinstance(v, list | range | np.ndarray) else [v] * count for v in row), strict=True)


def _column(values: Sequence[object]) -> Column:
    return np.array(values) if values and all(isinstance(value, np.number) for value in values) else list(values)


def padded(values: Sequence[float] | NDArray[Any], count: int) -> NDArray[Any]:
    """Return numbers followed by NaN until there are ``count``: what some rows do not have."""
    return np.pad(np.asarray(values), (0, count - len(values)), constant_values=np.nan)


def provenance(*parts: str) -> str:
    """Return the caption that says where numbers come from: ``parts`` (run, epoch, method), versions."""
    return " · ".join((*map(in_words, parts), f"nlpviz {__version__}, torch {_torch()}"))


@cache
def _torch() -> str:
    return version("torch").split("+")[0]
