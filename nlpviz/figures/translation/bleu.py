"""How much translations have in common with people's: BLEU by run, by epoch, by the length of the source."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.history import EpochBleu, TranslatorEpoch

_HEIGHT = 360
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "triangle-down", "star")


class RunBleu(NamedTuple):
    """What is known of one run's translations.

    Attributes:
        name: the run's.
        title: what people call it.
        epoch: the chosen one.
        history: what each epoch reached on the validation sentences.
        rows: of the chosen epoch on the test sentences, all of them first, then by length.
        color: its number among the colours and marks of a figure.
    """

    name: str
    title: str
    epoch: int
    history: Sequence[TranslatorEpoch]
    rows: Sequence[EpochBleu]
    color: int

    @property
    def bleu(self) -> float:
        """Of all test sentences."""
        return self.rows[0].bleu

    @property
    def by_length(self) -> Sequence[EpochBleu]:
        """The groups of sentences of like length, from the shortest sentence to the longest that there is."""
        whole, *groups = self.rows
        return [
            row._replace(shortest=max(row.shortest, whole.shortest), longest=min(row.longest, whole.longest))
            for row in groups
        ]


def bleu_by_run(measured: Sequence[RunBleu], selected: str, about: str) -> FigureView:
    """Return a bar for each run, the best first; a click hands on the run's name.

    Args:
        measured: the runs.
        selected: the name of the run that stands out.
        about: the languages and the test sentences, for the caption.
    """
    ranked = sorted(measured, key=lambda run: -run.bleu)
    rows = [
        BarRow(run.title, run.bleu, f"{run.bleu:.1f}", f"{run.title}: {run.bleu:.2f} BLEU", run.name) for run in ranked
    ]
    drawn = labelled_bars([Group("", rows)], "BLEU", max(run.bleu for run in ranked), signed=False, selected=selected)
    said = ", ".join(f"{run.title} {run.bleu:.1f}" for run in ranked)
    return FigureView(
        figure=drawn,
        alt=f"BLEU on the test sentences: {said}.",
        table={
            "run": [run.title for run in ranked],
            "epoch": [run.epoch for run in ranked],
            "test BLEU": [run.bleu for run in ranked],
            "validation BLEU, greedy": [run.history[run.epoch].validation_bleu for run in ranked],
        },
        caption=provenance(_runs(ranked), about),
        name="bleu-by-run",
    )


def bleu_by_epoch(measured: Sequence[RunBleu], about: str) -> FigureView:
    """Return a line for each run: the BLEU of its greedy translations of the validation sentences after each epoch."""
    drawn = _lines_figure("epoch", "BLEU, validation, greedy")
    for run in measured:
        epochs, values = [one.epoch for one in run.history], [one.validation_bleu for one in run.history]
        drawn.add_trace(_line(run, epochs, values, "epoch %{x}: %{y:.1f} BLEU", chosen=epochs.index(run.epoch)))
    said = "; ".join(
        f"{run.title}: {run.history[run.epoch].validation_bleu:.1f} at its best epoch {run.epoch}" for run in measured
    )
    return FigureView(
        figure=drawn,
        alt=f"BLEU on the validation sentences by epoch. {said}.",
        table={
            "run": [run.title for run in measured for _ in run.history],
            "epoch": [one.epoch for run in measured for one in run.history],
            "validation BLEU": [one.validation_bleu for run in measured for one in run.history],
            "validation loss, nats": [one.validation_loss for run in measured for one in run.history],
        },
        caption=provenance(_runs(measured), about, "large mark: best epoch (validation)"),
        name="bleu-by-epoch",
    )


def bleu_by_length(measured: Sequence[RunBleu], about: str) -> FigureView:
    """Return a line for each run: the BLEU of the test sentences by how many words their source has."""
    drawn = _lines_figure("words and marks of the source (sentences)", "BLEU, test")
    groups = {lengths(row): row.sentences for run in measured for row in run.by_length}
    order = sorted(groups, key=lambda name: int(name.split("–")[0]))
    drawn.update_xaxes(
        type="category", categoryorder="array", categoryarray=order, tickvals=order,
        ticktext=[f"{name}<br>({groups[name]:,})" for name in order],
    )  # fmt: skip
    for run in measured:
        names, values = [lengths(row) for row in run.by_length], [row.bleu for row in run.by_length]
        drawn.add_trace(_line(run, names, values, "%{x} words: %{y:.1f} BLEU"))
    rows = [(run, row) for run in measured for row in run.by_length]
    said = "; ".join(
        f"{run.title}: " + ", ".join(f"{lengths(row)} words {row.bleu:.1f}" for row in run.by_length)
        for run in measured
    )
    return FigureView(
        figure=drawn,
        alt=f"BLEU on the test sentences by the length of the source. {said}.",
        table={
            "run": [run.title for run, _ in rows],
            "shortest": [row.shortest for _, row in rows],
            "longest": [row.longest for _, row in rows],
            "sentences": [row.sentences for _, row in rows],
            "BLEU": [row.bleu for _, row in rows],
        },
        caption=provenance(_runs(measured), about),
        name="bleu-by-length",
    )


def lengths(row: EpochBleu) -> str:
    """Return what a group of sentences is called: ``9–11``."""
    return f"{row.shortest}–{row.longest}"


def _lines_figure(x: str, y: str) -> go.Figure:
    return theme.figure(
        height=_HEIGHT, x=x, y=y, margin={"t": 64, "r": 8}, yaxis={"rangemode": "tozero"},
        legend={"y": 1.03, "font": {"size": 12}},
    )  # fmt: skip


def _line(
    run: RunBleu, x: Sequence[int] | Sequence[str], y: Sequence[float], hover: str, *, chosen: int | None = None
) -> go.Scatter:
    """Return the line of one run, told from the others by colour, dash and mark."""
    color = theme.CATEGORIES[run.color % len(theme.CATEGORIES)]
    return go.Scatter(
        x=list(x), y=list(y), name=escape(run.title), mode="lines+markers",
        line={"color": color, "width": 2, "dash": _DASHES[run.color % len(_DASHES)]},
        marker={
            "color": color, "symbol": _SYMBOLS[run.color % len(_SYMBOLS)],
            "size": [12 if position == chosen else 7 for position in range(len(y))],
        },
        hovertemplate=f"{escape(run.title)}, {hover}<extra></extra>",
    )  # fmt: skip


def _runs(measured: Sequence[RunBleu]) -> str:
    return "; ".join(f"{run.name}, epoch {run.epoch}" for run in measured)
