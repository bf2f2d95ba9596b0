"""A text through a training as lines: what the networks make of it, their losses, and the story of one word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.frames import Frame
from nlpviz.figures.moments import with_cursor
from nlpviz.figures.numbers import number
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.course import TextCourse, moments_of

_LOOKS = ((theme.POSITIVE, "solid", "circle"), (theme.NEGATIVE, "dash", "diamond"))
_NARROW = 0.42  # the share of the height that is left for the losses


def course_lines(courses: Sequence[TextCourse], shown: int) -> FigureView:
    """Return the probability of a class by epoch, over the losses of the training; the cursor stands at ``shown``.

    The figure leads: where it goes, all others of its clock go.
    """
    target = _target(courses[0])
    traces = []
    for course, (color, dash, symbol) in zip(courses, _LOOKS, strict=False):
        look = {"line": {"color": color, "dash": dash, "width": 2.5}, "marker": {"symbol": symbol, "size": 9}}
        name = escape(course.title)
        traces.append(
            go.Scatter(
                x=list(course.epochs), y=course.probabilities, name=name, mode="lines+markers",
                hovertemplate="%{y:.1%}", yaxis="y2", **look,
            )
        )  # fmt: skip
        for column, (said, opacity) in enumerate((("training", 0.45), ("validation", 1.0)), start=1):
            label = f"{name}, {said} loss" if len(courses) > 1 else f"{said} loss"
            traces.append(
                go.Scatter(
                    x=course.losses[:, 0], y=_gaps(course.losses[:, column]), name=label, mode="lines",
                    opacity=opacity, line={"color": color, "dash": "dot" if column == 1 else dash, "width": 2},
                    hovertemplate="%{y:.3f}",
                )
            )  # fmt: skip
    moments = moments_of(tuple(courses))
    captions = {
        moment: provenance("; ".join(f"{one.run}, epoch {one.at(moment).epoch}" for one in courses), f"target {target}")
        for moment in moments
    }
    view = FigureView(
        figure=direct_labels.figure(traces, **_layout(target, shown, courses)),
        alt=_said(courses, target, shown),
        table=_table(courses, target),
        caption=captions[shown],
        name=f"{courses[0].run}-course",
    )
    alts = {moment: _said(courses, target, moment) for moment in moments}
    return with_cursor(view, str(shown), _frames(view, shown, labels(courses), alts, captions), leads=True)


def _frames(
    view: FigureView, shown: int, named: Mapping[str, str], said: Mapping[int, str], captions: Mapping[int, str]
) -> list[Frame]:
    """Return the frames of a figure whose cursor moves, and nothing else."""
    return [
        Frame(
            str(moment), named[str(moment)], (), {} if moment == shown else {"shapes": [cursor(moment)]}, alt,
            captions[moment], view.name,
        )
        for moment, alt in said.items()
    ]  # fmt: skip


def story_lines(courses: Sequence[TextCourse], position: int, unit: str, shown: int) -> FigureView:
    """Return the score of one word by epoch, one line a run; the cursor follows.

    Args:
        courses: of one text; those that read the word.
        position: of the word among the tokens that were read.
        unit: of a score.
        shown: the moment to begin with.
    """
    word = courses[0].explanations[0].encoded.read[position].word
    traces = [
        go.Scatter(
            x=list(course.epochs), y=course.story(position), name=escape(course.title), mode="lines+markers",
            line={"color": color, "dash": dash, "width": 2.5}, marker={"symbol": symbol, "size": 9},
            hovertemplate="%{y:.3g}",
        )
        for course, (color, dash, symbol) in zip(courses, _LOOKS, strict=False)
    ]  # fmt: skip
    said = "; ".join(f"{one.title}: {_by_epoch(one, position)}" for one in courses)
    method = courses[0].explanations[0].method
    moments = moments_of(tuple(courses))
    captions = {
        moment: provenance(
            "; ".join(f"{one.run}, epoch {one.at(moment).epoch}" for one in courses), f"“{word}”", method
        )
        for moment in moments
    }
    alt = f"The score of “{word}” by {method} at each stored epoch, in {unit}. {said}."
    view = FigureView(
        figure=direct_labels.figure(
            traces, height=260, y=unit, hovermode="x unified", shapes=[cursor(shown)],
            xaxis={"title": {"text": "epoch"}, "dtick": _step(courses)},
            unnamed=[trace.name for trace in traces] if len(courses) == 1 else (),
        ),
        alt=alt,
        table=_columns(courses, [one.story(position) for one in courses], f"score of {word}"),
        caption=captions[shown],
        name=f"{courses[0].run}-story",
    )  # fmt: skip
    frames = _frames(view, shown, labels(courses), dict.fromkeys(moments, alt), captions)
    return with_cursor(view, str(shown), frames, leads=False)


def labels(courses: Sequence[TextCourse]) -> dict[str, str]:
    """Return what people call each moment: the epoch of each run that is shown there."""
    said = {}
    for moment in moments_of(tuple(courses)):
        epochs = [one.at(moment).epoch for one in courses]
        if len(set(epochs)) == 1:
            best = all(one.best_epoch == epochs[0] for one in courses)
            said[str(moment)] = f"Epoch {moment}" + (" (before training)" * (moment == 0) or " (best)" * best)
        else:
            said[str(moment)] = "Epochs " + " and ".join(map(str, epochs))
    return said


def _target(course: TextCourse) -> str:
    first = course.explanations[0]
    return first.class_names[first.target]


def _by_epoch(course: TextCourse, position: int) -> str:
    scores = zip(course.epochs, course.story(position), strict=True)
    return ", ".join(f"{number(score)} at epoch {epoch}" for epoch, score in scores)


def _gaps(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def cursor(moment: float) -> dict[str, Any]:
    """Return the line that stands at a moment of the training."""
    return theme.line_at(moment, width=2, xref="x", yref="paper")


def _layout(target: str, moment: int, courses: Sequence[TextCourse]) -> dict[str, Any]:
    return {
        "height": 320,
        "hovermode": "x unified",
        "shapes": [cursor(moment)],
        "xaxis": {"title": {"text": "epoch"}, "anchor": "y", "dtick": _step(courses)},
        "yaxis": {"domain": [0, _NARROW - 0.06], "title": {"text": "loss"}, "nticks": 4},
        "yaxis2": {
            "domain": [_NARROW + 0.06, 1], "title": {"text": f"P({theme.plain(target)})"}, "range": [-0.03, 1.03],
            "tickformat": ".0%", "nticks": 5, "anchor": "x",
        },
        "unnamed": [escape(course.title) for course in courses] if len(courses) == 1 else (),
    }  # fmt: skip


def _step(courses: Sequence[TextCourse]) -> int:
    """Return how many epochs lie between two ticks: about eight ticks."""
    last = max(one.epochs[-1] for one in courses)
    return max(1, round(last / 8))


def _said(courses: Sequence[TextCourse], target: str, moment: int) -> str:
    parts = []
    for one in courses:
        now, (first, *_, last) = one.at(moment), one.probabilities
        parts.append(
            f"{one.title}: {now.probabilities[now.target]:.1%} at epoch {now.epoch}, {first:.1%} at epoch "
            f"{one.epochs[0]}, {last:.1%} at epoch {one.epochs[-1]}"
        )
    return f"The probability of {target} for this text by epoch, and the losses. {'; '.join(parts)}."


def _table(courses: Sequence[TextCourse], target: str) -> Table:
    return _columns(courses, [one.probabilities for one in courses], f"P({target})")


def _columns(courses: Sequence[TextCourse], values: Sequence[np.ndarray], heading: str) -> dict[str, Any]:
    """Return a row for each epoch that any run keeps; what one does not keep is empty."""
    moments = moments_of(tuple(courses))
    table: Table = {"epoch": np.array(moments)}
    for one, numbers in zip(courses, values, strict=True):
        kept = dict(zip(one.epochs, numbers, strict=True))
        table[f"{heading}, {one.run}"] = np.array([kept.get(moment, np.nan) for moment in moments])
    return table
