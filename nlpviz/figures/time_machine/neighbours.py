"""The documents that were learnt the same way as a text: their log-odds through the training, beside its own."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nlpviz.figures import direct_labels, theme
from nlpviz.figures.frames import Frame
from nlpviz.figures.moments import with_cursor
from nlpviz.figures.numbers import number
from nlpviz.figures.time_machine.lines import cursor
from nlpviz.figures.view import FigureView, Table, provenance
from nlpviz.results.course import TextCourse
from nlpviz.results.dynamics_neighbours import CourseNeighbours
from nlpviz.results.training_log import TrainingLog

_MIDDLE = (0.1, 0.5, 0.9)  # quantiles of all documents


class OwnCourse(NamedTuple):
    """The course that neighbours were looked for: what it is called, where it was measured, log-odds in nats."""

    name: str
    epochs: NDArray[np.floating]
    log_odds: NDArray[np.floating]

    @classmethod
    def of(cls, course: TextCourse) -> OwnCourse:
        """Return the log-odds of the class for which a text was explained, at each kept epoch."""
        shares = np.clip(course.probabilities, 1e-12, 1 - 1e-12)
        return cls("this text", np.array(course.epochs, dtype=np.float64), np.log(shares / (1 - shares)))


def neighbour_lines(
    log: TrainingLog, own: OwnCourse, found: CourseNeighbours, of: str, moments: Mapping[str, str], shown: str
) -> FigureView:
    """Return the log-odds of a text and of its nearest documents by epoch, over the middle of all; the cursor follows.

    Args:
        log: among whose documents they were found.
        own: the text's course.
        found: the nearest documents.
        of: what the log-odds are of, in words: ``"its label"``.
        moments: what people call each moment of the page, by its value in an address.
        shown: the moment to begin with.
    """
    low, middle, high = np.quantile(log.log_odds, _MIDDLE, axis=0).astype(np.float32)
    traces = [*_band(log.moments, low, middle, high), *_neighbours(log, found), _own(own)]
    listed: Table = {"epoch": log.moments, own.name: _on(log.moments, own)}
    for name, position in zip(found.ids, found.positions, strict=True):
        listed[name] = log.log_odds[position]
    listed["median of all"] = middle
    named = ", ".join(f"{name} ({away:.2f})" for name, away in zip(found.ids, found.distances, strict=True))
    caption = provenance(
        log.run, f"log-odds of {of}", f"compared at {len(found.moments)} moments by root-mean-square difference"
    )
    view = FigureView(
        figure=direct_labels.figure(
            traces, height=320, y="log-odds, nats", hovermode="closest", shapes=[cursor(float(shown))],
            xaxis={"title": {"text": "epoch"}}, main={trace.name for trace in traces},
        ),
        alt=f"Log-odds of {of} by epoch, compared with those of {len(log.labels):,} documents: {own.name} ends at "
        f"{number(own.log_odds[-1])}. Nearest documents, with distances in nats: {named}.",
        table=listed,
        caption=caption,
        name=f"{log.run}-neighbours-in-training",
    )  # fmt: skip
    frames = [
        Frame(value, label, (), {} if value == shown else {"shapes": [cursor(float(value))]}, view.alt, caption,
              view.name)
        for value, label in moments.items()
    ]  # fmt: skip
    return with_cursor(view, shown, frames, leads=False)


def _band(
    moments: NDArray[np.floating], low: NDArray[np.float32], middle: NDArray[np.float32], high: NDArray[np.float32]
) -> list[go.Scatter]:
    edge = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    return [
        go.Scatter(x=moments, y=high, **edge),
        go.Scatter(x=moments, y=low, fill="tonexty", fillcolor="rgba(133,140,153,0.22)", **edge),
        go.Scatter(
            x=moments, y=middle, mode="lines", name="all: median and middle 80%",
            line={"color": theme.MUTED, "dash": "dot", "width": 2}, hovertemplate="median %{y:.2f}<extra></extra>",
        ),
    ]  # fmt: skip


def _neighbours(log: TrainingLog, found: CourseNeighbours) -> list[go.Scatter]:
    return [
        go.Scatter(
            x=log.moments, y=log.log_odds[position], mode="lines", name="nearest",
            line={"color": theme.CATEGORIES[4], "width": 1.5}, opacity=0.7,
            hovertemplate=f"{escape(name)}: %{{y:.2f}} at epoch %{{x:.2f}}<extra></extra>",
        )
        for name, position in zip(found.ids, found.positions, strict=True)
    ]  # fmt: skip


def _own(own: OwnCourse) -> go.Scatter:
    return go.Scatter(
        x=own.epochs, y=own.log_odds, mode="lines+markers", name=escape(own.name),
        line={"color": theme.INK, "width": 2.5}, marker={"size": 7, "color": theme.INK},
        hovertemplate="%{y:.2f} at epoch %{x:.2f}<extra></extra>",
    )  # fmt: skip


def _on(moments: NDArray[np.floating], own: OwnCourse) -> NDArray[np.float32]:
    """Return a course at the moments of a log; not a number where it was not measured."""
    known = dict(zip(np.round(own.epochs, 4).tolist(), own.log_odds, strict=True))
    return np.array([known.get(moment, np.nan) for moment in np.round(moments, 4).tolist()], dtype=np.float32)
