"""One sequence of a toy task as a network reads it: symbols, target, answers, and under them states and gates."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import phone, theme
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.states import HIDDEN_STATE
from nlpviz.results.toys import ToyFacts, ToyReading

_ROW, _PANEL, _SPACE = 26, 92, 14  # pixels: a row of text, a heatmap, between two
_STEP, _NAMES = 17, 150  # pixels: a step at least, the names at the left with the margins
_TOP, _BOTTOM = 8, 44


def reading_figure(facts: ToyFacts, read: ToyReading, example: int, length: int) -> FigureView:
    """Return the sequence with what the network answered after each step, its states and gates under it.

    Args:
        facts: of the task.
        read: one sequence, read by one network.
        example: its number, from 1.
        length: of the task.
    """
    rows = [*zip(facts.channels, read.symbols, strict=True), ("target", read.targets), ("prediction", read.answers)]
    panels = [(HIDDEN_STATE, read.states, False)]
    panels += [(part.name, read.parts[part.name], part.is_gate) for part in read.about]
    steps, texts = len(read.answers), _ROW * len(rows)
    inner = texts + (_PANEL + _SPACE) * len(panels)
    letters = max(len(text) for _, some in rows for text in some)
    layout = _axes([name for name, _ in rows], steps, len(panels), texts / inner)
    traces: list[object] = [_words(rows, read, letters)]
    for number, (name, values, is_gate) in enumerate(panels, start=2):
        top = inner - texts - _SPACE - (number - 2) * (_PANEL + _SPACE)
        layout[f"yaxis{number}"] = _bare(max(top - _PANEL, 0) / inner, top / inner) | {
            "range": [values.shape[1] + 0.5, 0.5], "tickvals": [(values.shape[1] + 1) / 2],
            "ticktext": [name if is_gate else f"{name}<br>±{_largest(values):.2g}"],
        }  # fmt: skip
        traces.append(_heat(name, values, number, is_gate=is_gate))
    if any(gate for _, _, gate in panels):
        layout["coloraxis"] = {"colorscale": theme.WEIGHT_SCALE, "cmin": 0, "cmax": 1, "colorbar": _bar("gate", 1)}
    drawn = theme.figure(
        traces, height=inner + _TOP + _BOTTOM, margin={"l": 112, "r": 84, "t": _TOP, "b": _BOTTOM}, showlegend=False,
        meta=phone.least_width(max(_STEP, 5.6 * letters) * steps + _NAMES + 60),
        uirevision=f"{facts.name} {length}", **layout,
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(facts, read),
        table=_table(facts, read, panels),
        caption=provenance(
            facts.title, read.title, f"example {example}", f"after {read.step:,} training steps", "last layer"
        ),
        name=f"{facts.name}-{read.network}-example-{example}",
    )


def _axes(names: list[str], steps: int, panels: int, share: float) -> dict[str, Any]:
    """Return the axis of steps, which all share, and that of the rows of text, which take ``share`` of the height."""
    return {
        "xaxis": {
            "range": [0.5, steps + 0.5], "title": {"text": "step"}, "showgrid": False, "zeroline": False,
            "anchor": f"y{panels + 1}", "dtick": 1 if steps <= 24 else 5 if steps <= 110 else 20,
            "tick0": 1 if steps <= 24 else 5,
        },
        "yaxis": _bare(1 - share, 1) | {
            "range": [len(names) - 0.5, -0.5], "tickvals": list(range(len(names))),
            "ticktext": [escape(name) for name in names],
        },
    }  # fmt: skip


def _bare(low: float, high: float) -> dict[str, Any]:
    return {"domain": [low, high], "showgrid": False, "zeroline": False, "anchor": "x", "fixedrange": True}


def _bar(title: str, place: int) -> dict[str, Any]:
    """Return a colour bar: that of states over that of gates, beside the heatmaps."""
    return {
        "thickness": 10, "len": 84, "lenmode": "pixels", "y": 0.62 - 0.32 * place, "yanchor": "top", "nticks": 3,
        "title": {"text": title, "font": {"size": 12}}, "outlinewidth": 0,
    }  # fmt: skip


def _words(rows: list[tuple[str, tuple[str, ...]]], read: ToyReading, letters: int) -> go.Scatter:
    """Return the rows of text; an answer is blue where right, vermillion and struck out where wrong."""
    x, y, text, colors, told = [], [], [], [], []
    for row, (name, some) in enumerate(rows):
        for step, (word, right) in enumerate(zip(some, read.right, strict=True)):
            answer = name == "prediction"
            x.append(step + 1)
            y.append(row)
            wrong = answer and right is False
            text.append(f"<s>{escape(word)}</s>" if wrong else escape(word))
            known = {True: theme.POSITIVE, False: theme.NEGATIVE, None: theme.MUTED}[right]
            colors.append(known if answer else theme.INK)
            sure = float(read.sure[step])
            more = f", probability {sure:.0%}" if answer and not np.isnan(sure) else ""
            verdict = {True: ", right", False: ", wrong", None: ", not scored"}[right] if answer else ""
            told.append(f"step {step + 1}, {escape(name)}: {escape(word) or 'none'}{more}{verdict}")
    return go.Scatter(
        x=x, y=y, mode="text", text=text, textfont={"size": 11 if letters > 2 else 14, "color": colors},
        hovertext=told, hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip


def _heat(name: str, values: NDArray[np.float32], number: int, *, is_gate: bool) -> go.Heatmap:
    """Return one quantity, a row a unit: gates all on one scale, others each on its own, which its name tells."""
    steps, units = values.shape
    most = _largest(values)
    bar = _bar("state", 0) | {"tickvals": [-most, 0, most], "ticktext": ["−", "0", "+"]}
    scale: dict[str, Any] = {"coloraxis": "coloraxis"}
    if not is_gate:
        scale = {"colorscale": theme.SIGNED_SCALE, "zmin": -most, "zmax": most, "colorbar": bar,
                 "showscale": name == HIDDEN_STATE}  # fmt: skip
    return go.Heatmap(
        z=values.T, x=list(range(1, steps + 1)), y=list(range(1, units + 1)), yaxis=f"y{number}",
        hovertemplate=f"{name}, step %{{x}}, unit %{{y}}: %{{z:.2f}}<extra></extra>", **scale,
    )  # fmt: skip


def _largest(values: NDArray[np.float32]) -> float:
    """Return the largest absolute value that is a number, 1 where there is none but zeros."""
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max(initial=0)) or 1.0


def _alt(facts: ToyFacts, read: ToyReading) -> str:
    sequence = "; ".join(
        f"{name} {' '.join(word or '-' for word in some)}"
        for name, some in zip(facts.channels, read.symbols, strict=True)
    )
    counted = [right for right in read.right if right is not None]
    return (
        f"{facts.title}, read by {read.title} after {read.step} training steps. {sequence}. "
        f"Targets {' '.join(word for word in read.targets if word)}; {sum(counted)} of {len(counted)} scored "
        f"predictions are right. Below are the values of {read.states.shape[1]} units at each step: "
        f"{', '.join([HIDDEN_STATE, *(part.name for part in read.about)])}."
    )


def _table(
    facts: ToyFacts, read: ToyReading, panels: list[tuple[str, NDArray[np.float32], bool]]
) -> dict[str, list[object] | NDArray[np.float32] | NDArray[np.int64]]:
    """Return a row for each step and unit."""
    steps, units = read.states.shape
    table: dict[str, list[object] | NDArray[np.float32] | NDArray[np.int64]] = {
        "step": np.repeat(np.arange(1, steps + 1), units),
        "unit": np.tile(np.arange(1, units + 1), steps),
    }
    texts = zip((*facts.channels, "target", "answer"), (*read.symbols, read.targets, read.answers), strict=True)
    table |= {name: [word for word in some for _ in range(units)] for name, some in texts}
    return table | {name: values.ravel() for name, values, _ in panels}
