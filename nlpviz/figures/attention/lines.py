"""What each word of a text attends to, as lines from a column of words to another one: the thicker, the more."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import panels, theme
from nlpviz.figures.attention.heads import (
    FROM,
    TO,
    HeadChoice,
    caption,
    describe,
    matrices,
    pair_table,
    tokens_shown,
    word_labels,
    words_shown,
)
from nlpviz.figures.view import FigureView
from nlpviz.results.attention import TextAttention

MOST = 150
"""Lines where no word is chosen: those of largest weight."""
_LEAST = 0.01  # weight of a line
_WIDTHS = (0.75, 1.5, 3.0, 5.0, 8.0)  # pixels
_INKS = (0.25, 0.35, 0.5, 0.65, 0.85)
_ROW = 20  # pixels


def head_lines(result: Sequence[TextAttention], choice: HeadChoice) -> FigureView:
    """Return the chosen weights as lines, one panel a checkpoint, all on one scale of thickness.

    Of a chosen word all its lines of at least 1% are there, else the :data:`MOST` of largest weight. A click on a word
    to the left hands on ``from-n``, on one to the right ``to-n``, its number from 1.

    Args:
        result: of one text; every model must have self-attention.
        choice: which layer, head and words.
    """
    labels, shown = word_labels(result, choice), matrices(result, choice)
    largest = max((float(matrix.max(initial=0)) for matrix in shown), default=0.0) or 1.0
    arranged = panels.arrange(result)
    strokes: list[go.Scatter] = []
    axes: dict[str, dict[str, object]] = {}
    for panel, matrix in zip(arranged, shown, strict=True):
        kept = lines(matrix, choice)
        strokes += _strokes(matrix, kept, largest, panel.number)
        strokes += _columns(labels, matrix, result, choice, panel.number)
        bare = {"visible": False, "fixedrange": True}
        axes[f"xaxis{panel.number}"] = {**bare, "range": [-0.7, 1.7]}
        axes[f"yaxis{panel.number}"] = {**bare, "range": [max(len(labels), 1) - 0.5, -0.5]}
    height, margin = _ROW * max(len(labels), 4), {"l": 8, "r": 8, "b": 8}
    drawn = panels.figure(arranged, height, traces=strokes, axes=axes, showlegend=False, margin=margin)
    return FigureView(
        figure=drawn,
        alt=describe(result, choice),
        table=pair_table(result, choice),
        caption=caption(result, choice),
        name=panels.file_name(result, "self-attention-lines"),
    )


def lines(matrix: NDArray[np.float32], choice: HeadChoice) -> list[tuple[int, int]]:
    """Return the pairs (row, column) of ``matrix`` (W, W) that are joined, those of largest weight last."""
    allowed = matrix >= _LEAST
    if choice.position is not None:
        own = np.zeros_like(allowed)
        at = choice.position - choice.first
        if 0 <= at < len(matrix):
            own[(slice(None), at) if choice.side == TO else (at, slice(None))] = True
            allowed &= own
    order = np.argsort(-matrix, axis=None, kind="stable")
    ranked = [divmod(position, len(matrix)) for position in order.tolist()]
    pairs = [pair for pair in ranked if allowed[pair]]
    return list(reversed(pairs if choice.position is not None else pairs[:MOST]))


def _strokes(
    matrix: NDArray[np.float32], kept: Sequence[tuple[int, int]], largest: float, number: int
) -> list[go.Scatter]:
    """Return the lines, those of about the same weight as one trace."""
    levels: dict[int, list[tuple[int, int]]] = {}
    for row, column in kept:
        level = min(int(matrix[row, column] / largest * len(_WIDTHS)), len(_WIDTHS) - 1)
        levels.setdefault(level, []).append((row, column))
    red, green, blue = bytes.fromhex(theme.MAGNITUDE[1:])
    return [
        go.Scatter(
            x=[0.0, 1.0, None] * len(pairs),
            y=[value for row, column in pairs for value in (row, column, None)],
            mode="lines", hoverinfo="skip", xaxis=f"x{number}", yaxis=f"y{number}",
            line={"width": _WIDTHS[level], "color": f"rgba({red},{green},{blue},{_INKS[level]})"},
        )
        for level, pairs in sorted(levels.items())
    ]  # fmt: skip


def _columns(
    labels: Sequence[str], matrix: NDArray[np.float32], result: Sequence[TextAttention], choice: HeadChoice, number: int
) -> list[go.Scatter]:
    """Return the two columns of words; a word's hover names what it attends to, or what attends to it."""
    tokens = tokens_shown(result, choice)
    words = [escape(word) for word in words_shown(result, choice)]
    columns = []
    for x, side, weights, said in ((0.0, FROM, matrix, "attends to"), (1.0, TO, matrix.T, "is attended to by")):
        hover = []
        for own, row in zip(words, weights, strict=True):
            best = np.argsort(-row, kind="stable")[:3].tolist()
            hover.append(f"{own} {said} " + ", ".join(f"{words[position]} {row[position]:.0%}" for position in best))
        chosen = [side == choice.side and position == choice.position for position, _ in tokens]
        columns.append(
            go.Scatter(
                x=np.full(len(tokens), x), y=np.arange(len(tokens)), mode="markers+text", text=list(labels),
                textposition=f"middle {'left' if side == FROM else 'right'}", textfont={"size": 13},
                customdata=[f"{side}-{position + 1}" for position, _ in tokens], hovertext=hover, hoverinfo="text",
                marker={"size": [9 if one else 5 for one in chosen], "color": theme.MAGNITUDE},
                xaxis=f"x{number}", yaxis=f"y{number}",
            )
        )  # fmt: skip
    return columns
