"""The committed curves of a toy task on a page: by training step, by length, and what they show in words."""

from __future__ import annotations

import streamlit as st

from nlpviz.experiments.toys import ToyError, ToyTask, toy_tasks
from nlpviz.experiments.toys.stored import read_curves
from nlpviz.figures.recurrence.toy_curves import learning_curves, length_curves
from nlpviz.results.toys import StoredCurves
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, explain_error, takeaway
from nlpviz.ui.recurrence import toy_words


def pick_task() -> ToyTask:
    """Return the task that the visitor chose."""
    known = toy_tasks()
    names = ["identical-halves", *(name for name in known if name != "identical-halves")]
    return known[widgets.pick("task", "Task", names, lambda name: known[name].facts.title)]


def stored(task: ToyTask) -> StoredCurves:
    """Return the committed curves of a task; the page ends where there are none."""
    try:
        return read_curves(task.name)
    except ToyError as error:
        explain_error(str(error))
        st.stop()


def show(task: ToyTask, curves: StoredCurves) -> None:
    """Show the curves of a task, first those that its source asks about, and say what they show."""
    asked, read = Call(toy_tasks).at(task.name), Call(read_curves, task.name)
    shown = asked.get("facts"), read.get("curves")
    takeaway("{said}", said=toy_words.ends_said(task, curves))
    if task.tested:
        chances = Call(ToyTask.chances, asked, asked.get("tested"))
        plotly_view.show(Call(length_curves, *shown, chances, read.get("length")), key="toy_lengths")
    chance = Call(ToyTask.chances, asked, [curves.length]).at(curves.length)
    learning = Call(learning_curves, *shown, chance, curves.length, horizon=curves.steps)
    if not task.tested:
        plotly_view.show(learning, key="toy_learning")
    answer("{said}", said=toy_words.able_said(task, curves))
    with details():
        st.dataframe(toy_words.curves_table(task, curves), hide_index=True)
    if task.tested:
        st.header(f"Training curves on sequences of {curves.length} {task.facts.unit}", anchor=False)
        plotly_view.show(learning, key="toy_learning")
