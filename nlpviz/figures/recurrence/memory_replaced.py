"""A cause beside the gradient: how far the score moves when each word is replaced, over the norm of its gradient."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import direct_labels, panels, theme
from nlpviz.figures.numbers import unit_of_score
from nlpviz.figures.recurrence.memory_text import colors, dash, finite, labels, power, titles
from nlpviz.figures.view import FigureView, Table, padded, provenance
from nlpviz.results.memory import SCORE, TextMemory
from nlpviz.results.replaced_words import Parting, ReplacedWords, parting

_GAP = 0.09  # of the height, between the two panels
_NAMED = 40  # words that all stand under the figure
_FAINT = 0.18  # of a band


def replaced_words(
    memories: Sequence[TextMemory], replaced: Sequence[ReplacedWords], *, height: int = 480
) -> FigureView:
    """Return the measured movement of the score by word, and the gradient's norm under it, both on log scales.

    Words at which the ranks of both differ most are marked, of the checkpoint that the others are compared with.

    Args:
        memories: of one text, with a word at least.
        replaced: of the same checkpoints.
        height: of the figure, in pixels.
    """
    found = parting(panels.reference(memories), panels.reference(replaced))
    named, inks = titles(memories), colors(memories)
    traces: list[go.Scatter] = []
    for one, other, name, ink in zip(memories, replaced, named, inks, strict=True):
        line = {"color": ink, "width": 2, "dash": dash(one, memories)}
        words = labels(one)
        traces += _band(other, ink)
        traces.append(_line(_log(other.moved), words, name, line, "y"))
        traces.append(_line(finite(one.score[-1]), words, name, line, "y2"))
    longest = max(memories, key=lambda one: one.words)
    step = 1 if longest.words <= _NAMED else 1 + longest.words // 20
    places = list(range(0, longest.words, step))
    half = (1 - _GAP) / 2
    log: dict[str, Any] = {"zeroline": False, "nticks": 6}
    unit = unit_of_score(len(memories[0].class_names))
    drawn = direct_labels.figure(
        traces,
        height=height,
        main=named,
        unnamed=named if len(named) == 1 else (),
        only=["y"],
        hovermode="closest",
        xaxis={
            "anchor": "y2", "zeroline": False, "tickvals": [place + 1 for place in places],
            "ticktext": [escape(longest.text.read[place].name[:14]) for place in places]
            if longest.words <= _NAMED else [str(place + 1) for place in places],
            "title": {"text": "" if longest.words <= _NAMED else "word of the text"},
        },
        yaxis={**log, "domain": [1 - half, 1], "title": {"text": f"mean |change in score|,<br>{unit} (log₁₀)"}},
        yaxis2={**log, "domain": [0, half], "title": {"text": "‖∂score_T/∂x_t‖<br>(log₁₀)"}},
        annotations=_marks(panels.reference(memories), found),
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(replaced, named, found),
        table=_table(memories, replaced, named),
        caption=provenance(
            panels.checkpoints(replaced), f"each word replaced by {len(replaced[0].drawn)} words drawn by frequency "
                                          f"(seed {replaced[0].seed}); mean and range",
        ),
        name=panels.file_name(replaced, "memory-replaced"),
    )  # fmt: skip


def _log(values: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return decimal logarithms; not a number where there is nothing, which no figure draws."""
    wide = values.astype(np.float64)
    return np.log10(wide, out=np.full(len(wide), np.nan), where=wide > 0)


def _line(
    values: NDArray[np.float64],
    words: Sequence[str],
    name: str,
    line: dict[str, Any],
    axis: str,
) -> go.Scatter:
    said = [f"{word}: {power(float(value))}" for word, value in zip(words, values, strict=True)]
    return go.Scatter(
        x=np.arange(1, len(values) + 1), y=values, text=said, name=name,
        mode="lines+markers" if len(values) <= _NAMED else "lines", marker={"size": 6, "color": line["color"]},
        line=line, yaxis=axis, hovertemplate="%{text}",
    )  # fmt: skip


def _band(one: ReplacedWords, color: str) -> list[go.Scatter]:
    """Return the area between the least and the largest movement of each word; nothing where a draw moves nothing."""
    least, largest = (_log(side) for side in one.band())
    known = np.isfinite(least) & np.isfinite(largest)
    x = np.arange(1, len(least) + 1)[known]
    red, green, blue = bytes.fromhex(color[1:])
    return [
        go.Scatter(
            x=np.concatenate([x, x[::-1]]), y=np.concatenate([largest[known], least[known][::-1]]), fill="toself",
            fillcolor=f"rgba({red},{green},{blue},{_FAINT})", line={"width": 0}, mode="lines", hoverinfo="skip",
        )
    ]  # fmt: skip


def _marks(one: TextMemory, found: Parting) -> list[dict[str, object]]:
    """Return the names of the two words at which gradient and movement part most, at the gradient's line."""
    marks: list[dict[str, object]] = []
    for position, away in ((found.over, -26), (found.under, 26)):
        if position is None or not np.isfinite(one.score[-1][position]):
            continue
        marks.append(
            {
                "x": position + 1, "y": float(one.score[-1][position]), "yref": "y2", "xref": "x", "ax": 0, "ay": away,
                "text": escape(one.text.read[position].name[:20]), "font": {"size": 12},
                "arrowcolor": theme.MUTED, "arrowwidth": 1, "arrowhead": 0,
            }
        )  # fmt: skip
    return marks


def _alt(replaced: Sequence[ReplacedWords], named: Sequence[str], found: Parting) -> str:
    sentences = [
        "Change in the score when each word is replaced and, below, the norm of the gradient with respect to the word."
    ]
    for one, name in zip(replaced, named, strict=True):
        strongest = int(np.argmax(one.moved))
        word = one.text.read[strongest].name
        sentences.append(
            f"{name}: the largest mean change is {one.moved[strongest]:.2g}, at word {strongest + 1}, {word!r}."
        )
    if found.correlation is not None:
        sentences.append(f"The rank correlation of the two is {found.correlation:.2f}.")
    return " ".join(sentences)


def _table(memories: Sequence[TextMemory], replaced: Sequence[ReplacedWords], named: Sequence[str]) -> Table:
    longest = max(memories, key=lambda one: one.words)
    table: Table = {
        "number": np.arange(1, longest.words + 1),
        "word": [token.name for token in longest.text.read],
    }
    for one, other, name in zip(memories, replaced, named, strict=True):
        least, largest = other.band()
        columns = {
            "mean |change| in the score": other.moved,
            "least": least,
            "largest": largest,
            "mean change in the score": other.changes.mean(axis=1),
            "log10 of the gradient": one.row(SCORE),
        }
        table |= {
            f"{heading}, {name}": padded(np.asarray(values, dtype=np.float64), longest.words)
            for heading, values in columns.items()
        }
    return table
