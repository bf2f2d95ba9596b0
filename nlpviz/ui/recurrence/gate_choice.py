"""What a visitor looks at of a network's gates: a part of its cell, a layer, a unit and a word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.numbers import number
from nlpviz.figures.recurrence.part_heatmap import chosen_cell
from nlpviz.results.gates import PartCourse, jumps, running
from nlpviz.results.states import HIDDEN_STATE, TextStates
from nlpviz.runs import Checkpoint
from nlpviz.ui import address, classes, widgets
from nlpviz.ui.calls import Call, Result
from nlpviz.ui.frame import escape_markdown, messages, more
from nlpviz.ui.recurrence import cache, gates_cache

_BEST, _LARGEST = "best", "largest"
_UNIT, _WORD = "unit", "at"
_LETTERS = 24


class GateChoice(NamedTuple):
    """What is looked at.

    Attributes:
        checkpoints: whose runs have the class that is followed.
        text: as it was typed.
        states: what each of them held.
        parts: the course of the part, for those that have it in this layer, the chosen run's first.
        layer: from 0.
        order: how the units are ordered.
        unit: from 0.
        word: its position among the words read; None where none was read.
    """

    checkpoints: Sequence[Checkpoint]
    text: str
    states: Sequence[Call[TextStates]]
    parts: Sequence[Result[PartCourse]]
    layer: int
    order: str
    unit: int
    word: int | None

    @property
    def shown(self) -> list[TextStates]:
        """What each checkpoint held."""
        return [call() for call in self.states]

    @property
    def reference(self) -> PartCourse:
        """The course that the others are compared with: that of the first run's last epoch."""
        return panels.reference([call() for call in self.parts])

    @property
    def with_unit(self) -> list[Call[TextStates]]:
        """The checkpoints that have the layer and the unit."""
        return [call for call in self.states if self._has_unit(call())]

    @property
    def without_unit(self) -> list[str]:
        """The compared runs that do not."""
        return sorted({one.run for one in self.shown if not self._has_unit(one)})

    def _has_unit(self, states: TextStates) -> bool:
        return self.layer < states.layers and self.unit < states.units


def pick(checkpoints: Sequence[Checkpoint], text: str) -> GateChoice:
    """Return what the visitor chose; what a compared run does not have is left out, and the page says so."""
    followed, kept = classes.follow_class(checkpoints, text)
    states = [cache.states(run, epoch, text) for run, epoch in kept]
    shown = [call() for call in states]
    reference = panels.reference(shown)
    parts = [*(about.name for about in reference.about), HIDDEN_STATE]
    part = only_or("part", "Part", parts)
    layer = int(only_or("layer", "Layer", [str(one + 1) for one in range(reference.layers)])) - 1
    from nlpviz.analysis.inspection.gates import ORDERS

    places = [st.container(width="content") for _ in range(2)]
    with more():
        order = widgets.pick("units", "Unit order", ORDERS)
    courses = _courses(kept, shown, text, (part, layer, order), followed)
    course = panels.reference([call() for call in courses])
    with places[0]:
        unit = _pick_unit(course)
    with places[1]:
        word = _pick_word(reference, course.target)
    return GateChoice(kept, text, states, courses, layer, order, unit, word)


def choose_cell(identifier: str) -> None:
    """Take the unit and the word of a clicked cell."""
    unit, word = chosen_cell(identifier)
    st.session_state[_UNIT], st.session_state[_WORD] = str(unit), str(word)


choose_word, choose_unit = widgets.set_to(_WORD), widgets.set_to(_UNIT)
"""Take a clicked word, and a clicked unit."""


def only_or(key: str, label: str, options: Sequence[str]) -> str:
    """Return one of ``options``; there is a control only where there are several."""
    if len(options) > 1:
        return widgets.pick(key, label, options)
    address.leave_out(key, options=options)
    return options[0]


def _courses(
    checkpoints: Sequence[Checkpoint], shown: Sequence[TextStates], text: str, of: tuple[str, int, str], followed: str
) -> list[Result[PartCourse]]:
    part, layer, _ = of
    result: list[Result[PartCourse]] = []
    for name in dict.fromkeys(run.name for run, _ in checkpoints):
        own = [
            checkpoint
            for checkpoint, states in zip(checkpoints, shown, strict=True)
            if checkpoint.run.name == name and layer < states.layers and part in (*states.parts, HIDDEN_STATE)
        ]
        if own:
            run, epochs = own[0].run, tuple(epoch for _, epoch in own)
            courses = gates_cache.courses(run, epochs, text, of, run.class_names.index(followed))
            result += [courses.at(place) for place in range(len(epochs))]
            continue
        title = next(run.title for run, _ in checkpoints if run.name == name)
        messages().info(f"{escape_markdown(title)} has no {part} in layer {layer + 1}, so its heatmap is not shown.")
    return result


def _pick_unit(course: PartCourse) -> int:
    ranked = course.ranked
    best = ranked[0] if ranked else 0
    said = {unit: f" · r = {number(course.correlation[unit])}" for unit in ranked}
    first = f"{best + 1} · most correlated" if ranked else "1"
    names = {_BEST: first} | {str(unit + 1): f"{unit + 1}{said.get(unit, '')}" for unit in range(len(course.order))}
    chosen = widgets.pick(_UNIT, "Unit", names)
    return best if chosen == _BEST else int(chosen) - 1


def _pick_word(states: TextStates, target: int) -> int | None:
    """Return the position of the word whose step is worked; at first the one that moves the prediction most."""
    if not len(states.after):
        address.leave_out(_WORD)
        return None
    largest = [*jumps(running(states, target), most=1, least=0.0), 0][0]
    tokens = states.text.read
    every = {str(place + 1): f"{place + 1} {token.name[:_LETTERS]}" for place, token in enumerate(tokens)}
    names = {_LARGEST: f"{every[str(largest + 1)]} · largest change"} | every
    chosen = widgets.pick(_WORD, "Word", names, of_text=True)
    return largest if chosen == _LARGEST else int(chosen) - 1
