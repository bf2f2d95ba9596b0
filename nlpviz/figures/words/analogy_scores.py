"""Accuracy on analogies, by section and epoch; and how one of them fares as training goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.figures.words.neighbours import file_name
from nlpviz.results.word_queries import Analogy, AnalogyScores, SectionScore

_ROW, _EDGES, _EPOCHS_HEIGHT = 34, 92, 270  # pixels
_SYMBOLS = ("circle-open", "diamond", "square", "triangle-up", "circle")
_ALL = "all sections"


class AtEpoch(NamedTuple):
    """Which rank one word had in an analogy at one epoch.

    Attributes:
        title: of the run.
        epoch: of the vectors.
        rank: of the word among all answers, from 1; None where it was not available.
        best: the answer, of rank 1.
        score: of the answer.
    """

    title: str
    epoch: int
    rank: int | None
    best: str
    score: float

    @classmethod
    def of(cls, title: str, epoch: int, analogy: Analogy) -> AtEpoch:
        """Return the rank of the expected word in ``analogy``, which has an answer."""
        first = analogy.neighbours[0]
        return cls(title, epoch, analogy.rank, first.word, first.score)


def accuracy_by_section(run: str, title: str, scores: Mapping[int, AnalogyScores]) -> FigureView:
    """Return the accuracy of one run in each section of an analogy file, a mark for each epoch.

    Args:
        run: the run's name.
        title: what people call it.
        scores: by epoch, all by one method; at least one.
    """
    epochs = sorted(scores)
    last = scores[epochs[-1]]
    names = [_ALL, *(section.section for section in last.sections)]
    rows = {epoch: [scores[epoch].total, *scores[epoch].sections] for epoch in epochs}
    drawn = theme.figure(
        [_marks(rows[epoch], epoch, epochs) for epoch in epochs], height=_ROW * len(names) + _EDGES,
        x="accuracy on in-vocabulary questions", margin={"l": 8, "r": 8, "t": 34},
        legend={"y": 1, "yref": "container", "yanchor": "top"},
        xaxis={"range": [-0.02, 1.09], "tickformat": ".0%", "tickvals": [0, 0.25, 0.5, 0.75, 1]},
        yaxis={"range": [len(names) - 0.5, -0.8], "visible": False, "fixedrange": True},
    )  # fmt: skip
    for position, name in enumerate(names):
        drawn.add_annotation(
            text=f"<b>{name}</b>" if name == _ALL else escape(name), x=0, y=position - 0.5, xshift=4,
            xanchor="left", showarrow=False, font={"size": 12, "color": theme.MUTED},
        )  # fmt: skip
    total = last.total
    return FigureView(
        figure=drawn,
        alt=(
            f"Analogy accuracy of {title} by section, {last.method}. At epoch {epochs[-1]}: all {_share(total)}, "
            + ", ".join(f"{section.section} {_share(section)}" for section in last.sections)
            + "."
        ),
        table=_table(rows),
        caption=provenance(
            f"{run}, epoch {', '.join(map(str, epochs))}", last.method, f"among the {last.among:,} most frequent words",
            "Google analogy questions",
        ),
        name=file_name("analogies", last.method, run),
    )  # fmt: skip


def _marks(rows: Sequence[SectionScore], epoch: int, epochs: Sequence[int]) -> go.Scatter:
    """Return the marks of one epoch; those of the last have their numbers beside them."""
    final = epoch == epochs[-1]
    symbol = _SYMBOLS[-1] if final else _SYMBOLS[epochs.index(epoch) % (len(_SYMBOLS) - 1)]
    color = theme.epoch_color(epoch, epochs[-1])
    return go.Scatter(
        x=[row.accuracy for row in rows], y=list(range(len(rows))), name=f"epoch {epoch}",
        mode="markers+text" if final else "markers", text=[f"  {_share(row)}" for row in rows] if final else None,
        textposition="middle right", textfont={"size": 12}, hoverinfo="text",
        hovertext=[f"{escape(row.section)}, epoch {epoch}: {row.right:,} of {row.known:,} correct" for row in rows],
        marker={"symbol": symbol, "size": 10, "color": color, "line": {"width": 2, "color": color}},
    )  # fmt: skip


def _share(row: SectionScore) -> str:
    return f"{row.accuracy:.0%}" if row.known else "no in-vocabulary question"


def _table(rows: Mapping[int, Sequence[SectionScore]]) -> Table:
    return table_of(
        ("epoch", "section", "asked", "known", "right", "accuracy"),
        [
            (epoch, row.section, row.asked, row.known, row.right, np.float32(row.accuracy))
            for epoch, sections in rows.items()
            for row in sections
        ],
    )


def rank_by_epoch(followed: Sequence[AtEpoch], word: str, query: str, method: str) -> FigureView:
    """Return the rank of one word in an analogy at every epoch; rank 1, on top, is the answer.

    Args:
        followed: runs and their epochs.
        word: the one that is followed.
        query: the expression, as people write it.
        method: ``"3CosAdd"`` or ``"3CosMul"``.
    """
    titles = list(dict.fromkeys(one.title for one in followed))
    worst = max((one.rank for one in followed if one.rank), default=1)
    deep = max(float(np.log10(worst)), 0.7)
    epochs = sorted({one.epoch for one in followed})
    room = max(0.4, 0.09 * (epochs[-1] - epochs[0]))  # for a long number over the first point
    drawn = theme.figure(
        [_course(followed, title, position) for position, title in enumerate(titles)],
        height=_EPOCHS_HEIGHT, x="epoch", y=f"rank of {_short(word)}", showlegend=len(titles) > 1,
        margin={"t": 12 + 24 * (len(titles) > 1)}, legend={"y": 1, "yref": "container", "yanchor": "top"},
        xaxis={"zeroline": False, "tickvals": epochs, "range": [min(epochs) - room, max(epochs) + room]},
        yaxis={
            "type": "log", "range": [1.25 * deep, -0.25 * deep], "tickvals": [10**power for power in range(6)],
            "ticktext": [f"{10**power:,}" for power in range(6)],
        },
    )  # fmt: skip
    said = ", ".join(f"{one.title}, epoch {one.epoch}: {_rank(one)}" for one in followed)
    return FigureView(
        figure=drawn,
        alt=f"Rank of {word} among the answers to {query}, {method}. {said}.",
        table=table_of(
            ("run", "epoch", f"rank of {word}", "top answer", "score of the top answer"),
            [(one.title, one.epoch, one.rank, one.best, np.float32(one.score)) for one in followed],
        ),
        caption=provenance("; ".join(titles), f"“{query}”, {method}"),
        name=file_name("analogy-by-epoch", query, "-".join(titles)),
    )


def _course(every: Sequence[AtEpoch], title: str, position: int) -> go.Scatter:
    """Return the ranks in one run; the best and worst of an epoch have their numbers over and under them."""
    followed = [one for one in every if one.title == title]
    ends = [_ends([one for one in every if one.epoch == own.epoch and one.rank]) for own in followed]
    color = theme.CATEGORIES[position % len(theme.CATEGORIES)]
    return go.Scatter(
        x=[one.epoch for one in followed], y=[one.rank for one in followed], name=escape(title),
        mode="lines+markers+text", textfont={"size": 12},
        text=[f"{one.rank:,}" if one in end else "" for one, end in zip(followed, ends, strict=True)],
        textposition=[
            "top center" if one == end[0] and not _rises(followed[position:]) else "bottom center"
            for position, (one, end) in enumerate(zip(followed, ends, strict=True))
        ],
        line={"color": color, "width": 2.5},
        marker={"symbol": _SYMBOLS[-1 - position % len(_SYMBOLS)], "size": 9, "color": color}, hoverinfo="text",
        hovertext=[f"epoch {one.epoch}: {_rank(one)}; top answer {escape(one.best)}" for one in followed],
    )  # fmt: skip


def _rises(followed: Sequence[AtEpoch]) -> bool:
    """Return whether the line goes up steeply from the first point, where it would cross a number over it."""
    first, second = (one.rank or 0 for one in (*followed, *followed)[:2])
    return first > 10 * second > 0


def _ends(same_epoch: Sequence[AtEpoch]) -> tuple[AtEpoch | None, ...]:
    """Return the best and, if it is another, the worst of an epoch's ranks; the first of equal ones."""
    ranked = sorted(same_epoch, key=lambda one: one.rank or 0)
    if not ranked:
        return (None,)
    return (ranked[0], ranked[-1]) if ranked[-1].rank != ranked[0].rank else (ranked[0],)


def _rank(one: AtEpoch) -> str:
    return f"rank {one.rank:,}" if one.rank else "not among the answers"


def _short(word: str) -> str:
    return escape(word if len(word) <= 16 else f"{word[:15]}…")
