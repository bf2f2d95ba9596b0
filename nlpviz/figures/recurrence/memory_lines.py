"""How much of a word is left, by how many words ago it was read: one line a checkpoint, on one log scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import direct_labels, panels, theme
from nlpviz.figures.recurrence.memory_text import SHORT, axis, colors, dash, finite, labels, power, ticks, titles
from nlpviz.figures.view import FigureView, Table, padded, provenance
from nlpviz.results.memory import STATE, TextMemory, reach

HALVED = "halved at each word"
DEEPEST = 12
"""Decades under the largest number that are shown at first: what falls on is out of the frame, not out of the table."""
_ROOM = 0.4  # decades over and under the lines


def memory_lines(result: Sequence[TextMemory], quantity: str, *, height: int = 460) -> FigureView:
    """Return ``quantity`` of the last word by distance, with what the gates keep and what halves at each word.

    Args:
        result: of one text, the chosen run's first; one of them has it and read a word at least.
        quantity: ``"state"`` or ``"score"``.
        height: of the figure, in pixels.
    """
    shown = [(one, row) for one in result if (row := one.row(quantity)) is not None and len(row)]
    named, inks = titles([one for one, _ in shown]), colors([one for one, _ in shown])
    checkpoints = [one for one, _ in shown]
    longest = max(len(row) for _, row in shown)
    traces = [
        _line(row, name, labels(one), {"color": ink, "width": 2.5, "dash": dash(one, checkpoints)})
        for (one, row), name, ink in zip(shown, named, inks, strict=True)
    ]
    if quantity == STATE:
        chosen = panels.reference(checkpoints)  # gates of all would be too many lines
        if chosen.gate is not None:
            ink, about = inks[checkpoints.index(chosen)], f"{chosen.gate.name}s"
            traces.append(
                _line(chosen.gate.longest, f"{about}: most persistent unit", labels(chosen), _thin(ink, "longdashdot"))
            )
            traces.append(_line(chosen.gate.kept, f"{about}: geometric mean", labels(chosen), _thin(ink, "dot")))
        traces.append(_line(halved(longest), HALVED, [""] * longest, {"color": theme.MUTED, "width": 1.5}))
    low, high = _frame([row for _, row in shown])
    values, said = ticks(low, high)
    drawn = direct_labels.figure(
        traces,
        height=height,
        x="words back from the last word",
        y=axis(quantity, checkpoints).replace(" (", "<br>("),
        hovermode="closest",
        main={trace.name for trace in traces},
        yaxis={"range": [low, high], "tickvals": values, "ticktext": said, "zeroline": False},
        xaxis={"range": [-0.02 * longest, longest - 1 + 0.02 * longest], "zeroline": False},
    )
    return FigureView(
        figure=drawn,
        alt=_alt(shown, named, quantity),
        table=_table(shown, named, quantity, longest),
        caption=provenance(panels.checkpoints(checkpoints), axis(quantity, checkpoints), "after the last word read"),
        name=panels.file_name(checkpoints, f"memory-{quantity}"),
    )


def halved(words: int) -> NDArray[np.float32]:
    """Return log10 of 0.5 to the power of the distance, the first word first, (T,)."""
    return np.linspace((words - 1) * math.log10(0.5), 0.0, words, dtype=np.float32)


def _thin(color: str, dashed: str) -> dict[str, Any]:
    return {"color": color, "width": 1.25, "dash": dashed}


def _line(row: NDArray[np.float32], name: str, words: Sequence[str], line: Mapping[str, Any]) -> go.Scatter:
    """Return one row of logarithms as a line over the distance; what is zero is a gap."""
    return go.Scatter(
        x=np.arange(len(row) - 1, -1, -1),
        y=finite(row),
        mode="lines+markers" if len(row) < 40 else "lines",
        marker={"size": 5, "color": line["color"]},
        line=dict(line),
        name=name,
        text=[f"{word}: {power(float(value))}".lstrip(": ") for word, value in zip(words, row, strict=True)],
        hovertemplate="%{x} back, %{text}",
    )


def _frame(rows: Sequence[NDArray[np.float32]]) -> tuple[float, float]:
    """Return the logarithms between which the frame lies: those of the rows, as far down as :data:`DEEPEST`."""
    known = np.concatenate([row[np.isfinite(row)] for row in rows])
    if not known.size:
        return -3.0, 0.5
    high = float(known.max())
    return max(min(float(known.min()), high - 2.0), high - DEEPEST) - _ROOM, high + _ROOM


def _alt(shown: Sequence[tuple[TextMemory, NDArray[np.float32]]], named: Sequence[str], quantity: str) -> str:
    """Return what is left of the last word and of the first one, and how far that reaches."""
    sentences = [f"The {SHORT[quantity]} after the last word by distance to an earlier word, on a log scale."]
    for (_, row), name in zip(shown, named, strict=True):
        far = reach(row, quantity)
        said = (
            "no word reaches 1%" if far is None else (f"the farthest word with at least 1% is {far.words:,} words back")
        )
        sentences.append(
            f"{name}: {power(float(row[-1]))} at the last word, {power(float(row[0]))} at the first, {len(row) - 1:,} "
            f"words back; {said}."
        )
    return " ".join(sentences)


def _table(
    shown: Sequence[tuple[TextMemory, NDArray[np.float32]]], named: Sequence[str], quantity: str, longest: int
) -> Table:
    """Return the lines by distance, as they are and not as logarithms unless that is beyond a float."""
    reader = max((one for one, _ in shown), key=lambda one: one.words)
    lines: dict[str, NDArray[np.float32]] = {}
    for (one, row), name in zip(shown, named, strict=True):
        lines[f"log10 of the {SHORT[quantity]}, {name}"] = row
        if quantity == STATE and one.gate is not None:
            product = f"log10 of the product of the {one.gate.name}s"
            lines[f"{product}, geometric mean, {name}"] = one.gate.kept
            lines[f"{product}, most persistent unit, {name}"] = one.gate.longest
    backwards = {heading: padded(row[::-1].astype(np.float64), longest) for heading, row in lines.items()}
    return {"words back": np.arange(longest), "word": [token.name for token in reversed(reader.text.read)], **backwards}
