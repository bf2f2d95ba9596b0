"""Which documents were learnt the way a text was: those whose log-odds went the same way through the training."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import streamlit as st

from nlpviz.figures.numbers import number
from nlpviz.figures.time_machine.lines import labels
from nlpviz.figures.time_machine.neighbours import OwnCourse, neighbour_lines
from nlpviz.results.dynamics_neighbours import CourseNeighbours, neighbours_of_course, neighbours_of_document
from nlpviz.results.training_log import TrainingLog
from nlpviz.runs import Run
from nlpviz.runs.training_log import TRAINING_LOG, missing
from nlpviz.ui import classes, plotly_view, texts
from nlpviz.ui.calls import Call, Result
from nlpviz.ui.documents import dynamics
from nlpviz.ui.frame import answer, escape_markdown, lead_to
from nlpviz.ui.time_machine.choice import Followed

_COUNT = 6


class Alike(NamedTuple):
    """The documents that a run learnt the way it learnt a text.

    Attributes:
        log: among whose documents they were found.
        own: the text's course.
        found: the nearest.
        of: what the log-odds are of.
    """

    log: Result[TrainingLog]
    own: Call[OwnCourse]
    found: Call[CourseNeighbours]
    of: str


def show_neighbours(followed: Followed) -> Alike | None:
    """Show the documents whose log-odds went like the text's, for each run with a log; return those of the first."""
    first = followed.courses[0].explanations[0]
    if not first.encoded.read:
        return None
    st.header(f"Which {classes.document(followed.runs[0])}s were learnt like this text?", anchor=False)
    shown = []
    for place, run in enumerate(followed.runs):
        if TRAINING_LOG not in run.files:
            st.caption(missing(run))
            continue
        alike = _alike(followed, place)
        if alike is None:
            st.caption(
                f"{escape_markdown(run.title)}: the training log has no moment in common with the stored epochs."
            )
            continue
        _tell(run, alike)
        lines = Call(neighbour_lines, *alike, labels(followed.courses), followed.first)
        plotly_view.show(lines, key=f"time_neighbours_{place}")
        _lead(run, alike.found())
        shown.append(alike)
    return shown[0] if shown else None


def worked(alike: Alike) -> str:
    """Return as Markdown how far the nearest document is, with the numbers of one moment."""
    log, own, found = alike.log(), alike.own(), alike.found()
    at = [int(np.flatnonzero(log.moments == moment)[0]) for moment in found.moments]
    theirs = log.log_odds[found.positions[0], at]
    known = dict(zip(np.round(own.epochs, 4).tolist(), own.log_odds, strict=True))
    ours = np.array([known[moment] for moment in np.round(found.moments, 4).tolist()])
    most = float(np.abs(log.log_odds).max())
    ours = np.clip(ours, -most, most)
    return f"""
**Learnt the same way.** The distance between two curves is the root mean square difference of their log-odds over the
moments of training that both curves have in common. This text and
{escape_markdown(found.ids[0])} share {len(at)} moments. At the last moment, their log-odds are {number(ours[-1])} and
{number(theirs[-1])} nats:

$$
d = \\sqrt{{\\frac{{1}}{{{len(at)}}}\\sum_e (\\ell_e - \\ell'_e)^2}} = {found.distances[0]:.2f}\\ \\text{{nats}}
$$

The log-odds of a document are those of its own label. The label of a text that is not in the log is unknown, so the
log-odds of the target class are used instead, and only documents with this label are compared. Near neighbours were
learnt in a similar way, but their content may differ. The log stores log-odds from −8 to 8 in steps of 1/16 nat, so
smaller differences are meaningless.
"""


def _alike(followed: Followed, place: int) -> Alike | None:
    run = followed.runs[place]
    identifier = texts.document_read(run)
    for part in dynamics.parts(run):
        log = dynamics.learnt(run, part).get("log")
        if identifier is not None and identifier in log().ids:
            position = log().ids.index(identifier)
            own = Call(OwnCourse, identifier, log.get("moments"), log.get("log_odds").at(position))
            return Alike(log, own, Call(neighbours_of_document, log, position, _COUNT), "the label")
    return _alike_of_typed(followed, place)


def _alike_of_typed(followed: Followed, place: int) -> Alike | None:
    """Return the test documents of the class that is followed whose courses are nearest at the kept epochs."""
    run, known = followed.runs[place], followed.courses[place]
    target = known.explanations[0].target
    part = "test" if "test" in dynamics.parts(run) else dynamics.parts(run)[0]
    log = Call(TrainingLog.labelled, dynamics.learnt(run, part).get("log"), target)
    course = followed.call(known)
    own = Call(OwnCourse.of, course)
    found = Call(neighbours_of_course, log, course.get("epochs"), own.get("log_odds"), _COUNT)
    try:
        there = len(found().ids)
    except ValueError:
        return None
    return Alike(log, own, found, run.class_names[target]) if there else None


def _tell(run: Run, alike: Alike) -> None:
    found = alike.found()
    answer(
        "Of {count:,} {documents}, {title} learnt {name} most similarly to {own}: **{away:.2f} nats** apart "
        "(median {document}: {middle:.1f}).",
        count=len(alike.log().labels),
        documents=f"{classes.document(run)}s" + f" labelled {alike.of}" * (alike.of != "the label"),
        title=run.title,
        name=texts.named(run, found.ids[0]),
        own=alike.own().name,
        away=float(found.distances[0]),
        document=classes.document(run),
        middle=found.middle,
    )


def _lead(run: Run, found: CourseNeighbours) -> None:
    """Lead to each neighbour, with how it begins where the corpus is on this machine."""
    for name, distance in zip(found.ids, found.distances, strict=True):
        label = f"{escape_markdown(texts.named(run, name))} · {distance:.2f} nats"
        lead_to("One review", label, "time-machine", text=name, run=run.name)
