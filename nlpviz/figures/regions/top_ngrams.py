"""The n-grams that move a network's predictions over a whole corpus, mirrored at zero; and one of them by epoch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import panels, theme
from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.numbers import number
from nlpviz.figures.regions.bars import in_training
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.survey import UNCOUNTED, RankedNgram
from nlpviz.text.vocabulary import tokenize

ORDERS = {"total": "sum of contributions", "mean": "mean contribution"}
_SHOWN, _SHOWN_OF_ONE_SIZE = 5, 14  # each way, of each size
_SHORT, _SHORT_OF_ONE_SIZE = 3, 10


class NgramRanking(NamedTuple):
    """The rows of one checkpoint's ranking that were asked for.

    Attributes:
        run: the run's name.
        epoch: of the weights.
        rows: in any order.
        by: one of :data:`ORDERS`.
        left_out: how many rows more there would be with those that hold a part of a rating.
        short: whether the picture shows fewer of them, for a low window.
    """

    run: str
    epoch: int
    rows: tuple[RankedNgram, ...]
    by: str
    left_out: int = 0
    short: bool = False

    def value(self, row: RankedNgram) -> float:
        """Return what ``row`` is ranked by."""
        return row.total if self.by == "total" else row.contribution

    def shown(self) -> list[tuple[int, list[RankedNgram]]]:
        """Return the strongest of each size, those for the class and then those against it."""
        sizes = sorted({row.size for row in self.rows})
        count = shown_each_way(single=len(sizes) == 1, short=self.short)
        result = []
        for size in sizes:
            ranked = sorted((row for row in self.rows if row.size == size), key=lambda row: -self.value(row))
            positive = [row for row in ranked if row.contribution > 0]
            negative = [row for row in reversed(ranked) if row.contribution <= 0]
            result.append((size, positive[:count] + negative[:count]))
        return result


@dataclass(frozen=True)
class NgramQuery:
    """Which rows of a ranking are asked for.

    Attributes:
        size: of the n-grams; None for all.
        support: documents, at least.
        by: one of :data:`ORDERS`.
        unseen: whether only those that never stood in training; then one document is enough.
        words: what an n-gram must contain, these words in a row.
        ratings: whether those that hold a part of a rating, such as ``7/10``, are among them.
        short: whether the pictures show fewer of them.
    """

    size: int | None
    support: int
    by: str
    unseen: bool = False
    words: str = ""
    ratings: bool = True
    short: bool = False

    @cached_property
    def _wanted(self) -> str:
        """The words in the vocabulary's spelling, one space between them."""
        return " ".join(token.word for token in tokenize(self.words))

    def rank(self, run: str, epoch: int, rows: Iterable[RankedNgram]) -> NgramRanking:
        """Return those of ``rows`` that are asked for, of the run of this name at this epoch."""
        asked = [row for row in rows if self._admits(row)]
        shown = tuple(row for row in asked if self.ratings or not row.of_rating)
        return NgramRanking(run, epoch, shown, self.by, len(asked) - len(shown), self.short)

    def _admits(self, row: RankedNgram) -> bool:
        """Return whether ``row`` is asked for, be it a rating or not."""
        if self.words.strip() and not self._wanted:
            return False  # signs that are no word of any text
        return (
            self.size in (None, row.size)
            and (row.seen == 0 if self.unseen else row.support >= self.support)
            and (not self._wanted or f" {self._wanted} " in f" {row.ngram} ")
        )


def shown_each_way(*, single: bool, short: bool) -> int:
    """Return how many n-grams of a size a picture shows at most on either side of zero.

    Args:
        single: whether it shows n-grams of one size only.
        short: whether it shows fewer of them.
    """
    if short:
        return _SHORT_OF_ONE_SIZE if single else _SHORT
    return _SHOWN_OF_ONE_SIZE if single else _SHOWN


def longest_ngrams(run: str, epoch: int, rows: Iterable[RankedNgram], *, support: int, count: int) -> NgramRanking:
    """Return the ranking of the longest n-grams alone, by the sum of their contributions.

    Args:
        run: the run's name.
        epoch: of the weights.
        rows: n-grams of any sizes.
        support: in at least so many documents.
        count: how many each way.
    """
    supported = [row for row in rows if row.support >= support]
    size = max((row.size for row in supported), default=0)
    ranked = sorted((row for row in supported if row.size == size), key=lambda row: -row.total)
    extremes = [row for row in ranked if row.total > 0][:count] + [row for row in ranked if row.total < 0][-count:]
    return NgramRanking(run, epoch, tuple(extremes), "total")


def row_id(row: RankedNgram) -> str:
    """Return how an address and a click name a row: size and words."""
    return f"{row.size} {row.ngram}"


def found(identifier: str, rows: Iterable[RankedNgram]) -> RankedNgram | None:
    """Return the row of this :func:`row_id`; None where there is none."""
    return next((row for row in rows if row_id(row) == identifier), None)


def strongest(rankings: Sequence[NgramRanking]) -> float:
    """Return the largest magnitude on any of ``rankings``: the scale of pictures that are compared."""
    return max((abs(ranking.value(row)) for ranking in rankings for row in ranking.rows), default=0.0)


