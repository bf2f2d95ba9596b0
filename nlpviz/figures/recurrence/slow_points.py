"""Slow points of a network in state space, and how long deviations from them last."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import panels, phone, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.recurrence.plane import unit_of
from nlpviz.figures.recurrence.review_ends import IN_A_ROW, arrange, boundary, bounds, cloud, plane_axes
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.dynamics import FIXED, LASTING, SLOW, SlowPoints
from nlpviz.results.state_plane import StatePlane

_HEIGHT, _CURVES, _KEY = 340, 340, 30  # pixels
_KINDS = (
    ("fixed point", "circle", theme.MAGNITUDE),
    ("slow point", "circle-open", theme.MAGNITUDE),
    ("still moving", "x", theme.MUTED),
)
_SHOWN = 8  # directions
_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross")
_LONGEST = 1e4  # words, at the top of the axis
_QUARTILES = ("lower quartile", "median", "upper quartile")


def slow_points_map(
    shown: Sequence[SlowPoints], planes: Sequence[StatePlane], names: Sequence[str], target: int
) -> FigureView:
    """Return the slow points over where test documents end, one panel a checkpoint.

    Args:
        shown: the points, of one input.
        planes: for each checkpoint the plane to draw them in.
        names: the classes.
        target: the index of the class whose score the planes have.
    """
    unit = unit_of(planes[0])
    arranged = arrange(shown)
    traces: list[go.Scatter] = []
    axes: dict[str, dict[str, object]] = {}
    for panel, one, drawn in zip(arranged, shown, planes, strict=True):
        points = drawn.place(one.places, one.scores)
        ends = drawn.place(drawn.space.ends, drawn.space.scores)
        box = bounds(np.concatenate([points, ends]))
        here = {"xaxis": f"x{panel.number}", "yaxis": f"y{panel.number}"}
        first = panel.number == 1
        traces += cloud(drawn.space, ends, names, target, here, first=first)
        traces += _marks(one, points, unit, here, first=first)
        traces += boundary(drawn, box, here, first=first)
        axes |= plane_axes(panel, drawn, box)
    width = 260 * min(len(shown), IN_A_ROW)
    return FigureView(
        figure=panels.figure(
            arranged, _HEIGHT, traces=traces, axes=axes, key=_KEY, meta=phone.least_width(width),
            legend={"y": 1, "yref": "container", "yanchor": "top"},
        ),
        alt=_alt(shown, unit),
        table=_table(shown, unit),
        caption=provenance(panels.checkpoints(shown), *_how(shown),
                           "diamonds: a perturbation grows in at least one direction"),
        name=panels.file_name(shown, "slow-points"),
    )  # fmt: skip


def time_constant_curves(shown: Sequence[SlowPoints], run_title: str) -> FigureView:
    """Return the longest time constants at every epoch: medians over the slow points, with quartiles in the table.

    Args:
        shown: of one run and one input, one for each kept epoch.
        run_title: what people call the run.
    """
    rows = [(one, *_quartiles(one)) for one in shown]
    ranks = np.arange(1, _SHOWN + 1)
    longest = max(LASTING, *(float(middle.max()) for _, _, middle, _ in rows))
    curves = [_curve(one.epoch, middle, step, len(rows)) for step, (one, _, middle, _) in enumerate(rows)]
    drawn = theme.figure(
        curves, height=_CURVES, x="direction, slowest first", y="time constant τ, words", margin={"t": 40},
        xaxis={"range": [0.6, _SHOWN + 0.4], "tickvals": ranks.tolist(), "showgrid": False, "zeroline": False},
        yaxis={
            "type": "log", "range": [-0.3, np.log10(min(longest, _LONGEST)) + 0.2], "tickvals": [1, 10, 100, 1e3, 1e4],
        },
        shapes=[theme.line_at(y=LASTING, xref="paper")],
        annotations=[
            {
                "text": f"τ = {LASTING:g}", "xref": "paper", "x": 1, "xanchor": "right", "yanchor": "bottom",
                "y": np.log10(LASTING), "showarrow": False, "font": {"size": 12, "color": theme.MUTED},
            }
        ],
    )  # fmt: skip
    said = "; ".join(
        f"epoch {one.epoch}: {', '.join(_words(value) for value in middle[:3])}" for one, _, middle, _ in rows
    )
    return FigureView(
        figure=drawn,
        alt=f"The three largest time constants at the slow points of {run_title} (medians): {said}.",
        table=table_of(
            ("run", "epoch", "direction", *(f"time constant, {of}" for of in _QUARTILES)),
            [(one.run, one.epoch, ranks, *quartiles) for one, *quartiles in rows],
        ),
        caption=provenance(panels.checkpoints(shown), *_how(shown)),
        name=panels.file_name(shown, "time-constants"),
    )


def _curve(epoch: int, medians: NDArray[np.float64], step: int, count: int) -> go.Scatter:
    """Return the curve of one epoch; ``step`` of ``count`` curves precede it."""
    return go.Scatter(
        x=np.arange(1, _SHOWN + 1), y=np.minimum(medians, _LONGEST), mode="lines+markers", name=f"epoch {epoch}",
        line={"color": theme.epoch_color(step, count - 1), "width": 2},
        marker={"size": 8, "symbol": _SYMBOLS[step % len(_SYMBOLS)]}, hoverinfo="text",
        hovertext=[f"epoch {epoch}, direction {rank}: τ {_words(value)}" for rank, value in enumerate(medians, 1)],
    )  # fmt: skip


def _quartiles(one: SlowPoints) -> NDArray[np.float64]:
    """Return quartiles and median (3, 8) of the longest time constants."""
    longest = one.longest()
    filled = np.zeros((len(longest), _SHOWN))
    filled[:, : longest.shape[1]] = longest[:, :_SHOWN]
    return np.asarray(np.percentile(filled, [25, 50, 75], axis=0))


def _words(value: float) -> str:
    return f"{value:,.0f} words" if value < _LONGEST else f"over {_LONGEST:,.0f} words"


def _marks(
    one: SlowPoints, points: NDArray[np.float64], unit: str, here: dict[str, str], *, first: bool
) -> list[go.Scatter]:
    """Return the points, a trace for each kind; those in which a deviation grows are diamonds."""
    members = (one.fixed, one.slow & ~one.fixed, ~one.slow)
    said = [
        f"{unit} {number(float(score))}, speed {speed:.1e} of a typical step, τ "
        + ", ".join(_words(value) for value in sorted(taus, reverse=True)[:2])
        + (f"; perturbations grow in {growing} direction{'s' * (growing != 1)}" if growing else "")
        for score, speed, taus, growing in zip(
            one.scores, one.speeds, one.time_constants, one.unstable.tolist(), strict=True
        )
    ]
    result = []
    for (name, symbol, color), own in zip(_KINDS, members, strict=True):
        symbols = [symbol.replace("circle", "diamond") if grows else symbol for grows in one.unstable[own] > 0]
        result.append(
            go.Scatter(
                x=points[own, 0], y=points[own, 1], mode="markers", name=name, legendgroup=name,
                showlegend=bool(first or own.any()) and first,
                marker={"color": color, "symbol": symbols or symbol, "size": 9, "line": {"width": 1.8, "color": color}},
                hovertext=[words for words, is_own in zip(said, own, strict=True) if is_own], hoverinfo="text", **here,
            )
        )  # fmt: skip
    return result


def _how(shown: Sequence[SlowPoints]) -> tuple[str, ...]:
    word = "the mean word vector" if shown[0].input == "mean" else "no input (zero vector)"
    return (f"input: {word}", f"fixed: speed below {FIXED:g} of a typical step; slow: below {SLOW:g}")


def _alt(shown: Sequence[SlowPoints], unit: str) -> str:
    said = [
        f"{panel.title}: {int(one.fixed.sum())} fixed and {int((one.slow & ~one.fixed).sum())} slow points of "
        f"{len(one.speeds)}, {unit} {number(float(one.scores.min()))} to {number(float(one.scores.max()))}, "
        f"{one.shares[0]:.0%} of their variance along one axis"
        for panel, one in zip(panels.arrange(shown), shown, strict=True)
    ]
    return f"Slow points of the network in its state space. {'. '.join(said)}."


def _table(shown: Sequence[SlowPoints], unit: str) -> Table:
    """Return a row for each point at each checkpoint."""
    return {
        "run": [one.run for one in shown for _ in one.speeds],
        "epoch": [one.epoch for one in shown for _ in one.speeds],
        "speed, share of a step": np.concatenate([one.speeds for one in shown]),
        unit: np.concatenate([one.scores for one in shown]),
        "largest time constant, words": np.concatenate([one.time_constants.max(axis=1) for one in shown]),
        "growing directions": np.concatenate([one.unstable for one in shown]),
        "PC 1": np.concatenate([one.places[:, 0] for one in shown]),
        "PC 2": np.concatenate([one.places[:, 1] for one in shown]),
    }
