"""What a visitor asks of networks with a tape: the task, the epoch, one sequence, a step of it."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from nlpviz.data.bits import BitTask, bit_tasks
from nlpviz.runs import Run
from nlpviz.runs.transducers import KIND
from nlpviz.ui import address, widgets
from nlpviz.ui.widgets import Wanted

TAPES = Wanted(
    "Toy tasks", able=lambda run: run.kind == KIND, named="trained network for copying", recipe="copying-ntm"
)
"""Runs that answer sequences of bits."""
STEP = "step"
_MOST = 100
"""Test sequences of each length."""


class AskedTape(NamedTuple):
    """What a visitor asks.

    Attributes:
        task: the task.
        run: the network that is looked into, one with a tape where there is one.
        epoch: its epoch.
        others: the other networks that learnt the task.
        length: of the sequence.
        number: which test sequence of that length, from 1.
    """

    task: BitTask
    run: Run
    epoch: int
    others: tuple[Run, ...]
    length: int
    number: int


def ask() -> AskedTape:
    """Return what the visitor asks, with the controls for it; the page ends where no run is there."""
    runs, known = widgets.some_runs(TAPES), bit_tasks()
    names = [name for name in ("copying", *known) if any(run.corpus["name"] == name for run in runs.values())]
    task = known[widgets.pick("tape_task", "Task", list(dict.fromkeys(names)), lambda name: known[name].title)]
    of_task = sorted(
        (run for run in runs.values() if run.corpus["name"] == task.name), key=lambda run: "cells" not in run.config
    )
    first, *others = of_task
    epoch = widgets.pick_epoch(first)
    shortest, longest = task.trained[0], task.tested[-1]
    length = widgets.number(
        "sequence_length", task.unit.capitalize(), task.trained[-1], (shortest, longest), 1,
        f"Trained on {shortest} to {task.trained[-1]}; tested up to {longest}.",
    )  # fmt: skip
    number = widgets.number(
        "sequence", "Test sequence", 1, (1, _MOST), 1, "Each length has its own set of test sequences."
    )
    return AskedTape(task, first, epoch, tuple(others), length, number)


def pick_step(steps: int, asked: int) -> int:
    """Return the step that is looked at, from 1: at first the one after the first answer was asked for."""
    default = min(asked + 1, steps)
    address.read_number(STEP, STEP, default, 1, steps)
    step = int(st.session_state[STEP])
    address.write_number(STEP, STEP, step, default)
    return step


def go_to(step: str) -> None:
    """Look at another step: for a click on a figure, or for where playing was stopped."""
    st.session_state[STEP] = int(float(step))
