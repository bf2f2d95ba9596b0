"""A sequence with a tape on a page: the answers, the heads, one step closely, errors by length, and what they say."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.figures.tape.lengths import RunLengths, length_figure
from nlpviz.figures.tape.sequence import sequence_figure
from nlpviz.figures.tape.step import step_figure, told
from nlpviz.results.tape import READ, WRITE, SequenceReading, TapeReading
from nlpviz.runs import Run
from nlpviz.runs.transducers import network_title, task_of
from nlpviz.ui import plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, takeaway
from nlpviz.ui.tape import cache
from nlpviz.ui.tape.choice import AskedTape, go_to, pick_step


def show(asked: AskedTape) -> None:
    """Show how the networks answer one sequence, one step of the first one, and how often all are wrong by length."""
    runs = {asked.run.name: (asked.run, asked.epoch)} | {run.name: (run, run.best_epoch) for run in asked.others}
    calls = [cache.reading(run, epoch, asked.length, asked.number) for run, epoch in runs.values()]
    titles = {name: network_title(run) for name, (run, _) in runs.items()}
    _tell([call() for call in calls], titles)
    first = calls[0]()
    step = pick_step(first.steps, first.asked)
    marks = Call(task_of, asked.run).get("marks")
    plotly_view.show(Call(sequence_figure, calls, titles, marks, step), key="tape_sequence", on_click=go_to)
    answer("{task} Click a step to see it below.", task=asked.task.says.format(length=f"{asked.length:,}"))
    if isinstance(first, TapeReading):
        st.header(f"Step {step} in detail", anchor=False)
        plotly_view.show(Call(step_figure, calls[0], step), key="tape_step", on_frame=go_to)
        for name, head in (("write", WRITE), ("read", READ)):
            st.caption(f"Step {step}, {name} head: {told(first, step, head)}.")
    st.header("Sequences longer than in training", anchor=False)
    show_lengths(asked, runs)


def show_lengths(asked: AskedTape, runs: dict[str, tuple[Run, int]]) -> None:
    """Show how often the networks answer wrongly by length, and say how often at twice what was trained."""
    shown = [
        Call(RunLengths, name, network_title(run), epoch, cache.lengths(run, epoch))
        for name, (run, epoch) in runs.items()
    ]
    task = asked.task
    plotly_view.show(Call(length_figure, shown, task.unit, task.trained[-1], task.name), key="tape_lengths")
    at_twice = ", ".join(
        f"{call().title} {row.error:.1%}" for call in shown for row in call().rows if row.length == task.twice
    )
    st.caption(
        f"Trained on {task.trained[0]} to {task.trained[-1]} {task.unit}. Share of wrong bits at twice the longest "
        f"training length ({task.twice}): {at_twice}."
    )


def _tell(readings: Sequence[SequenceReading], titles: dict[str, str]) -> None:
    """Say how many bits of the sequence each network gets wrong."""
    told_of = "; ".join(
        f"{titles[read.run]}: {int(read.wrong.sum())} of {read.wrong.size}{' bits wrong' * (not place)}"
        for place, read in enumerate(readings)
    )
    takeaway("{told}.", told=told_of)
