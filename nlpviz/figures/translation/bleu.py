"""How much translations have in common with people's: BLEU by run, by epoch, by the length of the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any, NamedTuple

import plotly.graph_objects as go

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.labelled_bars import BarRow, Group, labelled_bars
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.history import EpochBleu, TranslatorEpoch

_HEIGHT = 440


class RunBleu(NamedTuple):
    """What is known of one run's translations.

    Attributes:
        name: the run's.
        title: what people call it.
        epoch: the chosen one.
        history: what each epoch reached on the validation sentences.
        rows: of the chosen epoch on the test sentences, all of them first, then by length.
    """

    name: str
    title: str
    epoch: int
    history: Sequence[TranslatorEpoch]
    rows: Sequence[EpochBleu]

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


def bleu_by_epoch(measured: Sequence[RunBleu], about: str, selected: str = "") -> FigureView:
    """Return a line for each run: the BLEU of its greedy translations of the validation sentences after each epoch.

    Args:
        measured: the runs.
        about: the languages and the sentences, for the caption.
        selected: the name of the run in colour; empty for the best on the test sentences.
    """
    chosen = _chosen(measured, selected)
    traces = [
        _line(
            run, [one.epoch for one in run.history], [one.validation_bleu for one in run.history],
            "epoch %{x}: %{y:.1f} BLEU", run is chosen, large=[one.epoch == run.epoch for one in run.history],
        )
        for run in measured
    ]  # fmt: skip
    best = chosen.history[chosen.epoch].validation_bleu
    note = direct_labels.remark(f"best epoch {chosen.epoch}: {best:.1f}", chosen.epoch, best, above=False, ay=40)
    drawn = _lines_figure(traces, chosen, "epoch", "BLEU, validation, greedy", notes=[note])
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
        caption=provenance(_runs(measured), about, "large marker: best epoch (validation)"),
        name="bleu-by-epoch",
    )


def bleu_by_length(measured: Sequence[RunBleu], about: str, selected: str = "") -> FigureView:
    """Return a line for each run: the BLEU of the test sentences by how many words their source has.

    Args:
        measured: the runs.
        about: the languages and the sentences, for the caption.
        selected: the name of the run in colour; empty for the best on the test sentences.
    """
    chosen = _chosen(measured, selected)
    groups = {lengths(row): row.sentences for run in measured for row in run.by_length}
    order = sorted(groups, key=lambda name: int(name.split("–")[0]))
    traces = [
        _line(
            run, [lengths(row) for row in run.by_length], [row.bleu for row in run.by_length],
            "%{x} words: %{y:.1f} BLEU", run is chosen,
        )
        for run in measured
    ]  # fmt: skip
    axis = {
        "type": "category", "categoryarray": order, "tickvals": order,
        "ticktext": [f"{name}<br>({groups[name]:,})" for name in order],
    }  # fmt: skip
    drawn = _lines_figure(traces, chosen, "source length in words and punctuation (sentences)", "BLEU, test", axis)
    rows = [(run, row) for run in measured for row in run.by_length]
    said = "; ".join(
        f"{run.title}: " + ", ".join(f"{lengths(row)} words {row.bleu:.1f}" for row in run.by_length)
        for run in measured
    )
    return FigureView(
        figure=drawn,
        alt=f"BLEU on the test sentences by source length. {said}.",
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


def _chosen(measured: Sequence[RunBleu], selected: str) -> RunBleu:
    """Return the run that is shown in colour."""
    return next((run for run in measured if run.name == selected), max(measured, key=lambda run: run.bleu))


def _lines_figure(
    traces: Sequence[go.Scatter],
    chosen: RunBleu,
    x: str,
    y: str,
    axis: Mapping[str, Any] = MappingProxyType({}),
    notes: Sequence[Mapping[str, Any]] = (),
) -> go.Figure:
    traces = sorted(traces, key=lambda trace: trace.name == escape(chosen.title))  # over the others
    return direct_labels.figure(
        traces, height=_HEIGHT, y=y, xaxis={"title": {"text": x}, **axis}, yaxis={"rangemode": "tozero"},
        main=[escape(chosen.title)], annotations=notes,
    )  # fmt: skip


def _line(
    run: RunBleu,
    x: Sequence[int] | Sequence[str],
    y: Sequence[float],
    hover: str,
    chosen: bool,
    *,
    large: Sequence[bool] = (),
) -> go.Scatter:
    """Return the line of one run, with a large mark where ``large`` says so."""
    return go.Scatter(
        x=list(x), y=list(y), name=escape(run.title), mode="lines+markers",
        line={"color": theme.POSITIVE, "width": 3 if chosen else 2},
        marker={"color": theme.POSITIVE, "size": [11 if one else 5 + 2 * chosen for one in large or [False] * len(y)]},
        hovertemplate=f"{escape(run.title)}, {hover}<extra></extra>",
    )  # fmt: skip


def _runs(measured: Sequence[RunBleu]) -> str:
    return "; ".join(f"{run.name}, epoch {run.epoch}" for run in measured)
