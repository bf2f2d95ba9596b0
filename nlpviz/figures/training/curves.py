"""How a run learnt: what its history measures by epoch, on what it learnt from and on what it did not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go

from nlpviz.figures import direct_labels, phone, theme
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.history import Curve, Level, Measure, RunHistory, columns

_TRAINED = (theme.CATEGORIES[4], "dot", "circle-open")
_HELD_OUT = (theme.POSITIVE, "solid", "circle")
_LEVELS = (theme.MUTED, theme.NEGATIVE)
_TICKS = 12  # in a panel, at most
_GAP = 0.08  # of the width, between panels


def training_curves(
    history: RunHistory, measures: Sequence[Measure], levels: Sequence[Level] = (), *, height: int = 440
) -> FigureView:
    """Return the curves of a run by epoch, one panel per measure; measures without values are left out.

    Args:
        history: of the run, with one epoch at least.
        measures: what is drawn of it.
        levels: lines across a panel: the run's own number, then that of a baseline.
        height: of the figure, in pixels.
    """
    shown = [measure for measure in measures if any(_known(history.records, curve) for curve in measure.curves)]
    traces: list[go.Scatter] = []
    layout: dict[str, Any] = {}
    marks: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    for number, measure in enumerate(shown, start=1):
        traces += [_line(history.records, measure, curve, number) for curve in measure.curves]
        across = [level for level in levels if level.measure == measure.name]
        traces += [
            _level(history.records, number, level, measure.form, color)
            for level, color in zip(across, _LEVELS, strict=False)
        ]
        layout |= _panel(history, measure, number, len(shown))
        if history.best_epoch is not None:
            mark, note = _best(history.best_epoch, number)
            marks.append(mark)
            notes.append(note)
    drawn = direct_labels.figure(
        traces, height=height, hovermode="x unified", meta=_stacked(len(shown), height), shapes=marks,
        annotations=notes, main={trace.name for trace in traces}, **layout,
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(history, shown, levels),
        table={
            name: [getattr(record, name) for record in history.records] for name in columns(type(history.records[0]))
        },
        caption=provenance(history.run, f"seed {history.seed}", history.device),
        name=f"{history.run}-training",
    )


def _known(records: Sequence[Any], curve: Curve) -> bool:
    return any(not math.isnan(getattr(record, curve.column)) for record in records)


def _line(records: Sequence[Any], measure: Measure, curve: Curve, number: int) -> go.Scatter:
    """Return one column as a line; an epoch of which it says nothing is a gap."""
    color, dash, symbol = _TRAINED if curve.name == "train" else _HELD_OUT
    values = [getattr(record, curve.column) for record in records]
    return go.Scatter(
        x=[record.epoch for record in records],
        y=[None if math.isnan(value) else value for value in values],
        name=curve.name,
        mode="lines+markers",
        line={"color": color, "dash": dash, "width": 2.5},
        marker={"symbol": symbol, "size": 8, "color": color},
        hovertemplate=f"%{{y:{measure.form}}}",
        xaxis=f"x{number}",
        yaxis=f"y{number}",
    )


def _panel(history: RunHistory, measure: Measure, number: int, count: int) -> dict[str, Any]:
    """Return the axes of one panel: all of one width; names stand right of the last."""
    left, right = _domains(count)[number - 1]
    return {
        f"xaxis{number}": {
            "domain": [left, right],
            "anchor": f"y{number}",
            "title": {"text": "epoch"},
            "dtick": math.ceil(len(history.records) / _TICKS),
            "range": [history.records[0].epoch - 0.3, history.records[-1].epoch + 0.3],
        },
        f"yaxis{number}": {
            "anchor": f"x{number}",
            "title": {"text": measure.title},
            "tickformat": ".0%" if measure.form.endswith("%") else "",
            "rangemode": "tozero" if measure.from_zero else "normal",
        },
    }


def _domains(count: int) -> list[tuple[float, float]]:
    """Return where the panels lie from left to right."""
    width = (1 - _GAP * (count - 1)) / count
    return [(place * (width + _GAP), place * (width + _GAP) + width) for place in range(count)]


def _best(epoch: int, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the line at the chosen epoch in a panel, and its name."""
    suffix = "" if number == 1 else str(number)
    here = {"xref": f"x{suffix}", "yref": f"y{suffix} domain"}
    note = {"showarrow": False, "font": {"size": 12, "color": theme.MUTED}}
    return (
        theme.line_at(epoch, dash="dash") | here,
        {"text": "best", "x": epoch, "y": 0.02, "xanchor": "right", "yanchor": "bottom", **note, **here},
    )


def _stacked(count: int, height: int) -> dict[str, Any]:
    """Return the ``meta`` by which the panels stand under each other where they have no room in a row."""
    if count < 2:
        return {}
    gap = 0.2 / count
    high = (1 - gap * (count - 1)) / count
    changes: dict[str, Any] = {}
    for number in range(count):
        top, suffix = 1 - number * (high + gap), "" if number == 0 else str(number + 1)
        changes |= {f"xaxis{suffix}.domain": [0, 1], f"yaxis{suffix}.domain": [max(top - high, 0), top]}
    return phone.where_narrow(changes, round(0.75 * count * height))


def _level(records: Sequence[Any], number: int, level: Level, form: str, color: str) -> go.Scatter:
    """Return a run's number as a line across a panel, its name with the number."""
    return go.Scatter(
        x=[records[0].epoch, records[-1].epoch + 0.3], y=[level.value] * 2, mode="lines", hoverinfo="skip",
        name=f"{escape(level.title)}: {level.value:{form}} on {level.on}",
        line={"color": color, "width": 1.5, "dash": "dashdot"}, xaxis=f"x{number}", yaxis=f"y{number}",
    )  # fmt: skip


def _alt(history: RunHistory, measures: Sequence[Measure], levels: Sequence[Level]) -> str:
    """Return what the curves say at the chosen epoch, or at the last one so far, and the lines across them."""
    records = history.records
    (chosen, *_) = [record for record in records if record.epoch == history.best_epoch] or records[-1:]
    state = "is the latest" if history.best_epoch is None else "was chosen"
    names, epochs = " and ".join(one.name for one in measures), f"{len(records)} epoch{'s' * (len(records) != 1)}"
    sentences = [f"{names[:1].upper()}{names[1:]} of {history.title} over {epochs}; epoch {chosen.epoch} {state}."]
    for measure in measures:
        values = {curve.name: getattr(chosen, curve.column) for curve in measure.curves}
        said = ", ".join(f"{value:{measure.form}} ({name})" for name, value in values.items() if not math.isnan(value))
        sentences.append(f"At this epoch, the {measure.name} is {said or 'unknown'}.")
    forms = {measure.name: measure.form for measure in measures}
    across = [level for level in levels if level.measure in forms]
    sentences += [f"{one.title}: {one.value:{forms[one.measure]}} on {one.on}." for one in across]
    return " ".join(sentences)
