"""What a linear classifier's n-grams weigh: the strongest of all each way, or those of one text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.ngram_weights import WeighedNgram
from nlpviz.text.vocabulary import tokenize

_SHOWN, _SHOWN_OF_ONE_SIZE = 6, 14  # each way, of each size


def matching(rows: Iterable[WeighedNgram], size: int | None, words: str = "") -> list[WeighedNgram]:
    """Return the n-grams of one size, None for all, that contain these words in a row."""
    wanted = " ".join(token.word for token in tokenize(words))
    if words.strip() and not wanted:
        return []  # signs that are no word of any text
    return [r for r in rows if size in (None, r.size) and (not wanted or f" {wanted} " in f" {r.ngram} ")]


def weight_bars(run: str, target: str, rows: Sequence[WeighedNgram]) -> FigureView:
    """Return the n-grams with the largest weights for and against a class, by the number of their words.

    Args:
        run: the run's name.
        target: the class's name.
        rows: in any order.
    """
    sizes = sorted({row.size for row in rows})
    count = _SHOWN_OF_ONE_SIZE if len(sizes) == 1 else _SHOWN
    groups = [
        Group(f"{size} word{'' if size == 1 else 's'}", _bars(_strongest([r for r in rows if r.size == size], count)))
        for size in sizes
    ]
    drawn = _strongest(rows, 3)
    return FigureView(
        figure=labelled_bars(groups, f"log-odds of {target}", _scale(rows)),
        alt=f"The n-grams with the largest weights for and against {target} in {run}: {_said(drawn)}.",
        table=_table(sorted(rows, key=lambda row: -row.weight)),
        caption=provenance(run, f"weights of n-grams, in log-odds of {target}"),
        name=f"{run}-weights",
    )


def text_bars(run: str, target: str, rows: Sequence[WeighedNgram]) -> FigureView:
    """Return the n-grams of one text that move its log-odds most; the table has all of them, in the text's order."""
    drawn = _strongest(rows, _SHOWN_OF_ONE_SIZE)
    return FigureView(
        figure=labelled_bars([Group("", _bars(drawn))], f"log-odds of {target}", _scale(rows)),
        alt=f"The n-grams of the text that move the log-odds of {target} most: {_said(drawn[:3])}.",
        table=_table(rows),
        caption=provenance(run, f"n-grams of one text, in log-odds of {target}"),
        name=f"{run}-weights-of-a-text",
    )


def _strongest(rows: Sequence[WeighedNgram], count: int) -> list[WeighedNgram]:
    """Return the rows that weigh most, as many for the class and then as many against it."""
    ranked = sorted(rows, key=lambda row: -row.weight)
    return [r for r in ranked if r.weight > 0][:count] + [r for r in reversed(ranked) if r.weight < 0][:count]


def _bars(rows: Sequence[WeighedNgram]) -> list[BarRow]:
    return [
        BarRow(row.ngram, row.weight, number(row.weight), f"{row.ngram}: {number(row.weight)}", row.ngram)
        for row in rows
    ]


def _scale(rows: Sequence[WeighedNgram]) -> float:
    return max((abs(row.weight) for row in rows), default=0.0)


def _said(rows: Sequence[WeighedNgram]) -> str:
    return ", ".join(f"{row.ngram} {number(row.weight)}" for row in rows) or "none"


def _table(rows: Sequence[WeighedNgram]) -> Table:
    return table_of(("size", "n-gram", "log-odds"), [(row.size, row.ngram, np.float32(row.weight)) for row in rows])
