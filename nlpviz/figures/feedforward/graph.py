"""A small network as a graph with its numbers: values as they are computed, gradients as they arrive, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from nlpviz.figures import phone, theme
from nlpviz.figures.frames import Frame, Playback
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.backpropagation import GraphStep, NumberGraph

PLACES: Mapping[str, tuple[float, float]] = {
    "x₁": (0, 4.4), "x₂": (0, 1.6),
    "w₁₁": (1.5, 6.0), "w₂₁": (2.2, 6.0), "b₁": (2.9, 6.0), "w₁₂": (1.5, 0.1), "w₂₂": (2.2, 0.1), "b₂": (2.9, 0.1),
    "z₁": (2.2, 4.4), "z₂": (2.2, 1.6), "h₁": (3.4, 4.4), "h₂": (3.4, 1.6),
    "v₁": (4.3, 6.0), "v₂": (5.0, 6.0), "c": (5.7, 6.0),
    "o": (5.0, 3.0), "ŷ": (6.0, 3.0), "t": (6.0, 1.2), "L": (7.0, 3.0),
}  # fmt: skip
"""Where each number is drawn: what is given, then from left to right as it is computed."""
_SYMBOLS = {"input": "circle", "weight": "square", "target": "diamond", "sum": "circle", "activation": "circle",
            "loss": "circle"}  # fmt: skip
_HEIGHT, _LEAST = 520, 860
_PACE = 1400
_ABOVE = 5.0  # of what is drawn higher, the numbers stand above it


def graph(drawn: NumberGraph, about: str, shown: int) -> FigureView:
    """Return the graph after one of its steps; the others are frames, which buttons and the slider lead to.

    Under each number stand its value and, once known, the gradient of the loss by it; edges that a step uses are
    heavy, and hold the local derivative.

    Args:
        drawn: the graph with its steps.
        about: activation and loss, in words.
        shown: the step that is shown at first.
    """
    caption = provenance(
        "network with two inputs, two hidden units and one output", about, "reverse-mode differentiation, step by step"
    )
    name = "backpropagation"
    frames = tuple(
        Frame(str(place), _label(drawn, place), _traces(drawn, place), {"annotations": _notes(drawn, place)},
              _alt(drawn, place), caption, name)
        for place in range(len(drawn.steps))
    )  # fmt: skip
    bare: dict[str, Any] = {"visible": False, "fixedrange": True}
    figure = theme.figure(
        _traces(drawn, shown), height=_HEIGHT, annotations=_notes(drawn, shown), showlegend=False,
        xaxis={**bare, "range": [-0.45, 7.5]}, yaxis={**bare, "range": [-0.75, 6.85]},
        margin={"l": 4, "r": 4, "t": 8, "b": 8}, meta=phone.least_width(_LEAST),
    )  # fmt: skip
    playback = Playback(str(shown), 0, frames, verb="Play steps", noun="Step", pace=_PACE, stepped=True)
    return FigureView(figure, _alt(drawn, shown), _table(drawn), caption, name, playback)


def _used(drawn: NumberGraph, step: GraphStep) -> list[int]:
    """Return the edges that a step uses: into the number that is computed, or out of that which hands on."""
    if step.phase == "given" or (step.phase == "backward" and step.says.endswith("= 1")):
        return []
    return [place for place, edge in enumerate(drawn.edges) if edge.end in step.at]


def _traces(drawn: NumberGraph, place: int) -> list[go.Scatter]:
    """Return the edges, those that the step uses, and the numbers, after a step."""
    step, known = drawn.steps[place], drawn.known(place)
    used = _used(drawn, step)
    spots = [PLACES[node.name] for node in drawn.nodes]

    def lines(which: Sequence[int]) -> tuple[list[float | None], list[float | None]]:
        x: list[float | None] = []
        y: list[float | None] = []
        for edge in which:
            ends = spots[drawn.edges[edge].start], spots[drawn.edges[edge].end]
            x += [ends[0][0], ends[1][0], None]
            y += [ends[0][1], ends[1][1], None]
        return x, y

    ink = theme.NEGATIVE if step.phase == "backward" else theme.POSITIVE
    quiet, loud = lines(range(len(drawn.edges))), lines(used)
    colors = [ink if at in step.at else theme.MUTED if at in known else theme.GRID for at in range(len(drawn.nodes))]
    said = [_hover(drawn, at, place) for at in range(len(drawn.nodes))]
    return [
        go.Scatter(x=quiet[0], y=quiet[1], mode="lines", line={"color": theme.GRID, "width": 1.5}, hoverinfo="skip"),
        go.Scatter(x=loud[0], y=loud[1], mode="lines", line={"color": ink, "width": 3.5}, hoverinfo="skip"),
        go.Scatter(
            x=[spot[0] for spot in spots], y=[spot[1] for spot in spots], mode="markers",
            marker={"color": theme.SURFACE, "opacity": 1,
                    "size": [26 if node.kind == "weight" else 34 for node in drawn.nodes],
                    "symbol": [_SYMBOLS[node.kind] for node in drawn.nodes], "line": {"width": 2.5, "color": colors}},
            hovertext=said, hovertemplate="%{hovertext}<extra></extra>", customdata=list(range(len(drawn.nodes))),
        ),
    ]  # fmt: skip


def _notes(drawn: NumberGraph, place: int) -> list[dict[str, Any]]:
    """Return what stands on and under the numbers, and on the edges that the step uses."""
    step, known, notes = drawn.steps[place], drawn.known(place), []
    plain = {"showarrow": False, "xref": "x", "yref": "y"}
    for at, node in enumerate(drawn.nodes):
        x, y = PLACES[node.name]
        lines = [number(node.value, ".3g", signed=False)] if at in known else []
        if at in step.gradients:
            lines.append(f"∂ {number(step.gradients[at], '.3g', signed=False)}")
        notes.append({**plain, "x": x, "y": y, "text": node.name, "font": {"size": 14, "color": theme.INK}})
        above = y > _ABOVE
        notes.append({
            **plain, "x": x, "y": y, "yshift": 18 if above else -20 if node.kind == "weight" else -24,
            "yanchor": "bottom" if above else "top", "text": "<br>".join(lines) or " ",
            "font": {"size": 12, "color": theme.INK}, "align": "center",
        })  # fmt: skip
    ink = theme.NEGATIVE if step.phase == "backward" else theme.POSITIVE
    for edge in _used(drawn, step):
        one = drawn.edges[edge]
        (x0, y0), (x1, y1) = PLACES[drawn.nodes[one.start].name], PLACES[drawn.nodes[one.end].name]
        share = 0.62
        notes.append({
            **plain, "x": x0 + share * (x1 - x0), "y": y0 + share * (y1 - y0), "bgcolor": theme.SURFACE,
            "text": number(one.slope, ".2g", signed=False), "font": {"size": 11, "color": ink},
        })  # fmt: skip
    return notes


def _label(drawn: NumberGraph, place: int) -> str:
    step = drawn.steps[place]
    way = {"given": "given", "forward": "forward", "backward": "backward"}[step.phase]
    return f"{place} of {len(drawn.steps) - 1}, {way}: {_short(drawn, step)}"


def _short(drawn: NumberGraph, step: GraphStep) -> str:
    if step.phase == "given":
        return "inputs, weights, target"
    node = drawn.nodes[step.at[0]]
    if step.phase == "forward":
        return f"{node.name} = {number(node.value, '.3g', signed=False)}"
    gradient = number(step.gradients[step.at[0]], ".3g", signed=False)
    return f"∂L/∂{node.name} = {gradient}" + (", passed back" if not step.says.endswith("= 1") else "")


def _hover(drawn: NumberGraph, at: int, place: int) -> str:
    node, step = drawn.nodes[at], drawn.steps[place]
    value = f"{node.name} = {number(node.value, '.4g', signed=False)}" if at in drawn.known(place) else node.name
    gradient = (
        f"<br>∂L/∂{node.name} = {number(step.gradients[at], '.4g', signed=False)}" if at in step.gradients else ""
    )
    return f"{value}{f'<br>{node.formula}' if node.formula else ''}{gradient}"


def _alt(drawn: NumberGraph, place: int) -> str:
    step = drawn.steps[place]
    names = [drawn.nodes[at].name for at in sorted(step.gradients)]
    known = f" Known gradients: {', '.join(names)}." if names else ""
    return f"Computation graph of a network, step {_label(drawn, place)}. {step.says}.{known}".replace("..", ".")


def _table(drawn: NumberGraph) -> Table:
    slopes = {
        at: ", ".join(
            f"by {drawn.nodes[edge.start].name} {number(edge.slope, '.4g', signed=False)}"
            for edge in drawn.edges
            if edge.end == at
        )
        for at in range(len(drawn.nodes))
    }
    return {
        "number": [node.name for node in drawn.nodes],
        "computed as": [node.formula or "given" for node in drawn.nodes],
        "value": [node.value for node in drawn.nodes],
        "local derivatives": [slopes[at] for at in range(len(drawn.nodes))],
        "gradient of the loss": [node.gradient for node in drawn.nodes],
    }
