"""What a network would say if the text ended here: the probability after every word, all checkpoints on one axis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import direct_labels, panels, theme, word_axis
from nlpviz.figures.numbers import number
from nlpviz.figures.recurrence import words
from nlpviz.figures.view import FigureView, Table, padded, provenance
from nlpviz.results.gates import jumps, running, skipped
from nlpviz.results.states import TextStates

_HEIGHT = 300  # pixels
_NEAR, _APART = 0.08, 0.12  # of the text and of the axis: names closer than both would touch
_MARKED = 90  # words up to which each is a dot
_DASHES = ("solid", "dash", "dot", "dashdot")
_OF_RUNS = (theme.CATEGORIES[2], theme.CATEGORIES[4])


def running_prediction(
    shown: Sequence[TextStates], target: int, layer: int = 0, chosen: int | None = None
) -> FigureView:
    """Return the probability of a class after each word as lines, with the words named at which the last one jumps.

    A click hands on a word's number from 1.

    Args:
        shown: of one text, one for each checkpoint, the chosen run's first.
        target: the index of the class, the same in all.
        layer: whose skipped words are marked, where a network skips any.
        chosen: the position of the word that stands out.
    """
    reference, longest = panels.reference(shown), max(shown, key=lambda one: len(one.after))
    names, courses = words.labels(longest), [running(one, target)[: word_axis.SHOWN] for one in shown]
    class_name = reference.class_names[target]
    traces = [
        _line(one, course, panel.title, look)
        for one, course, panel, look in zip(shown, courses, panels.arrange(shown), _looks(shown), strict=True)
    ]
    traces += _skips(reference, running(reference, target)[: word_axis.SHOWN], layer)
    marks = [] if chosen is None or chosen >= len(names) else [word_axis.column(chosen, 1)]
    level = 1 / len(reference.class_names)
    even = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": level, "y1": level, "yref": "y"}
    drawn = direct_labels.figure(
        traces, height=_HEIGHT, y=f"P({class_name})", unnamed=() if len(shown) > 1 else {traces[0].name},
        main={trace.name for trace in traces}, margin={"t": 14, "r": 12, "b": word_axis.room(len(names))},
        annotations=_names(reference, target),
        xaxis=word_axis.axis(names), yaxis={"range": [-0.13, 1.13], "tickformat": ".0%", "dtick": 0.25},
        shapes=[even | {"line": {"color": theme.ZERO, "width": 1.5}}, *marks],
    )  # fmt: skip
    return FigureView(
        figure=drawn,
        alt=_alt(shown, courses, target),
        table=_table(shown, longest, target),
        caption=provenance(panels.checkpoints(shown), f"probability of {class_name} after each word"),
        name=panels.file_name(shown, "running-prediction"),
    )


def _looks(shown: Sequence[TextStates]) -> list[dict[str, object]]:
    """Return colour and dash of each line: the epochs of one run on their ramp, two runs in two colours."""
    runs = list(dict.fromkeys(one.run for one in shown))
    if len(runs) == 1:
        last = max(one.epoch for one in shown)
        colors = [theme.epoch_color(one.epoch, last) for one in shown]
    else:
        colors = [_OF_RUNS[runs.index(one.run) % len(_OF_RUNS)] for one in shown]
    later = [sum(other.run == one.run and other.epoch > one.epoch for other in shown) for one in shown]
    return [
        {"color": color, "dash": _DASHES[rank % len(_DASHES)], "width": 2.5 if not rank else 1.75}
        for color, rank in zip(colors, later, strict=True)
    ]


def _line(states: TextStates, course: NDArray[np.float32], title: str, look: dict[str, object]) -> go.Scatter:
    before = np.concatenate([course[:1], course[:-1]])
    hover = [
        f"{words.escaped(states, place)}<br>{title}: {value:.1%}"
        + (f" ({number(value - old, '.1%')})" if place else "")
        for place, (value, old) in enumerate(zip(course.tolist(), before.tolist(), strict=True))
    ]
    return go.Scatter(
        x=words.labels(states), y=course, mode="lines+markers" if len(course) <= _MARKED else "lines", name=title,
        line=look, marker={"size": 5, "color": look["color"]}, hovertext=hover, hoverinfo="text",
        customdata=[str(place + 1) for place in range(len(course))],
    )  # fmt: skip


def _skips(states: TextStates, course: NDArray[np.float32], layer: int) -> list[go.Scatter]:
    """Return the marks of the words that were skipped; nothing where none was."""
    kept = skipped(states, min(layer, states.layers - 1))
    if kept is None or not kept[: len(course)].any():
        return []
    at, names = np.flatnonzero(kept[: len(course)]), words.labels(states)
    return [
        go.Scatter(
            x=[names[place] for place in at], y=course[at], mode="markers+text", hoverinfo="skip",
            text=["skipped", *[""] * (len(at) - 1)], textposition="bottom center", textfont={"color": theme.MUTED},
            marker={"symbol": "x-thin-open", "size": 8, "color": theme.MUTED, "line": {"width": 2}},
        )
    ]  # fmt: skip


def _names(states: TextStates, target: int) -> list[dict[str, object]]:
    """Return the names of the words at which the running prediction jumps, above a rise and below a fall."""
    course = running(states, target)[: word_axis.SHOWN]
    named: list[int] = []
    for place in sorted(jumps(course), key=lambda one: -abs(course[one] - course[one - 1])):
        near = _NEAR * len(course)
        if all(abs(place - other) > near or abs(course[place] - course[other]) > _APART for other in named):
            named.append(place)
    ends = {True: "left", False: "center"}
    return [
        {
            "x": place, "y": float(course[place]), "text": f"<b>{words.escaped(states, place)}</b>", "showarrow": False,
            "yshift": 13 if course[place] >= course[place - 1] else -13, "font": {"size": 12},
            "xanchor": "right" if place > (1 - _NEAR) * len(course) else ends[place < _NEAR * len(course)],
        }
        for place in named
    ]  # fmt: skip


def _alt(shown: Sequence[TextStates], courses: Sequence[NDArray[np.float32]], target: int) -> str:
    parts = []
    for states, course, panel in zip(shown, courses, panels.arrange(shown), strict=True):
        if not len(course):
            parts.append(f"{panel.title}: no words were read")
            continue
        moved = ", ".join(
            f"{words.spoken(states, place)} {number(course[place] - course[place - 1], '.0%')}"
            for place in jumps(course)
        )
        parts.append(
            f"{panel.title}: from {course[0]:.0%} after the first word to {course[-1]:.0%} after the last"
            + (f"; largest changes at {moved}" if moved else "; no word changes it by 10 points or more")
        )
    return f"The probability of {shown[0].class_names[target]} after each word. {'. '.join(parts)}."


def _table(shown: Sequence[TextStates], longest: TextStates, target: int) -> Table:
    """Return a row for each word that any of the networks read."""
    count = len(longest.after)
    table: Table = {
        "position": np.arange(1, count + 1),
        "token": [token.name for token in longest.text.read],
    }
    for states, panel in zip(shown, panels.arrange(shown), strict=True):
        title = panel.heading
        table[f"P({states.class_names[target]}), {title}"] = padded(running(states, target).astype(np.float32), count)
        for layer in range(states.layers):
            kept = skipped(states, layer)
            if kept is not None:
                table[f"skipped by layer {layer + 1}, {title}"] = ["yes" if one else "no" for one in kept] + [""] * (
                    count - len(kept)
                )
    return table
