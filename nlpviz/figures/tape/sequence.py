"""A sequence step by step: what is read, what each network answers, and where the heads of a tape write and read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import phone, theme
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.tape import READ, WRITE, SequenceReading, TapeReading

_BIT, _CELL, _SPACE = 10, 6, 26  # pixels: a row of bits, a cell of the tape, between two panels with a heading
_STEP, _NAMES = 9, 120  # pixels: a step at least, what is left of them
_TOP, _BOTTOM = 24, 44
_MOST = 160  # pixels: of a tape
_USED = 0.02
"""A cell with a larger weight at some step is drawn, and those between two such cells."""


class _Panel(NamedTuple):
    """A heatmap with a row for each of ``names``: its heading, its numbers (rows, T), its height in pixels."""

    heading: str
    values: NDArray[np.float32]
    names: Sequence[str]
    height: int


def used_cells(read: TapeReading) -> range:
    """Return the cells from the first to the last one that a head turned to at some step."""
    used = np.flatnonzero(read.weights.max(axis=(0, 1)) > _USED)
    return range(int(used[0]), int(used[-1]) + 1) if len(used) else range(read.cells)


def sequence_figure(
    readings: Sequence[SequenceReading], titles: Mapping[str, str], marks: Sequence[str], step: int
) -> FigureView:
    """Return the sequence with the answers of each network, and the weightings of the first one that has a tape.

    A click on a step hands on its number, from 1.

    Args:
        readings: of the same sequence, one a network.
        titles: of the networks, by their runs.
        marks: what the last inputs mark.
        step: the one that stands out, from 1.
    """
    first = readings[0]
    panels = _panels(readings, titles, marks)
    inner = sum(panel.height for panel in panels) + _SPACE * (len(panels) - 1)
    traces: list[object] = []
    layout: dict[str, Any] = {}
    headings = []
    top = inner
    for number, panel in enumerate(panels, start=1):
        axis = "yaxis" if number == 1 else f"yaxis{number}"
        layout[axis] = _rows(panel, max(top - panel.height, 0) / inner, top / inner)
        headings.append(_heading(panel.heading, top / inner))
        traces.append(_heat(panel, number))
        top -= panel.height + _SPACE
    for number, read in enumerate(readings, start=2):
        traces.append(_faults(read, number))
    drawn = theme.figure(
        traces, height=inner + _TOP + _BOTTOM, margin={"l": 72, "r": 8, "t": _TOP, "b": _BOTTOM}, showlegend=False,
        annotations=headings, shapes=[_chosen(step), theme.line_at(first.asked + 0.5, dash="dash", yref="paper")],
        xaxis={
            "title": {"text": "step"}, "range": [0.5, first.steps + 0.5], "showgrid": False, "zeroline": False,
            "anchor": f"y{len(panels)}" if len(panels) > 1 else "y",
        },
        coloraxis={"colorscale": theme.WEIGHT_SCALE, "cmin": 0, "cmax": 1, "showscale": False},
        meta=phone.least_width(_STEP * first.steps + _NAMES), **layout,
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(readings, titles),
        table=_table(readings),
        caption=provenance(
            "; ".join(f"{read.run}, epoch {read.epoch}" for read in readings),
            "darker: closer to 1",
            "×: wrong bit; dashed line: start of the output",
        ),
        name=f"{first.task}-{first.length}-sequence",
    )


def _panels(readings: Sequence[SequenceReading], titles: Mapping[str, str], marks: Sequence[str]) -> list[_Panel]:
    first = readings[0]
    bits = first.inputs.shape[1] - len(marks)
    names = [*(f"bit {bit + 1}" for bit in range(bits)), *marks]
    panels = [_Panel("input", first.inputs.T, names, _BIT * len(names))]
    for read in readings:
        answers = read.answers.T.copy()
        answers[:, : read.asked] = np.nan
        some = [f"bit {bit + 1}" for bit in range(len(answers))]
        wrong = int(read.wrong.sum())
        said = f"{titles[read.run]}: output, {wrong} of {read.wrong.size} bits wrong"
        panels.append(_Panel(said, answers, some, _BIT * len(some)))
    taped = next((read for read in readings if isinstance(read, TapeReading)), None)
    if taped is not None:
        cells = used_cells(taped)
        height = min(max(_CELL * len(cells), 80), _MOST)
        for head, said in ((WRITE, "written at"), (READ, "read from")):
            weights = taped.weights[:, head, cells.start : cells.stop].T
            numbers = [f"cell {cell + 1}" for cell in cells]
            panels.append(
                _Panel(f"{titles[taped.run]}: {said} (weights over the cells of the tape)", weights, numbers, height)
            )
    return panels


def _rows(panel: _Panel, low: float, high: float) -> dict[str, Any]:
    count = len(panel.names)
    named = list(range(count)) if count <= 12 and panel.height / count >= _BIT else [0, count - 1]
    return {
        "domain": [low, high], "range": [count - 0.5, -0.5], "showgrid": False, "zeroline": False,
        "tickvals": named, "ticktext": [theme.plain(panel.names[row]) for row in named], "tickfont": {"size": 10},
    }  # fmt: skip


def _heading(text: str, top: float) -> dict[str, Any]:
    return {
        "text": theme.plain(text), "x": 0, "y": top, "xref": "paper", "yref": "paper", "xanchor": "left",
        "yanchor": "bottom", "showarrow": False, "font": {"size": 13},
    }  # fmt: skip


def _heat(panel: _Panel, number: int) -> go.Heatmap:
    rows, steps = panel.values.shape
    return go.Heatmap(
        z=panel.values, x=list(range(1, steps + 1)), y=list(range(rows)), yaxis="y" if number == 1 else f"y{number}",
        customdata=np.tile(np.arange(1, steps + 1, dtype=np.int32), (rows, 1)), coloraxis="coloraxis",
        hoverongaps=False,
        text=[[theme.plain(name)] * steps for name in panel.names],
        hovertemplate="step %{x}, %{text}: %{z:.2f}<extra></extra>",
    )  # fmt: skip


def _faults(read: SequenceReading, number: int) -> go.Scatter:
    """Return a cross on each wrong bit of a network's answer, in its panel."""
    places, bits = np.nonzero(read.wrong)
    return go.Scatter(
        x=(places + read.asked + 1).tolist(), y=bits.tolist(), mode="markers", hoverinfo="skip", yaxis=f"y{number}",
        marker={"symbol": "x-thin-open", "size": 7, "color": theme.NEGATIVE, "line": {"width": 2}},
    )  # fmt: skip


