"""The committed curves of a toy task on a page: by training step, by length, and what they show in words."""

from __future__ import annotations

import streamlit as st

from nlpviz.experiments.toys import ToyError, ToyTask, toy_tasks
from nlpviz.experiments.toys.stored import read_curves
from nlpviz.figures.recurrence.toy_curves import learning_curves, length_curves
from nlpviz.figures.snippets import toys as snippets
from nlpviz.results.toys import StoredCurves
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.cache import figure
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
    facts, made = task.facts, (task.name, curves.created)
    takeaway("{said}", said=toy_words.ends_said(task, curves))
    if task.tested:
        chances = {length: task.chance(length) for length in task.tested}
        lengths = figure(("length_curves", *made), lambda: length_curves(facts, curves.curves, chances, curves.length))
        plotly_view.show(lengths, key="toy_lengths", code=snippets.curves(task.name, "lengths"))
    chance, horizon = task.chance(curves.length), curves.steps
    learning = figure(
        ("learning_curves", *made),
        lambda: learning_curves(facts, curves.curves, chance, curves.length, horizon=horizon),
    )
    if not task.tested:
        plotly_view.show(learning, key="toy_learning", code=snippets.curves(task.name, "learning"))
    answer("{said}", said=toy_words.able_said(task, curves))
    with details():
        st.dataframe(toy_words.curves_table(task, curves), hide_index=True)
    if task.tested:
        st.header(f"Training curves on sequences of {curves.length} {facts.unit}", anchor=False)
        plotly_view.show(learning, key="toy_learning", code=snippets.curves(task.name, "learning"))
