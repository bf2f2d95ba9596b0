"""The path of a text through state space, word by word, over where test documents end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import map_labels, panels, phone, theme
from nlpviz.figures.numbers import number, unit_of_push
from nlpviz.figures.recurrence.review_ends import IN_A_ROW, arrange, boundary, bounds, cloud, plane_axes
from nlpviz.figures.view import FigureView, Table, provenance, table_of
from nlpviz.results.gates import leaning
from nlpviz.results.state_plane import StatePlane
from nlpviz.results.state_space import StatePath, StateSpace

_HEIGHT, _ALONE, _KEY = 340, 470, 30  # pixels: of a row of panels, of the only one, of the legend over them
_WIDTHS = (300.0, 2400.0)  # pixels: of a panel on a phone, and of one that has a wide page
_LABELS = 14
_LONG = 60  # words from which on marks are smaller


@dataclass(frozen=True)
class DrawnPath:
    """A path with the space in which it is drawn."""

    path: StatePath
    space: StateSpace

    @property
    def run(self) -> str:
        """The run's name."""
        return self.path.run

    @property
    def epoch(self) -> int:
        """The epoch of the weights."""
        return self.path.epoch


def state_paths(shown: Sequence[DrawnPath], plane: str, selected: int | None = None) -> FigureView:
    """Return the path of one text at each checkpoint, one panel each, every one on its own axes.

    A click on a word hands on its number from 1.

    Args:
        shown: the paths.
        plane: one of :data:`nlpviz.figures.recurrence.plane.PLANES`.
        selected: the position of the word that stands out.
    """
    arranged = arrange(shown)
    traces: list[go.Scatter] = []
    axes: dict[str, dict[str, object]] = {}
    notes: list[dict[str, Any]] = []
    columns = min(len(shown), IN_A_ROW)
    for panel, one in zip(arranged, shown, strict=True):
        drawn = StatePlane.of(one.space, one.path, plane)
        points = drawn.place(one.space.project(one.path.points), one.path.scores)
        ends = drawn.place(one.space.ends, one.space.scores)
        box = bounds(np.concatenate([points, ends]))
        here = {"xaxis": f"x{panel.number}", "yaxis": f"y{panel.number}"}
        first = panel.number == 1
        traces += [
            *cloud(one.space, ends, one.path.class_names, one.path.target, here, first=first),
            *boundary(drawn, box, here, first=first),
        ]
        traces += _path(one.path, points, here, selected, first=first)
        labels = _labels(one.path, points, box, columns, selected)
        notes += [note | {axis: here[f"{axis[0]}axis"] for axis in ("xref", "yref")} for note in labels]
        axes |= plane_axes(panel, drawn, box)
    figure = panels.figure(
        arranged, _ALONE if len(shown) == 1 else _HEIGHT, traces=traces, axes=axes, key=_KEY,
        meta=phone.least_width(260 * columns), legend={"y": 1, "yref": "container", "yanchor": "top"},
    )  # fmt: skip
    figure.layout.annotations = (*figure.layout.annotations, *notes)
    return FigureView(
        figure=figure,
        alt=_alt(shown),
        table=_table(shown, plane),
        caption=provenance(
            panels.checkpoints(shown),
            _fitted(shown),
            f"coloured by P({shown[0].path.class_names[shown[0].path.target]}) after each word",
        ),
        name=panels.file_name(shown, "state-path"),
    )