def _chosen(step: int) -> dict[str, Any]:
    return {
        "type": "rect", "x0": step - 0.5, "x1": step + 0.5, "y0": 0, "y1": 1, "yref": "paper",
        "line": {"color": theme.INK, "width": 1.25},
    }  # fmt: skip


def _alt(readings: Sequence[SequenceReading], titles: Mapping[str, str]) -> str:
    first = readings[0]
    told = "; ".join(
        f"{titles[read.run]}, epoch {read.epoch}: {int(read.wrong.sum())} of {read.wrong.size} output bits wrong"
        for read in readings
    )
    heads = "".join(
        f" {titles[read.run]} puts most write weight on cells {_course(read, WRITE)} and most read weight on cells "
        f"{_course(read, READ)}, from the first step to the last."
        for read in readings
        if isinstance(read, TapeReading)
    )
    return f"A sequence of {first.steps} steps; the output starts at step {first.asked + 1}. {told}.{heads}"


def _course(read: TapeReading, head: int) -> str:
    return " ".join(str(cell + 1) for cell in read.at[:, head].tolist())


def _table(readings: Sequence[SequenceReading]) -> Table:
    """Return a row for each step: what is read, what is answered, and the cell that each head turns to most."""
    first = readings[0]
    table: Table = {"step": np.arange(1, first.steps + 1)}
    table |= {f"input {place + 1}": column for place, column in enumerate(first.inputs.T)}
    asked = np.full((first.asked, first.targets.shape[1]), np.nan, dtype=np.float32)
    table |= {f"target {place + 1}": column for place, column in enumerate(np.concatenate([asked, first.targets]).T)}
    for read in readings:
        table |= {f"{read.run}, output {place + 1}": column for place, column in enumerate(read.answers.T)}
        if isinstance(read, TapeReading):
            for head, said in ((WRITE, "write"), (READ, "read")):
                table[f"{read.run}, {said} cell"] = read.at[:, head] + 1
                table[f"{read.run}, {said} weight"] = read.weights[:, head].max(axis=1)
                table[f"{read.run}, {said} interpolation gate"] = read.gate[:, head]
    return table
