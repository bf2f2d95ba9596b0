"""All parts of one unit over a text: its gates, and what it holds; one column a checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import panels, phone, theme, word_axis
from nlpviz.figures.recurrence import words
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.gates import OF_A_LAYER
from nlpviz.results.states import HIDDEN_STATE, TextStates

_HEIGHT = 170  # pixels of a panel
_GATES = tuple(zip((*theme.CATEGORIES[2:7], theme.MUTED), ("solid", "dash", "dot") * 2, strict=True))
_HELD = {
    HIDDEN_STATE: (theme.INK, "solid", 2.5),
    "cell state": (theme.MAGNITUDE, "solid", 2.0),
}
_OTHER = (theme.MUTED, "dot", 1.5)


def one_unit(shown: Sequence[TextStates], layer: int, unit: int, word: int | None) -> FigureView:
    """Return the parts of one unit as lines over the words: gates above, what it holds below.

    A click hands on a word's number from 1.

    Args:
        shown: of one text, one for each checkpoint; each has the layer and the unit.
        layer: from 0.
        unit: from 0.
        word: the position of the word that stands out; None for none.
    """
    about = {one.name: one.is_gate for states in shown for one in states.about}
    gates, held = [name for name in about if about[name]], [name for name in about if not about[name]]
    held.append(HIDDEN_STATE)
    across = panels.arrange(shown)
    rows = [some for some in (gates, held) if some]
    arranged: list[panels.Panel] = []
    traces: list[go.Scatter] = []
    axes: dict[str, dict[str, object]] = {}
    shapes: list[dict[str, Any]] = []
    reach = _reach(shown, layer, unit, held)
    for row, parts in enumerate(rows):
        for states, place in zip(shown, across, strict=True):
            number = len(arranged) + 1
            title = f"{place.title}: {'gates' if parts is gates else 'states'}" if len(shown) > 1 else ""
            arranged.append(panels.Panel(number, title, row, number - 1 - row * len(shown)))
            for part in parts:
                if part in states.parts or part == HIDDEN_STATE:
                    look = _look(part, gates)
                    traces.append(_line(states, part, (layer, unit), number, look))
            axes[f"xaxis{number}"] = word_axis.axis(words.labels(states), len(shown)) | (
                {"showticklabels": False} if row < len(rows) - 1 else {}
            )
            axes[f"yaxis{number}"] = {"range": [-0.05, 1.05] if parts is gates else reach, "nticks": 5}
            shapes += [word_axis.column(word, number)] if word is not None and word < len(states.states) else []
    drawn = panels.figure(
        arranged, _HEIGHT, traces=traces, axes=axes, shapes=shapes, named=True,
        main={*gates, *held},
        margin={"l": 56, "r": 12, "b": word_axis.room(len(shown[0].states), len(shown))},
        meta=phone.least_width(len(shown) * 280),
    )  # fmt: skip
    called = f"unit {unit + 1}" + (f" of layer {layer + 1}" if shown[0].layers > 1 else "")
    return FigureView(
        figure=drawn,
        alt=_alt(shown, layer, unit, called),
        table=_table(shown, layer, unit),
        caption=provenance(panels.checkpoints(shown), called),
        name=panels.file_name(shown, f"unit-{unit + 1}"),
    )


def _reach(shown: Sequence[TextStates], layer: int, unit: int, held: Sequence[str]) -> list[float]:
    """Return the ends of the axis of what is held, the same in all panels, zero among them."""
    all_values = [
        states.values(part)[:, layer, unit]
        for states in shown
        for part in held
        if part in (*states.parts, HIDDEN_STATE)
    ]
    low = min((float(one.min(initial=0)) for one in all_values), default=0.0)
    high = max((float(one.max(initial=0)) for one in all_values), default=0.0)
    room = 0.08 * (high - low) or 1.0
    return [low - room, high + room]


def _look(part: str, gates: Sequence[str]) -> dict[str, object]:
    """Return how the line of a part is drawn; each gate of the figure has a look of its own."""
    color, dash, width = (*_GATES[gates.index(part) % len(_GATES)], 2.0) if part in gates else _HELD.get(part, _OTHER)
    shape = "hv" if part in OF_A_LAYER else "linear"
    return {"color": color, "dash": dash, "width": width, "shape": shape}


def _line(states: TextStates, part: str, of: tuple[int, int], number: int, look: dict[str, object]) -> go.Scatter:
    values = states.values(part)[: word_axis.SHOWN, of[0], of[1]]
    return go.Scatter(
        x=words.labels(states), y=values, mode="lines+markers" if len(values) < 3 else "lines", name=part,
        line=look,
        customdata=[str(place + 1) for place in range(len(values))],
        hovertemplate=f"%{{x}}<br>{part}: %{{y:.3f}}<extra></extra>", xaxis=f"x{number}", yaxis=f"y{number}",
    )  # fmt: skip


def _alt(shown: Sequence[TextStates], layer: int, unit: int, called: str) -> str:
    said = []
    for states, panel in zip(shown, panels.arrange(shown), strict=True):
        parts = [*states.parts, HIDDEN_STATE]
        ends = ", ".join(
            f"{part} {values.min():.2f} to {values.max():.2f}"
            for part in parts
            for values in [states.values(part)[:, layer, unit]]
            if len(values)
        )
        said.append(f"{panel.title}: {ends or 'no words were read'}")
    return f"All gates and states of {called}, word by word. {'; '.join(said)}."


def _table(shown: Sequence[TextStates], layer: int, unit: int) -> Table:
    """Return a row for each word of each checkpoint, a column for each part."""
    names = list(dict.fromkeys(part for states in shown for part in (*states.parts, HIDDEN_STATE)))
    table: Table = {
        "run": [states.run for states in shown for _ in states.states],
        "epoch": [states.epoch for states in shown for _ in states.states],
        "position": [place + 1 for states in shown for place in range(len(states.states))],
        "token": [token.name for states in shown for token in states.text.read],
    }
    for part in names:
        table[part] = np.concatenate(
            [
                states.values(part)[:, layer, unit]
                if part in (*states.parts, HIDDEN_STATE)
                else np.full(len(states.states), np.nan, dtype=np.float32)
                for states in shown
            ]
        )
    return table
