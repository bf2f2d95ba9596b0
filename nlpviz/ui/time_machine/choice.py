"""What a visitor follows through a training: a text, one run or two, a class, a method, a word, and at which epoch."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nlpviz.analysis.attribution import explain_by_epoch, methods, methods_for
from nlpviz.results.course import TextCourse, moments_of
from nlpviz.run_kinds.progress_curves import text_course
from nlpviz.runs import Checkpoint, Run
from nlpviz.ui import cache, compare, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import escape_markdown, messages

_MOMENT, _WORD = "moment", "pinned"
_NONE = "none"
_LETTERS = 18


@dataclass(frozen=True)
class Followed:
    """What is shown.

    Attributes:
        runs: the chosen one first.
        text: as it was typed.
        method: a name in :func:`nlpviz.analysis.attribution.methods`.
        courses: one for each run.
        moment: the epoch that is shown, as far as the address knows.
        word: the position of the pinned word among the tokens that were read; None for none.
    """

    runs: tuple[Run, ...]
    text: str
    method: str
    courses: tuple[TextCourse, ...]
    moment: int
    word: int | None

    @property
    def first(self) -> str:
        """What all panels but the one that leads begin with, and what they are sent as.

        It is always the chosen run's best epoch: were it the moment, all would be sent again whenever that changes.
        """
        return str(self.runs[0].best_epoch)

    @property
    def moments(self) -> tuple[int, ...]:
        """The epochs that any of the runs keeps."""
        return moments_of(self.courses)

    def call(self, course: TextCourse) -> Call[TextCourse]:
        """Return the call that gives one of the courses."""
        run = next(run for run in self.runs if run.name == course.run)
        explained = Call(explain_by_epoch, run, self.text, self.method, course.explanations[0].target)
        return Call(text_course, run, explained).giving(course)

    def epochs(self, place: int) -> dict[str, int]:
        """Return for each moment, as an address writes it, which epoch of the run at ``place`` is shown."""
        return {str(moment): self.courses[place].at(moment).epoch for moment in self.moments}


def follow(runs: tuple[Run, ...], text: str, method: str, target: str) -> Followed:
    """Return what the visitor follows; a run that lacks class or method is left out, and the page says so."""
    wanted = target if target in runs[0].class_names else None
    checkpoints = [Checkpoint(run, epoch) for run in runs for epoch in run.epochs]
    able = [one for one in checkpoints if method in methods_for(one.run)]
    for title in sorted({one.run.title for one in checkpoints if one not in able}):
        messages().info(
            f"{methods()[method].title} needs {methods()[method].needs}, so {escape_markdown(title)} is not shown."
        )
    calls = compare.of_one_class(able, wanted, lambda run, epoch, of: cache.explanation(run, epoch, text, method, of))
    explained = [call() for call in calls]
    shown = tuple(run for run in runs if any(one.run == run.name for one in explained))
    courses = tuple(text_course(run, [one for one in explained if one.run == run.name]) for run in shown)
    moment = _pick_moment(runs[0], moments_of(courses))
    return Followed(shown, text, method, courses, moment, _pick_word(courses[0]))


go_to = widgets.set_to(_MOMENT)
"""Let the page say at which epoch the visitor left it."""


def pin(identifier: str) -> None:
    """Pin a clicked word."""
    st.session_state[_WORD] = str(int(identifier) + 1)


def _pick_moment(run: Run, moments: tuple[int, ...]) -> int:
    """Return the epoch in the address, by default the best one; the slider under the first figure sets it."""
    options, memory = [str(moment) for moment in moments], widgets.epochs_of(run)
    return int(widgets.follow(_MOMENT, options, str(run.best_epoch), parameter="epoch", memory=memory))


def _pick_word(course: TextCourse) -> int | None:
    """Return the position of the pinned word; at first none."""
    read = enumerate(course.explanations[-1].encoded.read, start=1)
    names = {_NONE: _NONE} | {str(place): f"{place} {token.word[:_LETTERS]}" for place, token in read}
    chosen = widgets.pick(_WORD, "Word", names, of_text=True)
    return None if chosen == _NONE else int(chosen) - 1
