"""Courses of parts and worked steps of cells: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from nlpviz.results.cell_step import CellStep
from nlpviz.results.gates import PartCourse
from nlpviz.runs import Run
from nlpviz.ui import cache
from nlpviz.ui.calls import Call
from nlpviz.ui.recurrence.cache import states


@cache.shared(12)  # each holds its states, a megabyte of 400 words an epoch
def courses(
    run: Run, epochs: tuple[int, ...], text: str, of: tuple[str, int, str], target: int
) -> Call[list[PartCourse]]:
    """Return the course of a part at each epoch, beside the probability of a class after each word.

    Args:
        run: whose network.
        epochs: of its weights, in ascending order.
        text: as it was typed.
        of: a name of the network's parts, or ``"hidden state"``; a layer, from 0; a name in
            :data:`nlpviz.analysis.inspection.gates.ORDERS`.
        target: the index of the class.
    """
    from nlpviz.analysis.inspection.gates import read_course

    part, layer, order = of
    held = [states(run, epoch, text) for epoch in epochs]
    return Call(read_course, held, part, layer, target, order)


@cache.shared(128)
def step(run: Run, epoch: int, text: str, position: int, layer: int, unit: int) -> CellStep:
    """Return what a unit computed at one word."""
    from nlpviz.analysis.inspection.cell_steps import read_step

    return read_step(cache.model(run, epoch), states(run, epoch, text)(), position, layer, unit)
