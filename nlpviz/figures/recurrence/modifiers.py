"""What a word does to the next one's push: without it against with it, and every modifier beside random words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import map_labels, panels, phone, theme
from nlpviz.figures.numbers import number
from nlpviz.figures.recurrence.review_ends import IN_A_ROW, arrange
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.modifiers import PRAISE, ModifierEffects, factor

_HEIGHT, _KEY = 360, 30  # pixels
_WIDTHS = (300.0, 1080.0)  # pixels: of a panel on a phone, and of one that has the page
_LABELS = 10


def push_against_push(
    shown: Sequence[ModifierEffects], modifier: str, modified: Sequence[NDArray[np.float32]], unit: str
) -> FigureView:
    """Return each word's push by itself and after ``modifier``, one panel a checkpoint, with the null of random words.

    Args:
        shown: the effects at each checkpoint.
        modifier: the word before.
        modified: for each checkpoint the pushes after it, (V,).
        unit: of a push.
    """
    arranged = arrange(shown)
    traces: list[go.Scatter] = []
    axes: dict[str, dict[str, object]] = {}
    notes: list[dict[str, Any]] = []
    columns = min(len(shown), IN_A_ROW)
    for panel, one, after in zip(arranged, shown, modified, strict=True):
        largest = 1.15 * max(float(np.abs(values).max()) for values in (one.plain, after, one.null)) or 1.0
        here = {"xaxis": f"x{panel.number}", "yaxis": f"y{panel.number}"}
        traces += _points(one, after, largest, here, first=panel.number == 1)
        notes += [
            note | {"xref": here["xaxis"], "yref": here["yaxis"]} for note in _labels(one, after, largest, columns)
        ]
        axes[f"xaxis{panel.number}"] = {"range": [-largest, largest], "zeroline": True, "nticks": 5}
        axes[f"yaxis{panel.number}"] = {
            "range": [-largest, largest], "zeroline": True, "nticks": 5,
            "title": {"text": "" if panel.column else f"push after “{escape(modifier)}”"},
        }  # fmt: skip
    figure = panels.figure(
        arranged, _HEIGHT, traces=traces, axes=axes, below=f"push without the modifier, {unit}", key=_KEY,
        legend={"y": 1, "yref": "container", "yanchor": "top"}, meta=phone.least_width(260 * columns),
    )  # fmt: skip
    figure.layout.annotations = (*figure.layout.annotations, *notes)
    said = [
        f"{panel.title}: factor {number(float(factor(one.plain, after)), signed=False)}, random words "
        f"{number(one.band().low, signed=False)} to {number(one.band().high, signed=False)}"
        for panel, one, after in zip(arranged, shown, modified, strict=True)
    ]
    return FigureView(
        figure=figure,
        alt=f"The push of words on their own and after “{modifier}”. {'; '.join(said)}.",
        table=_table(shown, modified),
        caption=provenance(panels.checkpoints(shown), *measured(shown)),
        name=panels.file_name(shown, "modifier"),
    )


def _labels(one: ModifierEffects, after: NDArray[np.float32], largest: float, columns: int) -> list[dict[str, Any]]:
    """Return the words beside their points, as many as fit, the most changed first."""
    points = np.stack([one.plain, after], axis=1).astype(np.float64)
    order = np.argsort(-np.abs(points[:, 1] - points[:, 0]), kind="stable")
    words = [one.words[position] for position in order]
    shares = (points[order] + largest) / (2 * largest)
    room = map_labels.filling(shares, (_WIDTHS[0], max(_WIDTHS[0], _WIDTHS[1] / columns)), float(_HEIGHT))
    return [
        map_labels.annotation(label, words[label.position], points[order][label.position])
        for label in map_labels.fitting(room, words, _LABELS)
    ]


def _points(
    one: ModifierEffects, after: NDArray[np.float32], largest: float, here: dict[str, str], *, first: bool
) -> list[go.Scatter]:
    """Return the diagonal, the bands of random words, and the words of either sort."""
    low, high = one.word_bands()
    middle = (low + high) / 2
    praise = np.array([word in PRAISE for word in one.words])
    said = [
        f"{word}: {number(float(plain))} on its own, {number(float(push))} after the modifier; after random words "
        f"{number(float(least))} to {number(float(most))}"
        for word, plain, push, least, most in zip(one.words, one.plain, after, low, high, strict=True)
    ]
    traces = [
        go.Scatter(
            x=[-largest, largest], y=[-largest, largest], mode="lines", hoverinfo="skip", name="no change",
            legendgroup="same", showlegend=first, line={"color": theme.ZERO, "width": 1.5, "dash": "dot"}, **here,
        ),
        go.Scatter(
            x=one.plain, y=middle, mode="markers", hoverinfo="skip", name="after random words, 95%",
            legendgroup="null", showlegend=first, marker={"size": 1, "color": theme.MUTED},
            error_y={
                "type": "data", "array": high - middle, "arrayminus": middle - low, "color": theme.MUTED,
                "thickness": 1.2, "width": 3,
            },
            **here,
        ),
    ]  # fmt: skip
    for name, own, color, symbol in (
        ("praise", praise, theme.POSITIVE, "circle"), ("blame", ~praise, theme.NEGATIVE, "diamond"),
    ):  # fmt: skip
        traces.append(
            go.Scatter(
                x=one.plain[own], y=after[own], mode="markers", name=name, legendgroup=name, showlegend=first,
                hovertext=[words for words, is_own in zip(said, own, strict=True) if is_own], hoverinfo="text",
                marker={"color": color, "symbol": symbol, "size": 9}, **here,
            )
        )  # fmt: skip
    return traces


def measured(shown: Sequence[ModifierEffects]) -> tuple[str, ...]:
    """Return what captions say of how modifiers were measured."""
    chosen = panels.reference(shown)
    return (
        f"mean pushes over {chosen.contexts} states of test documents",
        f"null distribution: {len(chosen.null)} random words in place of the modifier",
    )


def _table(shown: Sequence[ModifierEffects], modified: Sequence[NDArray[np.float32]]) -> Table:
    """Return a row for each word at each checkpoint."""
    bands = [one.word_bands() for one in shown]
    return {
        "run": [one.run for one in shown for _ in one.words],
        "epoch": [one.epoch for one in shown for _ in one.words],
        "word": [word for one in shown for word in one.words],
        "push without the modifier": np.concatenate([one.plain for one in shown]),
        "push with the modifier": np.concatenate(list(modified)),
        "after random words, 2.5th percentile": np.concatenate([band[0] for band in bands]),
        "after random words, 97.5th percentile": np.concatenate([band[1] for band in bands]),
    }
