"""What a network that reads word by word lets through and holds, a unit a row, at the epoch of the slider."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from nlpviz.figures.recurrence.part_by_epoch import part_by_epoch
from nlpviz.figures.time_machine.lines import labels
from nlpviz.results.states import HIDDEN_STATE
from nlpviz.runs import Run
from nlpviz.ui import plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown, lead_to
from nlpviz.ui.recurrence import cache, gates_cache
from nlpviz.ui.recurrence.gate_choice import only_or
from nlpviz.ui.run_filter import WORD_BY_WORD
from nlpviz.ui.time_machine.choice import Followed

_ORDER = "clustered"


class ShownPart(NamedTuple):
    """A part of a cell, by its name, in a layer, from 0."""

    name: str
    layer: int


def pick_part(runs: Sequence[Run], text: str) -> ShownPart | None:
    """Return the part of the cell that is shown, of those of the first run that reads word by word; None for none."""
    able = [run for run in runs if WORD_BY_WORD.able(run)]
    if not able:
        return None
    held = cache.states(able[0], able[0].best_epoch, text)()
    part = only_or("part", "Part of the cell", [*(about.name for about in held.about), HIDDEN_STATE])
    layer = int(only_or("layer", "Layer", [str(one + 1) for one in range(held.layers)])) - 1
    return ShownPart(part, layer)


def show_cells(followed: Followed, part: ShownPart | None) -> None:
    """Show the part of each run that has it, one heatmap under the other."""
    if part is None or not followed.courses[0].explanations[0].encoded.read:
        return
    for place, run in enumerate(followed.runs):
        if WORD_BY_WORD.able(run):
            _show_cell(followed, place, part)


def _show_cell(followed: Followed, place: int, part: ShownPart) -> None:
    run, course = followed.runs[place], followed.courses[place]
    held = cache.states(run, run.best_epoch, followed.text)()
    if part.layer >= held.layers or part.name not in (*held.parts, HIDDEN_STATE):
        st.info(f"{escape_markdown(run.title)} has no {part.name} in layer {part.layer + 1} and is not shown.")
        return
    target = course.explanations[0].target
    known = gates_cache.courses(run, run.epochs, followed.text, (*part, _ORDER), target)()
    first, last = known[0], known[-1]
    answer(
        "{title}: the mean {part} over units and words is {before:.2f} at epoch {first} and **{after:.2f}** at epoch "
        "{last}.",
        title=run.title,
        part=part.name,
        before=float(first.values.mean()),
        first=first.epoch,
        after=float(last.values.mean()),
        last=last.epoch,
    )
    from nlpviz.analysis.inspection.gates import read_course
    from nlpviz.analysis.inspection.states import states_by_epoch

    found = Call(read_course, Call(states_by_epoch, run, followed.text), *part, target, _ORDER).giving(known)
    epochs, named = followed.epochs(place), labels(followed.courses)
    drawn = Call(part_by_epoch, found, epochs, followed.first, named, followed.word)
    title = f"{part.name.capitalize()}, one row per unit"
    plotly_view.show(drawn, key=f"time_part_{place}", title=title)
    lead_to("Recurrent networks", "One unit with its equations", "gates", run=run.name, part=part.name)
