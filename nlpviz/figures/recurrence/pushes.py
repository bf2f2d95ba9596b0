"""How far each word of a text moves the class score: bars over the text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import panels, theme
from nlpviz.figures.numbers import number, unit_of_push
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.state_space import StatePath
from nlpviz.text.vocabulary import shortened

_HEIGHT, _NAMED, _LETTERS = 210, 36, 12  # pixels; words that have their names under their bars; letters of these


def push_bars(paths: Sequence[StatePath], selected: int | None = None) -> FigureView:
    """Return each word's push along the class direction, one row a checkpoint, all on one scale.

    A click on a bar hands on the word's number from 1.

    Args:
        paths: of one text.
        selected: the position of the word that stands out.
    """
    arranged = [panel._replace(row=row, column=0) for row, panel in enumerate(panels.arrange(paths))]
    longest = max(paths, key=lambda path: len(path.pushes))
    count = len(longest.pushes)
    largest = max((float(np.abs(path.pushes).max(initial=0)) for path in paths), default=0.0) or 1.0
    names = [escape(shortened(token.name, _LETTERS)) for token in longest.text.read]
    unit = unit_of_push(len(longest.class_names))
    ticks: dict[str, object] = {"nticks": 12}
    if 0 < count <= _NAMED:
        ticks = {"tickvals": list(range(1, count + 1)), "ticktext": names, "tickangle": -60 if count > 12 else 0}
    bars: list[go.Bar] = []
    axes: dict[str, dict[str, object]] = {}
    for panel, path in zip(arranged, paths, strict=True):
        bars.append(_bars(path, panel.number, selected))
        axes[f"xaxis{panel.number}"] = {**ticks, "range": [0.3, max(count, 1) + 0.7], "showgrid": False}
        axes[f"yaxis{panel.number}"] = {
            "range": [-1.1 * largest, 1.1 * largest], "zeroline": True, "nticks": 5,
            "title": {"text": f"push, {unit}"},
        }  # fmt: skip
    below = "" if 0 < count <= _NAMED else "word of the text"
    chosen = panels.reference(paths)
    return FigureView(
        figure=panels.figure(arranged, _HEIGHT, traces=bars, axes=axes, below=below, showlegend=False),
        alt=_alt(paths),
        table=_table(paths),
        caption=provenance(
            panels.checkpoints(paths), f"pushes along the class direction, from the {chosen.reading} state"
        )
        if chosen.reading == "last"
        else provenance(
            panels.checkpoints(paths),
            f"pushes along the class direction, from the running {chosen.reading} of the states",
        ),
        name=panels.file_name(paths, "pushes"),
    )


def _bars(path: StatePath, number_of_panel: int, selected: int | None) -> go.Bar:
    positions, unit = np.arange(1, len(path.pushes) + 1), unit_of_push(len(path.class_names))
    outline = {"color": theme.INK, "width": [2 if at == selected else 0 for at in range(len(path.pushes))]}
    return go.Bar(
        x=positions, y=path.pushes, marker={**theme.signed_bars(path.pushes), "line": outline},
        customdata=[str(position) for position in positions], hoverinfo="text",
        hovertext=[
            f"{position}. {escape(token.name)}: {number(push)}, to {unit} {number(score)}"
            for position, token, push, score in zip(
                positions, path.text.read, path.pushes, path.scores[1:], strict=True
            )
        ],
        xaxis=f"x{number_of_panel}", yaxis=f"y{number_of_panel}",
    )  # fmt: skip


def _alt(paths: Sequence[StatePath]) -> str:
    said = [
        f"{panel.title}: "
        + (
            ", ".join(
                f"{path.text.read[position].name} {number(float(path.pushes[position]))}"
                for position in path.strongest(6)
            )
            or "no words were read"
        )
        for panel, path in zip(panels.arrange(paths), paths, strict=True)
    ]
    first = paths[0]
    of = f"{unit_of_push(len(first.class_names))} of {first.class_names[first.target]}"
    return f"How far each word moves the {of}. {'; '.join(said)}."


def _table(paths: Sequence[StatePath]) -> Table:
    """Return a row for each word at each checkpoint."""
    rows = [(path, position) for path in paths for position in range(len(path.pushes))]
    unit = unit_of_push(len(paths[0].class_names))
    return {
        "run": [path.run for path, _ in rows],
        "epoch": [path.epoch for path, _ in rows],
        "position": [position + 1 for _, position in rows],
        "token": [path.text.read[position].name for path, position in rows],
        f"push, {unit}": np.concatenate([path.pushes for path in paths]),
        f"{unit} after": np.concatenate([path.scores[1:] for path in paths]),
    }
