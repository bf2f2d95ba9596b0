"""An alignment as lines from the source words to the target words: the thicker, the more was looked."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import theme
from nlpviz.figures.translation.alignments import (
    SOURCE,
    TARGET,
    Aligned,
    Chosen,
    alignment_caption,
    describe,
    file_name,
    labels,
    pairs_table,
    size,
)
from nlpviz.figures.view import FigureView

MOST = 200
"""Lines at most: those of largest weight."""
_LEAST, _LEAST_CHOSEN = 0.08, 0.01  # weight of a line: among all, and of a chosen word
_WIDTHS = (0.75, 1.5, 3.0, 5.0, 7.0)  # pixels, a fifth of the weight each
_INKS = (0.3, 0.4, 0.55, 0.7, 0.9)
_ROW, _SMALL_ROW, _MANY = 24, 15, 36  # pixels; words beyond which rows are small


def alignment_lines(aligned: Aligned, chosen: Chosen | None = None) -> FigureView:
    """Return source and target words in two columns, joined where the weight is at least 8%.

    Of a chosen word only its own lines are drawn, from 1% on. A click on a word hands on its :attr:`Chosen.id`.
    """
    most = max(len(aligned.source), len(aligned.target), 3)
    row = _ROW if most <= _MANY else _SMALL_ROW
    drawn = theme.figure(height=row * most + 44, showlegend=False, margin={"l": 8, "r": 8, "t": 28, "b": 16})
    drawn.add_traces([*_strokes(aligned, joined(aligned, chosen)), *_columns(aligned, chosen, row)])
    drawn.update_layout(
        xaxis={"visible": False, "fixedrange": True, "range": [-0.75, 1.75]},
        yaxis={"visible": False, "fixedrange": True, "range": [most - 0.4, -0.6]},
        annotations=[
            {
                "text": f"<i>{side}</i>", "x": x, "y": 1, "yref": "paper", "yanchor": "bottom", "xanchor": anchor,
                "showarrow": False, "font": {"size": 12, "color": theme.MUTED},
            }
            for side, x, anchor in ((SOURCE, -0.05, "right"), (TARGET, 1.05, "left"))
        ],
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=describe(aligned),
        table=pairs_table(aligned),
        caption=alignment_caption(aligned, size(aligned)),
        name=file_name(aligned.translation, "alignment-lines"),
    )


def joined(aligned: Aligned, chosen: Chosen | None) -> list[tuple[int, int]]:
    """Return the pairs (target, source) that are joined, those of largest weight last."""
    allowed = aligned.weights >= (_LEAST if chosen is None else _LEAST_CHOSEN)
    if chosen is not None:
        own = np.zeros_like(allowed)
        own[(chosen.position, slice(None)) if chosen.side == TARGET else (slice(None), chosen.position)] = True
        allowed &= own
    order = np.argsort(-aligned.weights, axis=None, kind="stable").tolist()
    ranked = (divmod(position, len(aligned.source)) for position in order)
    return [pair for pair in ranked if allowed[pair]][:MOST][::-1]


def _strokes(aligned: Aligned, pairs: Sequence[tuple[int, int]]) -> list[go.Scatter]:
    """Return the lines, those of about the same weight as one trace."""
    levels: dict[int, list[tuple[int, int]]] = {}
    for pair in pairs:
        levels.setdefault(min(int(aligned.weights[pair] * len(_WIDTHS)), len(_WIDTHS) - 1), []).append(pair)
    red, green, blue = bytes.fromhex(theme.MAGNITUDE[1:])
    high, low = _offsets(aligned)
    return [
        go.Scatter(
            x=[0.0, 1.0, None] * len(own),
            y=[value for target, source in own for value in (source + high, target + low, None)],
            mode="lines", hoverinfo="skip",
            line={"width": _WIDTHS[level], "color": f"rgba({red},{green},{blue},{_INKS[level]})"},
        )
        for level, own in sorted(levels.items())
    ]  # fmt: skip


def _offsets(aligned: Aligned) -> tuple[float, float]:
    """Return how far down the source and the target words begin: the shorter column stands in the middle."""
    longer = len(aligned.source) - len(aligned.target)
    return max(-longer, 0) / 2, max(longer, 0) / 2


def _columns(aligned: Aligned, chosen: Chosen | None, row: int) -> list[go.Scatter]:
    """Return the two columns of words; a word's hover names what it looks at, or what looks at it."""
    high, low = _offsets(aligned)
    columns = []
    sides = ((0.0, SOURCE, aligned.source, aligned.target, aligned.weights.T, high, "attended to by"),
             (1.0, TARGET, aligned.target, aligned.source, aligned.weights, low, "attends to"))  # fmt: skip
    for x, side, words, others, weights, first, said in sides:
        hover = []
        for word, own in zip(words, weights, strict=True):
            best = np.argsort(-own, kind="stable")[:3].tolist()
            hover.append(f"{escape(word)}: {said} " + ", ".join(f"{escape(others[n])} {own[n]:.0%}" for n in best))
        stands_out = [chosen == (side, position) for position in range(len(words))]
        columns.append(
            go.Scatter(
                x=np.full(len(words), x), y=np.arange(len(words)) + first, mode="markers+text",
                text=labels(words, side, chosen), textposition=f"middle {'left' if side == SOURCE else 'right'}",
                textfont={"size": 14 if row == _ROW else 10}, hovertext=hover, hoverinfo="text",
                customdata=[Chosen(side, position).id for position in range(len(words))],
                marker={"size": [10 if one else 6 for one in stands_out], "color": theme.MAGNITUDE},
            )
        )  # fmt: skip
    return columns
