"""What every state or score depends on, for every pair of words: heatmaps with a log colour scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import panels, phone, theme
from nlpviz.figures.recurrence.memory_text import SHORT, axis, finite, labels, power, ticks, titles
from nlpviz.figures.view import FigureView, Table, padded, provenance
from nlpviz.results.memory import STATE, TextMemory, by_distance

DEEPEST = 6
"""Decades under the largest number that have a colour of their own; what is less has that of the lowest."""
_PIXELS, _LEAST, _MOST = 18, 240, 420  # of a word; of a panel
_TICKS = 24


def memory_matrix(result: Sequence[TextMemory], quantity: str) -> FigureView:
    """Return ``quantity`` of all pairs as heatmaps, one panel a checkpoint, all on one colour scale.

    Args:
        result: of one text, the chosen run's first; those that have it, with a word at least.
        quantity: ``"state"`` or ``"score"``.
    """
    shown = [(one, matrix) for one in result if (matrix := one.matrix(quantity)) is not None and len(matrix)]
    checkpoints = [one for one, _ in shown]
    known = np.concatenate([matrix[np.isfinite(matrix)] for _, matrix in shown])
    highest = float(known.max(initial=-np.inf)) if known.size else 0.0
    lowest = max(float(known.min(initial=np.inf)) if known.size else -1.0, highest - DEEPEST)
    lowest = min(lowest, highest - 1.0)
    values, said = ticks(lowest, highest)
    arranged = panels.arrange(checkpoints)
    longest = max(one.words for one in checkpoints)
    axes: dict[str, dict[str, object]] = {}
    narrow: dict[str, object] = {}
    for panel, one in zip(arranged, checkpoints, strict=True):
        names = labels(one)
        step = 1 + len(names) * (1 + max(other.column for other in arranged)) // _TICKS
        every = {"type": "category", "tickvals": names[::step], "showgrid": False, "tickfont": {"size": 11}}
        axes[f"xaxis{panel.number}"] = {**every, "tickangle": -90}
        narrow[f"{panels.axis('xaxis', panel.number)}.tickvals"] = names[:: 3 * step]
        own = {"title": {"text": "later word T"}} if panel.column == 0 else {"showticklabels": False}
        axes[f"yaxis{panel.number}"] = {**every, "autorange": "reversed", **own}
    drawn = panels.figure(
        arranged,
        min(max(_PIXELS * longest, _LEAST), _MOST),
        axes=axes,
        below="earlier word t",
        showlegend=False,
        meta=phone.where_narrow(narrow),
        margin={"l": 96, "b": 110},
        traces=[
            _cells(one, matrix, quantity, panel.number)
            for panel, (one, matrix) in zip(arranged, shown, strict=True)
        ],
        coloraxis={
            "colorscale": theme.MAGNITUDE_SCALE, "cmin": lowest, "cmax": highest,
            "colorbar": {
                "thickness": 10, "tickvals": values, "ticktext": said, "outlinewidth": 0,
                "title": {"text": SHORT[quantity], "font": {"size": 13}}, "tickfont": {"size": 12},
            },
        },
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(shown, quantity),
        table=_table(shown, quantity),
        caption=provenance(
            panels.checkpoints(checkpoints), axis(quantity, checkpoints), *_estimated(checkpoints, quantity)
        ),
        name=panels.file_name(checkpoints, f"memory-matrix-{quantity}"),
    )


def _cells(one: TextMemory, matrix: NDArray[np.float32], quantity: str, number: int) -> go.Heatmap:
    """Return the heatmap; what is exactly zero, or after T, has no colour."""
    names = labels(one)
    return go.Heatmap(
        x=names,
        y=names,
        z=finite(matrix).astype(np.float32),
        coloraxis="coloraxis",
        hovertemplate=f"%{{x}} to %{{y}}: {SHORT[quantity]} 10^%{{z:.2f}}<extra></extra>",
        hoverongaps=False,
        xaxis=f"x{number}",
        yaxis=f"y{number}",
    )


def _estimated(result: Sequence[TextMemory], quantity: str) -> list[str]:
    """Return how the numbers were estimated, where they are not exact."""
    if quantity != STATE:
        return ["exact"]
    worst = max((one.probes for one in result if one.probes is not None), key=lambda probes: probes.error)
    if not worst.error:
        return ["exact"]
    last = f"{worst.last_used} directions, {worst.last_error:.0%}" if worst.last_error else "exact"
    return [f"{worst.used} random directions, standard error {worst.error:.0%}; after the last word: {last}"]


def _alt(shown: Sequence[tuple[TextMemory, NDArray[np.float32]]], quantity: str) -> str:
    sentences = [f"Heatmaps of the {SHORT[quantity]} by word t (columns) and later word T (rows), on a log scale."]
    for (_, matrix), name in zip(shown, titles([one for one, _ in shown]), strict=True):
        medians = by_distance(matrix)
        far = [distance for distance in (1, 10, 100) if distance < len(medians)]
        said = ", ".join(f"{power(float(medians[distance]))} at {distance}" for distance in far)
        sentences.append(f"{name}: median by number of words back: {said}." if said else f"{name}: a single word.")
    return " ".join(sentences)


def _table(shown: Sequence[tuple[TextMemory, NDArray[np.float32]]], quantity: str) -> Table:
    """Return the median of all pairs by distance: the pairs themselves would be a table of eighty thousand rows."""
    longest = max(len(matrix) for _, matrix in shown)
    medians = {
        f"median log10 of the {SHORT[quantity]}, {name}": padded(by_distance(matrix).astype(np.float64), longest)
        for (_, matrix), name in zip(shown, titles([one for one, _ in shown]), strict=True)
    }
    return {"words from t to T": np.arange(longest), **medians}
