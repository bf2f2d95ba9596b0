"""It adds up: a class score as a staircase from the bias, over the regions, to the score."""

from __future__ import annotations

from html import escape

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.numbers import number, unit_of_score
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.regions import PredictiveRegions
from nlpviz.text.vocabulary import shortened

_ROW, _EDGES = 24, 84  # pixels
_LETTERS = 26


def score_steps(result: PredictiveRegions, selected: str | None = None) -> FigureView:
    """Return the staircase of one text's class score, each step with its number.

    Args:
        result: the text's regions.
        selected: the id of the region that stands out.
    """
    climbed, unit = result.steps(), unit_of_score(len(result.class_names))
    amounts = np.array([step.amount for step in climbed])
    ends = np.cumsum(amounts)
    target, share = result.class_names[result.target], float(result.probabilities[result.target])
    names = [_name(step.name, bold=bool(step.id) and step.id == selected) for step in climbed]
    positions = list(range(len(climbed)))
    drawn = theme.figure(
        height=_ROW * (len(climbed) + 1) + _EDGES, x=f"class score, {unit}", showlegend=False,
        margin={"l": 8, "r": 8, "t": 8},
    )  # fmt: skip
    drawn.add_trace(
        go.Bar(
            x=amounts, base=(ends - amounts).tolist(), y=positions, orientation="h", marker=theme.signed_bars(amounts),
            customdata=[step.id or None for step in climbed], hoverinfo="text",
            hovertext=[f"{escape(step.name)}: {number(step.amount)}" for step in climbed],
        )
    )  # fmt: skip
    drawn.add_trace(
        go.Bar(
            x=[result.class_score], y=[len(climbed)], orientation="h", marker={"color": theme.MUTED}, hoverinfo="text",
            hovertext=[f"score of {escape(target)}: {number(result.class_score)}, {share:.0%}"],
        )
    )  # fmt: skip
    _write_numbers(drawn, [*zip(ends - amounts, ends, amounts, strict=True), (0.0, result.class_score, None)])
    drawn.update_layout(
        barmode="overlay",
        xaxis={"range": _range(ends, result.class_score), "zeroline": True, "nticks": 6},
        yaxis={
            "tickvals": [*positions, len(climbed)],
            "ticktext": [*names, f"<b>{_name(target, bold=False)} {share:.0%}</b>"],
            "range": [len(climbed) + 0.5, -0.5], "showgrid": False, "fixedrange": True,
        },
    )  # fmt: skip
    said = "; ".join(f"{step.name} {number(step.amount)}" for step in climbed)
    return FigureView(
        figure=drawn,
        alt=f"How the score of {target} adds up: {said}; in total {number(result.class_score)}, {share:.0%}.",
        table={
            "step": [*(step.name for step in climbed), "class score"],
            f"contribution, {unit}": np.array([*amounts, result.class_score], dtype=np.float32),
            f"running total, {unit}": np.array([*ends, result.class_score], dtype=np.float32),
        },
        caption=provenance(f"{result.run}, epoch {result.epoch}", f"class score of {target}"),
        name=f"{result.run}-epoch-{result.epoch}-class-score",
    )


def _write_numbers(drawn: go.Figure, bars: list[tuple[float, float, float | None]]) -> None:
    """Write each bar's number beside its right end; a bar without a number is the sum, which shows where it ends."""
    for position, (start, end, amount) in enumerate(bars):
        text = number(end) if amount is None else number(amount)
        drawn.add_annotation(
            text=f"<b>{text}</b>" if amount is None else text, x=max(start, end), y=position, xanchor="left",
            showarrow=False, font={"size": 12, "color": theme.MUTED},
        )  # fmt: skip


def _range(ends: np.ndarray, score: float) -> list[float]:
    """Return limits with room for a number at the right."""
    low, high = min(0.0, float(ends.min()), score), max(0.0, float(ends.max()), score)
    width = (high - low) or 1.0
    return [low - 0.04 * width, high + 0.16 * width]


def _name(name: str, *, bold: bool) -> str:
    short = escape(shortened(name, _LETTERS))
    return f"<b>{short}</b>" if bold else short
