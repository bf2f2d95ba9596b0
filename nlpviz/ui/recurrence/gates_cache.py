"""Courses of parts and worked steps of cells: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

import streamlit as st

from nlpviz.results.cell_step import CellStep
from nlpviz.results.gates import PartCourse
from nlpviz.runs import Run
from nlpviz.ui import cache
from nlpviz.ui.recurrence.cache import states


def courses(run: Run, epochs: tuple[int, ...], text: str, of: tuple[str, int, str], target: int) -> list[PartCourse]:
    """Return the course of a part at each epoch, beside the probability of a class after each word.

    Args:
        run: whose network.
        epochs: of its weights, in ascending order.
        text: as it was typed.
        of: a name of the network's parts, or ``"hidden state"``; a layer, from 0; a name in
            :data:`nlpviz.analysis.inspection.gates.ORDERS`.
        target: the index of the class.
    """
    return list(_courses(run, run.name, run.fingerprint, epochs, text, (*of, target)))


def step(run: Run, epoch: int, text: str, position: int, layer: int, unit: int) -> CellStep:
    """Return what a unit computed at one word."""
    return _step(run, run.name, run.fingerprint, epoch, text, (position, layer, unit))


@st.cache_resource(max_entries=12, show_spinner=False)  # each holds its states, a megabyte of 400 words an epoch
def _courses(
    _run: Run,
    name: str,  # noqa: ARG001 - the cache's key
    fingerprint: str,  # noqa: ARG001
    epochs: tuple[int, ...],
    text: str,
    of: tuple[str, int, str, int],
) -> tuple[PartCourse, ...]:
    from nlpviz.analysis.inspection.gates import read_course

    part, layer, order, target = of
    held = [states(_run, epoch, text) for epoch in epochs]
    return tuple(read_course(held, part, layer, target, order))


@st.cache_resource(max_entries=128, show_spinner=False)
def _step(
    _run: Run,
    name: str,  # noqa: ARG001 - the cache's key
    fingerprint: str,  # noqa: ARG001
    epoch: int,
    text: str,
    at: tuple[int, int, int],
) -> CellStep:
    from nlpviz.analysis.inspection.cell_steps import read_step

    return read_step(cache.model(_run, epoch), states(_run, epoch, text), *at)