def ranking_bars(
    ranking: NgramRanking, target: str, score: str, scale: float, selected: str | None = None
) -> FigureView:
    """Return the strongest n-grams for and against a class at one checkpoint.

    Args:
        ranking: what is asked for.
        target: the class's name.
        score: the unit of its score.
        scale: :func:`strongest` of all boards that are compared.
        selected: the id of the row that stands out.
    """
    groups = [_group(ranking, size, rows) for size, rows in ranking.shown()]
    unit = f"{ORDERS[ranking.by]} to {escape(target)} · documents · precision"
    rows = sorted((row for _, rows in ranking.shown() for row in rows), key=ranking.value)
    extremes = [*reversed(rows[-3:]), *rows[:3]] if len(rows) > 6 else rows[::-1]
    words = ", ".join(f"{row.ngram} {number(ranking.value(row))}" for row in extremes)
    return FigureView(
        figure=labelled_bars(groups, unit, scale, selected=selected),
        alt=f"The n-grams that move the score of {target} most over all test documents, at epoch {ranking.epoch}, by "
        f"{ORDERS[ranking.by]} ({score}): {words or 'no n-gram'}.",
        table=_table(ranking),
        caption=provenance(
            panels.checkpoints([ranking]), f"n-grams by {ORDERS[ranking.by]} to the score of {target}, {score}"
        ),
        name=panels.file_name([ranking], f"board-{ranking.by}"),
    )


def ngram_by_epoch(
    run: str, target: str, score: str, row: str, rows: Mapping[int, Sequence[RankedNgram]]
) -> FigureView:
    """Return one n-gram's mean contribution at every kept epoch, with gaps where it is not among the top ones.

    Args:
        run: the run's name.
        target: the class's name.
        score: the unit of its score.
        row: the :func:`row_id` of the n-gram, which is among the rows of an epoch.
        rows: the top n-grams of each epoch.
    """
    epochs, result = list(rows), {epoch: found(row, own) for epoch, own in rows.items()}
    ngram = row.partition(" ")[2]
    means = np.array([own.contribution if own else np.nan for own in result.values()])
    hover = [
        f"epoch {epoch}: {number(own.contribution)} in {own.support:,} documents" if own else ""
        for epoch, own in result.items()
    ]
    drawn = theme.figure(
        [
            go.Scatter(
                x=epochs, y=means, mode="lines+markers", hovertext=hover, hoverinfo="text",
                line={"color": theme.INK, "width": 2}, marker={"color": theme.INK, "size": 8},
            )
        ],
        height=230, x="epoch", y=score, showlegend=False, margin={"t": 12},
        xaxis={"tickvals": epochs, "range": [min(epochs) - 0.3, max(epochs) + 0.3]},
        yaxis={"zeroline": True, "nticks": 5, "rangemode": "tozero"},
    )  # fmt: skip
    own_rows = list(result.values())
    said = ", ".join(hovered for hovered in hover if hovered)
    return FigureView(
        figure=drawn,
        alt=f"The mean contribution of {ngram} to {target}: {said or 'not among the top n-grams of any epoch'}.",
        table={
            "epoch": epochs,
            "mean contribution": means.astype(np.float32),
            "documents": [own.support if own else None for own in own_rows],
            "precision": np.array([own.precision if own else np.nan for own in own_rows], dtype=np.float32),
        },
        caption=provenance(f"{run}, epoch {', '.join(map(str, epochs))}", f"“{ngram}”, contribution to {target}"),
        name=f"{run}-ngram-by-epoch",
    )


def _group(ranking: NgramRanking, size: int, rows: Sequence[RankedNgram]) -> Group:
    positions = 2 if ranking.by == "mean" else 0
    drawn = []
    for row in rows:
        value = number(ranking.value(row), f",.{positions}f")
        note = f"{value} · {row.support:,} · {row.precision:.0%}"
        drawn.append(BarRow(row.ngram, ranking.value(row), note, describe(row), row_id(row)))
    return Group(f"{size} word{'' if size == 1 else 's'}", drawn)


def describe(row: RankedNgram) -> str:
    """Return what the top n-grams says of an n-gram in plain words."""
    parts = [
        f"{number(row.contribution)} in {row.support:,} document{'' if row.support == 1 else 's'}",
        f"precision {row.precision:.0%}",
        in_training(row.seen),
    ]
    return f"{row.ngram}: {', '.join(part for part in parts if part)}"


def _table(ranking: NgramRanking) -> Table:
    """Return every row that was asked for, the most positive first."""
    rows = sorted(ranking.rows, key=lambda row: -ranking.value(row))
    return {
        "size": [row.size for row in rows],
        "n-gram": [row.ngram for row in rows],
        "mean contribution": np.array([row.contribution for row in rows], dtype=np.float32),
        "sum": np.array([row.total for row in rows], dtype=np.float32),
        "documents": [row.support for row in rows],
        "precision": np.array([row.precision for row in rows], dtype=np.float32),
        "occurrences in training": [None if row.seen == UNCOUNTED else row.seen for row in rows],
        "example": [row.example for row in rows],
    }
