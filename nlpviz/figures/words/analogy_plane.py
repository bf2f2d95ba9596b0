"""An analogy in the plane that holds its words best: the parallelogram, where it leads, and the word found there."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, provenance
from nlpviz.figures.words.neighbours import file_name
from nlpviz.results.word_queries import Analogy, Plane
from nlpviz.text.vocabulary import shortened

_HEIGHT, _LETTERS = 340, 18
_MARGIN = 0.24  # of the span, so that labels have room
_KINDS = {
    1: ("added", "circle", theme.POSITIVE),
    -1: ("subtracted", "diamond", theme.NEGATIVE),
    0: ("answer", "star", theme.MAGNITUDE),
}
Point = NDArray[np.float64]


def analogy_plane(plane: Plane, analogy: Analogy) -> FigureView:
    """Return the words of an analogy, its answer and the target, on axes of one scale.

    Where two words are added and one is subtracted, and no more, the sides of the parallelogram are drawn.

    Args:
        plane: where the words lie.
        analogy: whose answer the last word is.
    """
    drawn = theme.figure(
        height=_HEIGHT, x="first principal component", y="second", margin={"t": 34, "l": 40, "r": 12},
        legend={"y": 1, "yref": "container", "yanchor": "top"},
        xaxis={"zeroline": False, "nticks": 6}, yaxis={"zeroline": False, "nticks": 6, "scaleanchor": "x"},
    )  # fmt: skip
    every = np.vstack([plane.coordinates, plane.target[None]])
    middle, half = (every.max(axis=0) + every.min(axis=0)) / 2, (np.ptp(every, axis=0) / 2).clip(min=1e-3)
    low, high = middle - half * (1 + 2 * _MARGIN), middle + half * (1 + 2 * _MARGIN)
    drawn.update_layout(xaxis={"range": [low[0], high[0]]}, yaxis={"range": [low[1], high[1]]})
    drawn.add_traces([*_sides(plane, analogy), *_words(plane), _target(plane)])
    where = "; ".join(
        f"{word} {number(x)}, {number(y)}" for word, (x, y) in zip(plane.words, plane.coordinates, strict=True)
    )
    return FigureView(
        figure=drawn,
        alt=(
            f"{analogy.expression.proportion} in the plane of its words, which explains {plane.share:.0%} "
            f"of their variance: {where}. The resulting vector is at {number(plane.target[0])}, "
            f"{number(plane.target[1])}."
        ),
        table={
            "word": [*plane.words, "target"],
            "role": [*(_KINDS[sign][0] for sign in _signs(plane)), "target"],
            "x": every[:, 0],
            "y": every[:, 1],
        },
        caption=provenance(
            analogy.source, f"“{analogy.expression.proportion}”", f"explained variance {plane.share:.0%}"
        ),
        name=file_name("plane", str(analogy.expression), analogy.source),
    )


def _signs(plane: Plane) -> tuple[int, ...]:
    return tuple(plane.signs[: len(plane.words)])


def _sides(plane: Plane, analogy: Analogy) -> list[go.Scatter]:
    """Return the lines: the sides of a parallelogram, the same step twice in full, and the way to the answer.

    The plane holds a word that is added twice once; the sides are those of the terms.
    """
    signs, at = _signs(plane), dict(zip(plane.words, plane.coordinates, strict=True))
    added, taken = ([at[term.word] for term in analogy.expression.terms if term.sign == sign] for sign in (1, -1))
    lines = []
    if (len(added), len(taken)) == (2, 1):
        lines += [_line([taken[0], added[0]], "solid"), _line([added[1], plane.target], "solid")]
        lines += [_line([taken[0], added[1]], "dash"), _line([added[0], plane.target], "dash")]
    if 0 in signs:
        lines.append(_line([plane.target, plane.coordinates[signs.index(0)]], "dot"))
    return lines


def _line(points: Sequence[Point], dash: str) -> go.Scatter:
    x, y = np.array(points).T
    width = 2.5 if dash == "solid" else 1.5
    return go.Scatter(
        x=x, y=y, mode="lines", line={"color": theme.MUTED, "width": width, "dash": dash}, hoverinfo="skip",
        showlegend=False,
    )  # fmt: skip


def _words(plane: Plane) -> list[go.Scatter]:
    """Return the words as labelled marks, a trace for each role; a label stands away from the middle."""
    signs, middle = np.array(_signs(plane)), plane.coordinates.mean(axis=0)
    traces = []
    for sign, (name, symbol, color) in _KINDS.items():
        positions = np.flatnonzero(signs == sign)
        if not len(positions):
            continue
        points = plane.coordinates[positions]
        words = [plane.words[position] for position in positions]
        labels = [
            "" if word in plane.words[:position] else _short(word)
            for position, word in zip(positions, words, strict=True)
        ]
        sides = ["top center" if y >= middle[1] else "bottom center" for y in points[:, 1]]
        if sign == 0:  # away from the resulting vector, which is near
            sides = [f"middle {'right' if x >= plane.target[0] else 'left'}" for x in points[:, 0]]
        traces.append(
            go.Scatter(
                x=points[:, 0], y=points[:, 1], mode="markers+text", name=name, customdata=words,
                text=labels, textposition=sides,
                marker={"symbol": symbol, "color": color, "size": 13 if sign == 0 else 10},
                hovertext=[f"{escape(word)}, {name}" for word in words], hoverinfo="text",
            )
        )  # fmt: skip
    return traces


def _target(plane: Plane) -> go.Scatter:
    return go.Scatter(
        x=plane.target[:1], y=plane.target[1:], mode="markers", name="resulting vector",
        marker={"symbol": "x-thin", "size": 11, "line": {"width": 2.5, "color": theme.INK}, "color": theme.INK},
        hovertext=["resulting vector"], hoverinfo="text",
    )  # fmt: skip


def _short(word: str) -> str:
    return escape(shortened(word, _LETTERS))
