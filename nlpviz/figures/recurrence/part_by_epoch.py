"""A part of a network's cell over a text, at each epoch of a training: one heatmap that goes with the slider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nlpviz.figures.moments import at_moments
from nlpviz.figures.recurrence.part_heatmap import full_colour, part_heatmap
from nlpviz.figures.view import FigureView, Table, table_of
from nlpviz.results.gates import PartCourse


def part_by_epoch(
    courses: Sequence[PartCourse], epochs: Mapping[str, int], shown: str, labels: Mapping[str, str], word: int | None
) -> FigureView:
    """Return a part of the cell at each epoch, all on one scale and with the units in one order; it follows.

    Args:
        courses: of one run, part and text, an epoch each.
        epochs: which epoch is shown at each moment, by the moment's value in an address.
        shown: the moment to begin with.
        labels: what people call each moment.
        word: the position of the word that stands out; None for none.
    """
    full = full_colour(courses)
    drawn = {epoch: part_at_epoch(courses, epoch, word, full=full) for epoch in set(epochs.values())}
    table = _table(courses)
    views = {value: replace(drawn[epoch], table=table) for value, epoch in epochs.items()}
    return at_moments(views, shown, labels, leads=False)


def part_at_epoch(
    courses: Sequence[PartCourse], epoch: int, word: int | None, *, full: float | None = None
) -> FigureView:
    """Return the part at one epoch.

    Args:
        courses: of one run, part and text, an epoch each.
        epoch: that of one of them.
        word: the position of the word that stands out; None for none.
        full: the magnitude at full colour; None for the one that suits all epochs.
    """
    (shown,) = [one for one in courses if one.epoch == epoch]
    full = full_colour(courses) if full is None else full
    return part_heatmap([shown], "in the same order at every epoch", None, word, full=full, clickable=False)


def _table(courses: Sequence[PartCourse]) -> Table:
    """Return a row for each word at each epoch: the mean over the units, the least and the largest value."""
    return table_of(
        ("epoch", "position", "token", "mean over units", "least", "largest"),
        [
            (one.epoch, place, token.name, values.mean(), values.min(), values.max())
            for one in courses
            for place, (token, values) in enumerate(zip(one.states.text.read, one.values, strict=True), start=1)
        ],
    )