def _path(
    path: StatePath, points: NDArray[np.float64], here: dict[str, str], selected: int | None, *, first: bool
) -> list[go.Scatter]:
    """Return the line of a path, its words coloured by the prediction after each, and its start."""
    probability, unit = path.after[:, path.target], unit_of_push(len(path.class_names))
    words = [escape(token.name) for token in path.text.read]
    size = 5.5 if len(words) > _LONG else 8.5
    chosen = [position == selected for position in range(len(words))]
    until = last = len(words) - 1
    if selected is not None and selected < len(words):
        until = selected  # what comes later is faint, so that a text can be gone through word by word
    said = [
        f"{position + 1}. {word}: push {number(push)}, then P({escape(path.class_names[path.target])}) = {share:.2f}"
        for position, (word, push, share) in enumerate(zip(words, path.pushes, probability, strict=True))
    ]
    return [
        *(
            go.Scatter(
                x=part[:, 0], y=part[:, 1], mode="lines", hoverinfo="skip", showlegend=False, opacity=opacity,
                line={"color": theme.MUTED, "width": 1.2}, **here,
            )
            for part, opacity in ((points[: until + 2], 0.75), (points[until + 1 :], 0.2))
        ),
        go.Scatter(
            x=points[:1, 0], y=points[:1, 1], mode="markers", name="start", legendgroup="start", showlegend=first,
            marker={"symbol": "square-open", "size": 12, "color": theme.INK, "line": {"width": 2}},
            hovertext=[f"before the first word: {unit} {number(float(path.scores[0]))}"], hoverinfo="text", **here,
        ),
        go.Scatter(
            x=points[1:, 0], y=points[1:, 1], mode="markers", name="your text, word by word", legendgroup="path",
            showlegend=False, customdata=[str(position + 1) for position in range(len(words))],
            hovertext=said, hoverinfo="text",
            marker={
                "color": leaning(probability, len(path.class_names)), "cmin": -1, "cmax": 1,
                "colorscale": theme.SIGNED_SCALE,
                "size": [15 if one else 12 if position == last else size for position, one in enumerate(chosen)],
                "symbol": ["star" if position == last else "circle" for position in range(len(words))],
                "opacity": [1.0 if position <= until else 0.2 for position in range(len(words))],
                "line": {"color": theme.INK, "width": [3 if one else 0.8 for one in chosen]},
                "showscale": False,
            },
            **here,
        ),
    ]  # fmt: skip


def _labels(
    path: StatePath, points: NDArray[np.float64], box: NDArray[np.float64], columns: int, selected: int | None
) -> list[dict[str, Any]]:
    """Return the words of the largest pushes beside their points, as many as fit, the chosen one first."""
    ranked = path.strongest(3 * _LABELS)
    if selected is not None and selected < len(path.pushes):
        ranked = [selected, *(position for position in ranked if position < selected)]
    if not ranked:
        return []
    words = [path.text.read[position].name for position in ranked]
    places = points[1:][ranked]
    shares = (places - box[:, 0]) / np.ptp(box, axis=1)

    def annotated(label: map_labels.Label) -> dict[str, Any]:
        bold = ranked[label.position] == selected
        return map_labels.annotation(label, words[label.position], places[label.position], bold=bold)

    most = max(_LABELS // columns, 5)
    if columns > 1:
        room = map_labels.filling(shares, (_WIDTHS[0], _WIDTHS[1] / columns), float(_HEIGHT))
        return [annotated(label) for label in map_labels.fitting(room, words, most)]
    slim, wide = (
        map_labels.fitting(map_labels.filling(shares, widths, float(_ALONE - _KEY)), words, most, led=led)
        for widths, led in (((_WIDTHS[0], float(phone.NARROW)), 0), ((float(phone.NARROW), _WIDTHS[1]), most))
    )
    return [
        *(annotated(label) for label in wide if label in slim),
        *(annotated(label) | {"name": "where wide"} for label in wide if label not in slim),
        *(annotated(label) | {"name": "where narrow", "visible": False} for label in slim if label not in wide),
    ]


def _fitted(shown: Sequence[DrawnPath]) -> str:
    space = panels.reference(shown).space
    if space.reviews < 2:
        return f"PCA of the {space.fitted:,} states of this text"
    return f"PCA of {space.fitted:,} states of {space.reviews:,} test documents"


def _alt(shown: Sequence[DrawnPath]) -> str:
    said = []
    for panel, one in zip(panels.arrange(shown), shown, strict=True):
        path, unit = one.path, unit_of_push(len(one.path.class_names))
        largest = ", ".join(
            f"{path.text.read[position].name} {number(float(path.pushes[position]))}" for position in path.strongest(5)
        )
        said.append(
            f"{panel.title}: from {unit} {number(float(path.scores[0]))} to {number(float(path.scores[-1]))} over "
            f"{len(path.pushes)} words; largest pushes: {largest or 'none'}; the first two components explain "
            f"{one.space.shares[:2].sum():.0%} of the variance"
        )
    return f"The path of the text through state space. {'. '.join(said)}."


def _table(shown: Sequence[DrawnPath], plane: str) -> Table:
    """Return a row for each word at each checkpoint, where it leads to in the plane."""
    rows = []
    for one in shown:
        path = one.path
        places = StatePlane.of(one.space, path, plane).place(one.space.project(path.points), path.scores)[1:]
        words = [token.name for token in path.text.read]
        rows.append(
            (one.run, one.epoch, range(1, 1 + len(words)), words, path.pushes, path.scores[1:], *places[:, :2].T)
        )
    unit = unit_of_push(len(shown[0].path.class_names))
    headings = ("run", "epoch", "position", "token", f"push, {unit}", f"{unit} after", "first axis", "second axis")
    return table_of(headings, rows)
