"""The words nearest to one word, and the answers to an analogy, as bars that can be compared across sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.word_queries import Analogy, Neighbour, Neighbours

SHARED = "◆"
_LETTER, _LEAST, _MOST, _NOTE = 0.048, 0.4, 1.3, 1.35  # room for labels and for a bar with its note, in longest bars
_PALE = 0.45  # opacity of a bar that no other source shares
_LONGEST_NAME = 40


class Scale(NamedTuple):
    """What figures that are compared have in common: the longest bar, and the room for labels in such lengths."""

    longest: float
    room: float


def common_scale(compared: Iterable[Sequence[Neighbour]]) -> Scale:
    """Return the scale on which all the words of figures side by side can be drawn."""
    every = [one for result in compared for one in result]
    letters = max((len(one.word) for one in every), default=0) + len(SHARED) + 1
    return Scale(max((abs(one.score) for one in every), default=0.0) or 1.0, min(max(_LETTER * letters, _LEAST), _MOST))


def neighbour_bars(
    result: Neighbours, scale: Scale, others: Sequence[Neighbours] | None = None, *, about: str = "all words"
) -> FigureView:
    """Return the neighbours of one word in one source.

    Args:
        result: the neighbours.
        scale: of all sources that are compared.
        others: the neighbours in other sources; None where there is no other source. A word that is among them has a
            mark and a full bar, the others are pale.
        about: among which words they were sought.
    """
    shared = None if others is None else _shared(result, others)
    rows = [_row(one, (shared or {}).get(one.word, ())) for one in result.neighbours]
    drawn = _bars(rows, "cosine similarity", scale)
    if shared is not None:
        drawn.data[0].marker.opacity = [1.0 if one.word in shared else _PALE for one in result.neighbours]
    said = ", ".join(f"{one.word} {one.score:.2f}" for one in result.neighbours)
    marked = [one.word for one in result.neighbours if shared and one.word in shared]
    common = "" if shared is None else f" Shared with another source: {', '.join(marked) or 'none'}."
    return FigureView(
        figure=drawn,
        alt=f"The nearest neighbours of {result.word} in {result.source}: {said or 'none'}.{common}",
        table=_table(result.neighbours, "cosine")
        | ({} if shared is None else {"shared": _yes(result.neighbours, shared)}),
        caption=provenance(result.source, f"neighbours of “{result.word}” among {about}"),
        name=file_name("neighbours", result.word, result.source),
    )


def _shared(result: Neighbours, others: Sequence[Neighbours]) -> dict[str, list[str]]:
    """Return the neighbours that others name too, with these others' sources."""
    words = [(other.source, {one.word for one in other.neighbours}) for other in others]
    shared = {one.word: [source for source, named in words if one.word in named] for one in result.neighbours}
    return {word: sources for word, sources in shared.items() if sources}


def answer_bars(analogy: Analogy, scale: Scale) -> FigureView:
    """Return the best answers to an analogy; the expected word stands out.

    Args:
        analogy: with its answers.
        scale: of all sources that are compared.
    """
    rows = [_row(one) for one in analogy.neighbours]
    said = ", ".join(f"{one.word} {one.score:.2f}" for one in analogy.neighbours[:5])
    left_out = "input words excluded" if analogy.excludes else "input words included"
    return FigureView(
        figure=_bars(rows, f"{analogy.method} score", scale, analogy.expected),
        alt=f"The best answers to {analogy.expression.proportion} in {analogy.source}, {left_out}: {said or 'none'}.",
        table=_table(analogy.neighbours, f"{analogy.method} score"),
        caption=provenance(analogy.source, f"“{analogy.expression.proportion}”, {analogy.method}, {left_out}"),
        name=file_name("analogy", str(analogy.expression), analogy.source),
    )


def file_name(kind: str, query: str, source: str) -> str:
    """Return the name of a figure's files: its kind, what was asked and of what, in letters that any disk takes."""
    parts = (re.sub(r"[^\w]+", "-", part.lower()).strip("-")[:_LONGEST_NAME] for part in (kind, query, source))
    return "-".join(part for part in parts if part)


def _bars(rows: Sequence[BarRow], unit: str, scale: Scale, selected: str | None = None) -> go.Figure:
    """Return the bars; single words need less room than n-grams."""
    drawn = labelled_bars([Group("", rows)], unit, scale.longest, signed=False, selected=selected)
    low = min([0.0, *(row.value for row in rows)])  # far from all else, even the nearest may point the other way
    return drawn.update_xaxes(range=[min(low, -scale.room * scale.longest), _NOTE * scale.longest])


def _row(one: Neighbour, others: Sequence[str] = ()) -> BarRow:
    known = "" if one.count is None else f", frequency {one.count:,}, rank {one.position + 1:,}"
    also = f"; also in {', '.join(others)}" if others else ""
    score = number(one.score, signed=False)
    return BarRow(
        f"{SHARED} {one.word}" if others else one.word, one.score, score, f"{one.word}: {score}{known}{also}", one.word
    )


def _yes(result: Sequence[Neighbour], shared: Mapping[str, Sequence[str]]) -> list[str]:
    return ["yes" if one.word in shared else "" for one in result]


def _table(result: Sequence[Neighbour], score: str) -> Table:
    return {
        "word": [one.word for one in result],
        score: np.array([one.score for one in result], dtype=np.float32),
        "frequency": [one.count for one in result],
        "rank": [None if one.count is None else one.position + 1 for one in result],
    }
