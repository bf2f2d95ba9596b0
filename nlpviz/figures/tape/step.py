"""One step of a network with a tape: how each head comes to its weighting, and the tape itself; played step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import phone, theme
from nlpviz.figures.frames import Frame, FrameTrace, Playback
from nlpviz.figures.numbers import number
from nlpviz.figures.tape.sequence import used_cells
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.tape import READ, WRITE, TapeReading

STAGES = (
    ("content", "content"),
    ("gated", "interpolated"),
    ("shifted", "shifted"),
    ("weights", "sharpened"),
)
_ROW, _TAPE, _TOP, _BOTTOM = 74, 200, 40, 44  # pixels
_GAP = 0.03
_WIDTH = 560


def step_figure(read: TapeReading, step: int) -> FigureView:
    """Return the four stages of both heads' addressing at a step, the writing one left, and the tape after it.

    The browser plays all steps.

    Args:
        read: the sequence.
        step: the one that is shown, from 1.
    """
    traces = _traces(read, step, go.Scatter, go.Heatmap)
    inner = len(STAGES) * _ROW + _TAPE
    drawn = theme.figure(
        traces, height=inner + _TOP + _BOTTOM, showlegend=False, margin={"l": 64, "r": 52, "t": _TOP, "b": _BOTTOM},
        coloraxis={
            "colorscale": theme.SIGNED_SCALE, "cmin": -_largest(read), "cmax": _largest(read),
            "colorbar": {
                "thickness": 10, "len": _TAPE - 40, "lenmode": "pixels", "y": 0, "yanchor": "bottom", "nticks": 5,
                "x": 1, "xpad": 6,  # in the margin whatever the width: a share of a wide figure reaches over its edge
            },
        },
        annotations=_headings(), meta=phone.least_width(_WIDTH), **_axes(read, inner),
    )  # fmt: skip
    frames = tuple(
        Frame(
            str(one), f"Step {one} of {read.steps}",
            _traces(read, one, FrameTrace, FrameTrace) if one != step else [], {}, **_words(read, one),
        )
        for one in range(1, read.steps + 1)
    )  # fmt: skip
    playback = Playback(str(step), 0, frames, verb="Play the steps", noun="Step", stepped=True)
    return FigureView(figure=drawn, table=_table(read, step), playback=playback, **_words(read, step))


def told(read: TapeReading, step: int, head: int) -> str:
    """Return what a head does at a step, in words with the numbers that the controller emits."""
    place = step - 1
    gate, moved = float(read.gate[place, head]), float(read.moved[place, head])
    shift = "no shift" if abs(moved) < 0.005 else f"shift of {number(moved)} cells on average"
    return (
        f"{gate:.0%} content addressing (key strength {float(read.strength[place, head]):.1f}) and {1 - gate:.0%} "
        f"previous position; {shift}; sharpening {float(read.sharpening[place, head]):.1f}; most weight on cell "
        f"{int(read.at[place, head]) + 1} ({float(read.weights[place, head].max()):.0%})"
    )


def _traces(read: TapeReading, step: int, line: Any, heat: Any) -> list[Any]:  # noqa: ANN401 - of a figure or a frame
    cells, place = used_cells(read), step - 1
    numbers = [cell + 1 for cell in cells]
    traces = []
    for column, head in enumerate((WRITE, READ)):
        color = theme.NEGATIVE if head == WRITE else theme.POSITIVE
        for row, (name, _) in enumerate(STAGES):
            values = getattr(read, name)[place, head, cells.start : cells.stop].astype(np.float64)
            axis = 2 * row + column + 1
            traces.append(
                line(
                    type="scatter", x=numbers, y=values, mode="lines",
                    line={"color": color, "width": 1.5, "shape": "hvh"}, fill="tozeroy",
                    fillcolor=color + "40", xaxis=_axis("x", axis), yaxis=_axis("y", axis),
                    hovertemplate="cell %{x}: %{y:.3f}<extra></extra>",
                )
            )  # fmt: skip
    tape = np.ascontiguousarray(read.tape[place, cells.start : cells.stop].T.astype(np.float64).round(3))
    traces.append(
        heat(
            type="heatmap", z=tape, x=numbers, coloraxis="coloraxis", xaxis="x9", yaxis="y9",
            hovertemplate="cell %{x}, component %{y}: %{z:.2f}<extra></extra>",
        )
    )  # fmt: skip
    return traces


def _axis(letter: str, axis: int) -> str:
    return letter if axis == 1 else f"{letter}{axis}"


def _axes(read: TapeReading, inner: int) -> dict[str, Any]:
    cells = used_cells(read)
    across = [cells.start + 0.5, cells.stop + 0.5]
    axes: dict[str, Any] = {}
    for axis in range(1, 2 * len(STAGES) + 1):
        row, column = divmod(axis - 1, 2)
        high = 1 - row * _ROW / inner
        left = column * (0.5 + _GAP / 2)
        axes[f"xaxis{axis}"] = {
            "domain": [left, min(left + 0.5 - _GAP / 2, 1)], "anchor": f"y{axis}", "range": across, "showgrid": False,
            "showticklabels": False, "zeroline": False,
        }  # fmt: skip
        axes[f"yaxis{axis}"] = {
            "domain": [high - (_ROW - 22) / inner, high], "anchor": f"x{axis}", "range": [0, 1], "tickvals": [0, 1],
            "showticklabels": column == 0, "showgrid": False, "zeroline": True,
        }  # fmt: skip
    axes["xaxis9"] = {
        "domain": [0, 1], "anchor": "y9", "range": across, "showgrid": False, "title": {"text": "tape cell"},
        "zeroline": False,
    }  # fmt: skip
    axes["yaxis9"] = {
        "domain": [0, (_TAPE - 28) / inner], "anchor": "x9", "showgrid": False, "title": {"text": "numbers"},
        "zeroline": False, "range": [read.tape.shape[2] - 0.5, -0.5], "showticklabels": False,
    }  # fmt: skip
    return axes


def _headings() -> list[dict[str, Any]]:
    inner = len(STAGES) * _ROW + _TAPE
    headings = []
    for column, head in enumerate(("Write head", "Read head")):
        for row, (_, said) in enumerate(STAGES):
            text = f"<b>{head}</b>: {said}" if row == 0 else said
            headings.append((text, column * (0.5 + _GAP / 2), 1 - row * _ROW / inner))
    headings.append(("<b>The tape after the step</b>", 0.0, (_TAPE - 28) / inner))
    return [
        {
            "text": text, "x": left, "y": top, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom",
            "showarrow": False, "font": {"size": 12},
        }
        for text, left, top in headings
    ]  # fmt: skip


def _largest(read: TapeReading) -> float:
    return float(np.abs(read.tape).max()) or 1.0


def _words(read: TapeReading, step: int) -> dict[str, str]:
    return {
        "alt": f"Step {step} of {read.steps}. Write head: {told(read, step, WRITE)}. "
        f"Read head: {told(read, step, READ)}.",
        "caption": provenance(
            f"{read.run}, epoch {read.epoch}", f"step {step} of {read.steps}",
            f"tape colour scale ends at ±{number(_largest(read), signed=False)}",
        ),
        "name": f"{read.run}-epoch-{read.epoch}-step-{step}",
    }  # fmt: skip


def _table(read: TapeReading, step: int) -> Table:
    """Return a row for each cell: the stages of both heads, and the numbers of the tape."""
    place = step - 1
    table: Table = {"cell": np.arange(1, read.cells + 1)}
    for head, name in ((WRITE, "write"), (READ, "read")):
        table |= {f"{name}, {said}": getattr(read, stage)[place, head] for stage, said in STAGES}
    return table | {f"component {one + 1}": column for one, column in enumerate(read.tape[place].T)}
