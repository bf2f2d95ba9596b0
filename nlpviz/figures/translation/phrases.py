"""Phrases by what the encoder holds of them at their end, in the plane of their first two principal components."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import map_panels, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, provenance

_HEIGHT = 520
_MARGIN = 0.3  # of the span, so that labels have room
_LETTERS, _LETTER, _LINE, _BESIDE = 22, 6.2, 16.0, 7.0  # of a line; pixels of a letter, a line, beside a point
_MARK = 10  # pixels
_PLOT = np.array([[310.0, 430.0], [640.0, 430.0]])  # pixels of the plot: on a phone, and beside the phrases
_SIDES = {
    "top center": (0, 1), "bottom center": (0, -1), "middle right": (1, 0), "middle left": (-1, 0),
    "top right": (1, 1), "top left": (-1, 1), "bottom right": (1, -1), "bottom left": (-1, -1),
}  # fmt: skip
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "triangle-down", "star")


@dataclass(frozen=True)
class PhraseMap:
    """Where phrases lie.

    Attributes:
        run: the run whose encoder read them.
        epoch: of its weights.
        held: what of the encoder stands for a phrase, for example ``"encoder's last hidden state"``.
        phrases: N of them, as they were typed.
        groups: (N,), the number of each phrase's group, from 0.
        coordinates: (N, 2).
        share: of the variance of their states that the plane holds.
    """

    run: str
    epoch: int
    held: str
    phrases: tuple[str, ...]
    groups: NDArray[np.int64]
    coordinates: NDArray[np.float32]
    share: float


class _Label(NamedTuple):
    """What stands at a point, and on which side of it."""

    text: str
    side: str


def phrase_map(result: PhraseMap) -> FigureView:
    """Return the phrases as points, a colour and a mark for each group, labelled where there is room, else numbered."""
    x, y = result.coordinates.T
    drawn = theme.figure(
        height=_HEIGHT, x="first principal component", y="second", showlegend=False, margin={"t": 16},
        meta=map_panels.MAP,
        xaxis={"zeroline": False, "nticks": 6, "range": _span(x)},
        yaxis={"zeroline": False, "nticks": 6, "range": _span(y)},
    )  # fmt: skip
    labels = _labels(result)
    for group in np.unique(result.groups).tolist():
        positions = np.flatnonzero(result.groups == group).tolist()
        drawn.add_trace(
            go.Scatter(
                x=x[positions], y=y[positions], mode="markers+text", text=[labels[index].text for index in positions],
                textposition=[labels[index].side for index in positions], textfont={"size": 12, "color": theme.INK},
                customdata=[str(position + 1) for position in positions], cliponaxis=False,
                marker={
                    "size": _MARK, "color": theme.CATEGORIES[group % len(theme.CATEGORIES)],
                    "symbol": _SYMBOLS[group % len(_SYMBOLS)],
                },
                hovertext=[f"{index + 1}: {escape(result.phrases[index][:200])}" for index in positions],
                hoverinfo="text",
            )
        )  # fmt: skip
    said = "; ".join(
        f"{phrase} {number(one)}, {number(other)}"
        for phrase, (one, other) in zip(result.phrases, result.coordinates, strict=True)
    )
    return FigureView(
        figure=drawn,
        alt=f"{len(result.phrases)} phrases in a plane that explains {result.share:.0%} of their variance: {said}.",
        table={
            "number": np.arange(1, len(x) + 1),
            "phrase": list(result.phrases),
            "group": result.groups + 1,
            "first component": x,
            "second": y,
        },
        caption=provenance(
            f"{result.run}, epoch {result.epoch}",
            result.held,
            "PCA",
            f"explained variance {result.share:.0%}",
        ),
        name=f"{result.run}-epoch-{result.epoch}-phrases",
    )


def _span(values: NDArray[np.float32]) -> list[float]:
    low, high = float(values.min()), float(values.max())
    room = max(high - low, 1e-3) * _MARGIN
    return [low - room, high + room]


def _labels(result: PhraseMap) -> list[_Label]:
    """Return a label for each point: its phrase on a side with room in a narrow and a wide figure, or its number.

    Two labels that do not touch at either width do not touch between.
    """
    low, high = (np.array([_span(column)[end] for column in result.coordinates.T]) for end in (0, 1))
    shares = (result.coordinates - low) / (high - low)  # (N, 2)
    points = shares[:, None] * _PLOT  # (N, 2 widths, 2)
    taken: list[NDArray[np.float64]] = []
    labels: dict[int, _Label] = {}
    for position, phrase in enumerate(result.phrases):
        lines = textwrap.wrap(phrase, _LETTERS, max_lines=2, placeholder="…") or [phrase]
        size = np.array([_LETTER * max(map(len, lines)), _LINE * len(lines)])
        for side, way in _SIDES.items():
            box = _box(shares[position], np.array(way), size)
            inside = (box[:, 0] >= 0).all() and (box[:, 1] <= _PLOT).all()
            covers = ((points > box[:, 0]) & (points < box[:, 1])).all(axis=2).any()
            if inside and not covers and not _touched(box, taken):
                labels[position] = _Label("<br>".join(map(escape, lines)), side)
                taken.append(box)
                break
    marks = [_box(share, np.zeros(2), np.full(2, _MARK)) for share in shares]
    for position in sorted(set(range(len(result.phrases))) - set(labels)):
        number = str(position + 1)
        size = np.array([_LETTER * len(number), _LINE])
        boxes = {side: _box(shares[position], np.array(way), size) for side, way in _SIDES.items()}
        side = min(
            boxes, key=lambda side: (_touched(boxes[side], taken), _touched(boxes[side], marks), "right" not in side)
        )
        labels[position] = _Label(number, side)
        taken.append(boxes[side])
    return [labels[position] for position in range(len(result.phrases))]


def _box(share: NDArray[np.float64], way: NDArray[np.float64], size: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where a label reaches from and to, (2 widths, from and to, x and y), in pixels."""
    middle = share * _PLOT + way * (size / 2 + _BESIDE)  # (2, 2)
    return np.stack([middle - size / 2, middle + size / 2], axis=1)


def _touched(one: NDArray[np.float64], others: Sequence[NDArray[np.float64]]) -> int:
    """Return how many of ``others`` a box overlaps at either width."""
    boxes = np.array(others).reshape(-1, 2, 2, 2)
    overlaps = (one[:, 0] < boxes[:, :, 1]) & (boxes[:, :, 0] < one[:, 1])  # (M, 2 widths, x and y)
    return int(np.count_nonzero(np.any(np.all(overlaps, axis=2), axis=1)))
