"""How a run learnt: what its history measures by epoch, on what it learnt from and on what it did not."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go

from nlpviz.figures import phone, theme
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.history import Curve, Level, Measure, RunHistory, columns

_TRAINED = (theme.CATEGORIES[4], "dot", "circle-open")
_HELD_OUT = (theme.POSITIVE, "solid", "circle")
_LEVELS = ((theme.MUTED, "top"), (theme.NEGATIVE, "bottom"))
_TICKS = 12  # in a panel, at most
_LETTERS = 15  # of a line beside the curves, which are narrow on a phone


def training_curves(
    history: RunHistory, measures: Sequence[Measure], levels: Sequence[Level] = (), *, height: int = 400
) -> FigureView:
    """Return the curves of a run by epoch, one panel a measure; one of which nothing is known is left out.

    Args:
        history: of the run, with one epoch at least.
        measures: what is drawn of it.
        levels: lines across a panel: the run's own number, then that of a baseline.
        height: of the figure, in pixels.
    """
    shown = [measure for measure in measures if any(_known(history.records, curve) for curve in measure.curves)]
    drawn = theme.figure(height=height, hovermode="x unified")
    if {level.measure for level in levels} & {measure.name for measure in shown}:
        drawn.update_layout(margin={"r": 128})  # room for the names of the lines
    drawn.update_layout(meta=_stacked(len(shown), height))
    named: set[str] = set()
    for number, measure in enumerate(shown, start=1):
        for curve in measure.curves:
            drawn.add_trace(_line(history.records, measure, curve, number, legend=curve.name not in named))
            named.add(curve.name)
        _panel(drawn, history, measure, number, len(shown))
        across = [level for level in levels if level.measure == measure.name]
        for level, (color, side) in zip(across, _LEVELS, strict=False):
            _level(drawn, number, level, measure.form, color, side)
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


def _line(records: Sequence[Any], measure: Measure, curve: Curve, number: int, *, legend: bool) -> go.Scatter:
    """Return one column as a line; an epoch of which it says nothing is a gap."""
    color, dash, symbol = _TRAINED if curve.name == "train" else _HELD_OUT
    values = [getattr(record, curve.column) for record in records]
    return go.Scatter(
        x=[record.epoch for record in records],
        y=[None if math.isnan(value) else value for value in values],
        name=curve.name,
        legendgroup=curve.name,
        showlegend=legend,
        mode="lines+markers",
        line={"color": color, "dash": dash, "width": 2.5},
        marker={"symbol": symbol, "size": 8, "color": color},
        hovertemplate=f"%{{y:{measure.form}}}",
        xaxis=f"x{number}",
        yaxis=f"y{number}",
    )


def _panel(drawn: go.Figure, history: RunHistory, measure: Measure, number: int, count: int) -> None:
    """Lay out one panel and mark the chosen epoch in it."""
    gap = 0.08
    width = (1 - gap * (count - 1)) / count
    left = (number - 1) * (width + gap)
    drawn.update_layout(
        {
            f"xaxis{number}": {
                "domain": [left, left + width],
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
    )
    if history.best_epoch is None:
        return
    suffix = "" if number == 1 else str(number)
    here = {"xref": f"x{suffix}", "yref": f"y{suffix} domain"}
    line = {"color": theme.MUTED, "width": 1, "dash": "dash"}
    drawn.add_shape(type="line", x0=history.best_epoch, x1=history.best_epoch, y0=0, y1=1, line=line, **here)
    note = {"showarrow": False, "font": {"size": 12, "color": theme.MUTED}}
    drawn.add_annotation(text="best", x=history.best_epoch, y=0.02, xanchor="right", yanchor="bottom", **note, **here)


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


def _level(drawn: go.Figure, number: int, level: Level, form: str, color: str, side: str) -> None:
    """Draw a run's number as a horizontal line, its name and number at the line's end."""
    suffix = "" if number == 1 else str(number)
    here = {"xref": f"x{suffix} domain", "yref": f"y{suffix}"}
    line = {"color": color, "width": 1.5, "dash": "dashdot"}
    drawn.add_shape(type="line", x0=0, x1=1, y0=level.value, y1=level.value, line=line, **here)
    note = {"showarrow": False, "align": "left", "font": {"size": 12, "color": color}}
    title = "<br>".join(map(escape, textwrap.wrap(level.title, _LETTERS)))
    text = f"{title}<br>{level.value:{form}} on {level.on}"
    drawn.add_annotation(text=text, x=1.01, y=level.value, xanchor="left", yanchor=side, **note, **here)


def _alt(history: RunHistory, measures: Sequence[Measure], levels: Sequence[Level]) -> str:
    """Return what the curves say at the chosen epoch, or at the last one so far, and the lines across them."""
    records = history.records
    (chosen, *_) = [record for record in records if record.epoch == history.best_epoch] or records[-1:]
    state = "is the last one so far" if history.best_epoch is None else "was chosen"
    names, epochs = " and ".join(one.name for one in measures), f"{len(records)} epoch{'s' * (len(records) != 1)}"
    sentences = [f"{names[:1].upper()}{names[1:]} of {history.title} over {epochs}; epoch {chosen.epoch} {state}."]
    for measure in measures:
        values = {curve.name: getattr(chosen, curve.column) for curve in measure.curves}
        said = ", ".join(f"{value:{measure.form}} ({name})" for name, value in values.items() if not math.isnan(value))
        sentences.append(f"There the {measure.name} is {said or 'unknown'}.")
    forms = {measure.name: measure.form for measure in measures}
    across = [level for level in levels if level.measure in forms]
    sentences += [f"{one.title}: {one.value:{forms[one.measure]}} on {one.on}." for one in across]
    return " ".join(sentences)
