"""How often networks answer sequences wrongly, by their length: what was trained on, and what is beyond it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import plotly.graph_objects as go

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.view import FigureView, provenance, table_of
from nlpviz.results.tape import LengthError

_HEIGHT = 440
_CHANCE = 0.5
_DASHES = ("solid", "dash", "dot", "dashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up")


class RunLengths(NamedTuple):
    """What one epoch of a run reaches: its name, title, epoch, and errors by length, ascending."""

    run: str
    title: str
    epoch: int
    rows: Sequence[LengthError]


def length_figure(shown: Sequence[RunLengths], unit: str, longest: int, task: str) -> FigureView:
    """Return a line for each network: the share of wrong bits by length, beside chance.

    Args:
        shown: the networks.
        unit: what a length counts.
        longest: the longest sequences that were trained on.
        task: the task's name.
    """
    lengths = sorted({row.length for one in shown for row in one.rows})
    drawn = direct_labels.figure(
        [_line(one, place) for place, one in enumerate(shown)],
        height=_HEIGHT, x=f"length ({unit})", y="share of wrong bits",
        yaxis={"range": [-0.01, 0.55], "tickformat": ".0%"}, xaxis={"range": [0, lengths[-1] + 1]},
        shapes=[
            {
                "type": "rect", "x0": 0, "x1": longest, "y0": 0, "y1": 1, "yref": "paper", "line": {"width": 0},
                "fillcolor": theme.MUTED, "opacity": 0.1, "layer": "below",
            },
            theme.line_at(y=_CHANCE, dash="dash", xref="paper"),
        ],
        annotations=[
            {"text": "trained", "x": longest, "y": 0.49, "showarrow": False, "xanchor": "right", "font": {"size": 12}},
            {"text": "chance", "x": 1, "xref": "paper", "y": _CHANCE, "showarrow": False, "xanchor": "right",
             "yanchor": "bottom", "font": {"size": 12}},
        ],
    )  # fmt: skip
    said = "; ".join(
        f"{one.title}, epoch {one.epoch}: "
        + ", ".join(f"{row.error:.1%} at {row.length}" for row in one.rows if row.length >= longest)
        for one in shown
    )
    return FigureView(
        figure=drawn,
        alt=f"Share of wrong bits by length in {unit}, after training on lengths up to {longest}. {said}.",
        table=table_of(
            ("run", "epoch", f"length ({unit})", "sequences", "share of wrong bits", "sequences without errors"),
            [(one.run, one.epoch, *measured) for one in shown for _, *measured in one.rows],
        ),
        caption=provenance(
            "; ".join(f"{one.run}, epoch {one.epoch}" for one in shown),
            f"{shown[0].rows[0].sequences:,} test sequences of each length",
            f"grey: lengths seen in training (up to {longest} {unit})",
        ),
        name=f"{task}-errors-by-length",
    )


def _line(one: RunLengths, place: int) -> go.Scatter:
    color = theme.CATEGORIES[place % len(theme.CATEGORIES)]
    return go.Scatter(
        x=[row.length for row in one.rows], y=[row.error for row in one.rows], name=escape(one.title),
        mode="lines+markers", line={"color": color, "width": 2, "dash": _DASHES[place % len(_DASHES)]},
        marker={"color": color, "size": 8, "symbol": _SYMBOLS[place % len(_SYMBOLS)]},
        hovertext=[
            f"{escape(one.title)}, {row.length}: {row.error:.2%} of the bits wrong, {row.exact:.0%} of the "
            f"sequences without errors"
            for row in one.rows
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip
