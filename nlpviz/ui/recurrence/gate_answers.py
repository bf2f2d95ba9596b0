"""What gates over a text say in words and numbers, and how far to trust that."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.numbers import number
from nlpviz.results.cell_step import CellStep
from nlpviz.results.gates import CLOSED, OPEN, PartCourse, jumps, running, saturation, skipped, turns
from nlpviz.results.states import HIDDEN_STATE, TextStates
from nlpviz.ui import compare
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway
from nlpviz.ui.recurrence.gate_choice import GateChoice


def tell(choice: GateChoice) -> None:
    """Say over the text what the network predicts, and which word moves that most."""
    states = panels.reference(choice.shown)
    sentence, pieces = compare.predictions(choice.shown, after=8)
    course = running(states, choice.reference.target)
    for place in jumps(course, most=1):
        sentence += f". Largest change: *{{word}}*, from {course[place - 1]:.0%} to {course[place]:.0%} {{followed}}"
        pieces |= {"word": states.text.read[place].name, "followed": states.class_names[choice.reference.target]}
    takeaway(f"{sentence}.", **pieces)


def tell_course(choice: GateChoice) -> None:
    """Say under the text where the prediction turned, what was skipped, and which unit correlates with it."""
    states = panels.reference(choice.shown)
    sentence, pieces = course_told(states, choice.reference.target)
    kept = skipped(states, choice.layer)
    if kept is not None and len(kept):
        sentence += f" The network read **{(~kept).sum():,} of {len(kept):,}** words and skipped the rest."
    answer(sentence, **pieces)
    if choice.word is not None and (unit := unit_told(choice.reference)):
        answer(unit)


def course_told(states: TextStates, target: int) -> tuple[str, dict[str, object]]:
    """Return how the prediction went, with places for words, and the words."""
    turned = turns(states)
    if not len(running(states, target)):
        return "No words were read.", {}
    if not turned:
        return "The predicted class is the same after every word.", {}
    return (
        f"The predicted class changes {_times(len(turned))}, the last time at *{{turned}}* (word {turned[-1] + 1}).",
        {"turned": states.text.read[turned[-1]].name},
    )


def unit_told(course: PartCourse) -> str:
    """Return which unit correlates most with the prediction, and how much."""
    if not course.ranked:
        return ""
    best = course.ranked[0]
    return (
        f"Among {len(course.order)} units, **unit {best + 1}** has the {course.part} that correlates most strongly "
        f"with the prediction (r = {number(course.correlation[best])})."
    )


def tell_trust(choice: GateChoice) -> None:
    """Say how much of a correlation is chance, and how much is built in."""
    course = choice.reference
    if not course.ranked or course.by_chance is None:
        st.caption("The text is too short to test the correlation with the prediction.")
        return
    best = abs(float(course.correlation[course.ranked[0]]))
    above = round(best, 2) > round(course.by_chance, 2)  # as both are written
    with details(
        f"How far to trust the gates: the best unit’s correlation is {'above' if above else 'no higher than'} chance"
    ):
        built_in = " The output layer reads these states, so some correlation is built in."
        st.markdown(
            f"The best of {len(course.order)} units has |r| = {best:.2f}. When the prediction is shifted or "
            f"reversed along the text, the best |r| is at most {course.by_chance:.2f} in 95% of cases."
            + built_in * (course.part == HIDDEN_STATE and course.layer == course.states.layers - 1)
            + " A correlation within one text does not prove that the network uses the unit."
        )


def tell_saturation(shown: Sequence[TextStates]) -> None:
    """Say how open each gate is."""
    states = panels.reference(shown)
    found, words = saturation(states), len(states.states)
    st.table(
        {
            "Gate": [
                f"{one.gate.capitalize()}{f', layer {one.layer + 1}' if states.layers > 1 else ''}" for one in found
            ],
            "Mean": [f"{one.mean:.2f}" for one in found],
            f"Open (> {OPEN})": [f"{one.opened.mean():.0%}" for one in found],
            f"Closed (< {CLOSED})": [f"{one.closed.mean():.0%}" for one in found],
        },
        hide_index=True,
        border="horizontal",
    )
    st.caption(
        f"Epoch {states.epoch}, every unit at each of {words:,} word{'s' * (words != 1)}. One text is a small "
        f"sample: a gate that is always open here may close in other texts."
    )


def reading(choice: GateChoice, step: CellStep | None) -> str:
    """Return Markdown that says how to read the page, with its own numbers."""
    course = choice.reference
    pieces = [
        "**Prediction after each word**: what the network would predict if the text ended there. The output layer "
        "reads only the states up to that word." if choice_is_causal(choice) else
        "**Prediction after each word**: what the network would predict if the text ended there. Because one "
        "direction reads from the end, the network reads every prefix of the text separately."
    ]  # fmt: skip
    if step is not None:
        pieces.append(_of_step(step))
    part = course.values
    if not choice_is_causal(choice):
        pieces.append(
            f"**Both directions.** Units 1 to {len(course.order) // 2} belong to the forward cell, the others to "
            f"the backward cell; at each word, the backward units have read all later words."
        )
    if part.size:
        pieces.append(
            f"**Heatmap.** {course.part.capitalize()}: {part.min():.2f} to {part.max():.2f} here, mean "
            f"{part.mean():.2f}. The order of units is arbitrary; clustering puts units with similar activations "
            f"next to each other (average linkage, 1 − Pearson’s correlation). All epochs of a run use the order of "
            f"the last epoch, so each row is one unit; unit numbers of different runs are unrelated."
        )
    return "\n\n".join(pieces)


def _of_step(step: CellStep) -> str:
    """Return what the numbers in the equations are sums of."""
    word = f"*{escape_markdown(step.word)}*"
    read = f"the vector of {word}" if not step.layer else f"the state of the layer below at {word}"
    told = f"**One unit.** The numbers are those of unit {step.unit + 1}, recomputed from the weights for this word. "
    if any(symbol.startswith("x_t") for symbol in step.numbers):
        told += f"W and U are matrices; the number under $x_t W$ is a sum over the dimensions of {read}"
        recurrent = any(symbol.startswith("h_{t-1} U") for symbol in step.numbers)
        return told + (
            ", and the number under $h_{t-1} U$ is a sum over the units of the previous state." if recurrent else "."
        )
    return told + f"The sums run over the filter’s positions, starting with the last position, which reads {read}."


def choice_is_causal(choice: GateChoice) -> bool:
    """Return whether the chosen run reads in one direction."""
    return not choice.checkpoints[0].run.config.get("bidirectional", False)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
