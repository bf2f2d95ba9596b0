"""Bars with an n-gram each: its words stand on the other side of zero, where they have room on a phone too.

Each label is a point of its own, so that arrow keys step from one to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import phone, theme
from nlpviz.text.vocabulary import shortened

_ROW, _EDGES = 21, 58  # pixels
_LETTERS, _LETTERS_ONE_WAY = 34, 40
_ROOM = 2.0  # each half of the figure, in lengths of the longest bar: what a label, or a bar with its note, needs
_ROOM_WHERE_NARROW = 2.9
_LABELS, _BARS = 1.3, 1.6  # the two parts where all bars go one way
_PHONE, _LETTER = 350, 6.8  # pixels: of a figure on a phone, and of a letter


class BarRow(NamedTuple):
    """One bar.

    Attributes:
        label: plain text.
        value: the bar's length and side.
        note: short plain text at its end.
        hover: plain text.
        id: what a click hands on.
    """

    label: str
    value: float
    note: str
    hover: str
    id: str


class Group(NamedTuple):
    """Bars under one heading; it may be empty."""

    heading: str
    rows: Sequence[BarRow]


def labelled_bars(
    groups: Sequence[Group], unit: str, scale: float, *, signed: bool = True, selected: str | None = None
) -> go.Figure:
    """Return the bars, one group under the other.

    Args:
        groups: the bars.
        unit: of a bar, written below.
        scale: the longest bar of all figures that are compared.
        signed: whether bars go both ways and are coloured by sign.
        selected: the id of the bar that stands out.
    """
    longest, step = scale or 1.0, _round(scale or 1.0)
    left, right = (_ROOM, _ROOM) if signed else (_LABELS, _BARS)
    narrow = [-_ROOM_WHERE_NARROW, _ROOM_WHERE_NARROW] if signed else [-_labels_on_a_phone(groups), _BARS]
    count = max(sum(len(group.rows) + bool(group.heading) for group in groups), 3)
    drawn = theme.figure(
        height=_ROW * count + _EDGES, x=unit, showlegend=False, bargap=0.2, margin={"l": 8, "r": 8, "t": 6},
        xaxis={
            "range": [-left * longest, right * longest], "zeroline": True,
            "tickvals": [-step, 0, step] if signed else [0, step],
        },
        yaxis={"range": [count - 0.5, -0.5], "visible": False, "fixedrange": True},
        meta=phone.where_narrow({"xaxis.range": [end * longest for end in narrow]}),
    )  # fmt: skip
    position = 0
    rows: dict[int, BarRow] = {}
    for heading, members in groups:
        if heading:
            drawn.add_annotation(
                text=f"<i>{theme.plain(heading)}</i>", xref="x domain", x=0, y=position, xanchor="left",
                showarrow=False, font={"size": 12, "color": theme.MUTED},
            )  # fmt: skip
            position += 1
        rows |= dict(enumerate(members, start=position))
        position += len(members)
    drawn.add_traces(_traces(rows, signed, selected))
    return drawn


def _labels_on_a_phone(groups: Sequence[Group]) -> float:
    """Return the room that the longest label needs there, in lengths of the longest bar."""
    letters = max((len(row.label) for group in groups for row in group.rows), default=0)
    label = (min(letters, _LETTERS_ONE_WAY) + 3) * _LETTER
    return max(_LABELS, _BARS * label / (_PHONE - label))


def _traces(rows: dict[int, BarRow], signed: bool, selected: str | None) -> list[go.Bar | go.Scatter]:
    """Return the bars and their labels, by the height at which they stand."""
    values, positions = np.array([row.value for row in rows.values()]), list(rows)
    chosen = [row.id == selected for row in rows.values()]
    same = {
        "customdata": [row.id for row in rows.values()],
        "hovertext": [theme.plain(row.hover) for row in rows.values()],
        "hoverinfo": "text",
    }
    marker = theme.signed_bars(values) if signed else {"color": theme.MAGNITUDE}
    outline = {"color": theme.INK, "width": [2 if one else 0 for one in chosen]}
    most = _LETTERS if signed else _LETTERS_ONE_WAY
    labels = [_label(row.label, most, bold=one) for row, one in zip(rows.values(), chosen, strict=True)]
    return [
        go.Bar(
            x=values, y=positions, orientation="h", marker={**marker, "line": outline}, textposition="outside",
            text=[theme.plain(row.note) for row in rows.values()], textfont={"size": 12, "color": theme.MUTED}, **same,
        ),
        go.Scatter(
            x=np.zeros(len(rows)), y=positions, mode="markers+text", text=labels, textfont={"size": 13},
            textposition=[f"middle {'right' if value < 0 else 'left'}" for value in values],
            marker={"size": 1, "opacity": 0, "color": theme.INK}, **same,
        ),
    ]  # fmt: skip


def _label(label: str, most: int, *, bold: bool) -> str:
    """Return a label of bounded length, with a space to the bar beside it."""
    short = theme.plain(shortened(label, most))
    return f"\u00a0<b>{short}</b>\u00a0" if bold else f"\u00a0{short}\u00a0"


def _round(value: float) -> float:
    """Return the largest of 1, 2, 5, 10, … or their tenths that ``value`` reaches."""
    power = 10.0 ** np.floor(np.log10(value))
    return float(max(step for step in (1, 2, 5) if step * power <= value * (1 + 1e-9)) * power)
