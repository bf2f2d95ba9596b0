"""What gates over a text say in words and numbers, and how far to trust that."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.numbers import number
from nlpviz.results.cell_step import CellStep
from nlpviz.results.gates import CLOSED, OPEN, PartCourse, jumps, running, saturation, skipped, turns
from nlpviz.results.states import HIDDEN_STATE, TextStates
from nlpviz.ui.frame import answer, escape_markdown
from nlpviz.ui.recurrence.gate_choice import GateChoice


def tell(choice: GateChoice) -> None:
    """Say what the network predicts, where that turned, and which unit correlates with it."""
    states = panels.reference(choice.shown)
    told, pieces = course_told(states, choice.reference.target)
    if choice.word is not None:
        told += unit_told(choice.reference)
    kept = skipped(states, choice.layer)
    if kept is not None and len(kept):
        told += f" It read **{(~kept).sum():,} of {len(kept):,}** words ({(~kept).mean():.0%}) and skipped the others."
    answer(
        "{title}: **{label}**, {share:.0%}. " + told,
        title=next(
            panel.title for panel, one in zip(panels.arrange(choice.shown), choice.shown, strict=True) if one is states
        ),
        label=states.class_names[states.predicted],
        share=float(states.probabilities[states.predicted]),
        **pieces,
    )


def course_told(states: TextStates, target: int) -> tuple[str, dict[str, object]]:
    """Return how the prediction went, with places for words, and the words."""
    course, turned = running(states, target), turns(states)
    if not len(course):
        return "No word was read.", {}
    if turned:
        now = states.class_names[states.predicted]
        told = (
            f"The predicted class changes {_times(len(turned))}, the last time at *{{turned}}* "
            f"(word {turned[-1] + 1}), and is {{now}} from there on."
        )
        pieces: dict[str, object] = {"turned": states.text.read[turned[-1]].name, "now": now}
    else:
        told, pieces = "The predicted class is the same after every word.", {}
    for place in jumps(course, most=1):
        told += (
            f" Largest change: *{{largest}}* (word {place + 1}) moves P({{followed}}) from {course[place - 1]:.0%} to "
            f"{course[place]:.0%}."
        )
        pieces |= {"largest": states.text.read[place].name, "followed": states.class_names[target]}
    return told, pieces


def unit_told(course: PartCourse) -> str:
    """Return which unit correlates most with the prediction, and how much."""
    if not course.ranked:
        return ""
    best = course.ranked[0]
    return (
        f" Of {len(course.order)} units, the {course.part} of **unit {best + 1}** correlates most strongly with the "
        f"running prediction (r = {number(course.correlation[best])})."
    )


def tell_trust(choice: GateChoice) -> None:
    """Say how much of a correlation is chance, and how much is built in."""
    course = choice.reference
    if not course.ranked or course.by_chance is None:
        st.caption("The text is too short to tell a correlation with the prediction from chance.")
        return
    best = abs(float(course.correlation[course.ranked[0]]))
    verdict = "above that" if round(best, 2) > round(course.by_chance, 2) else "no higher"  # as both are written
    said = (
        f"**How far to trust it.** The best of {len(course.order)} units has |r| = {best:.2f}. With the prediction "
        "shifted or reversed along the text, so that it does not belong to the words, the best one stays at "
        f"{course.by_chance:.2f} or below in 19 of 20 cases: what is seen here is {verdict}."
    )
    if course.part == HIDDEN_STATE and course.layer == course.states.layers - 1:
        said += " The output layer reads these very states, so that some of this is built in."
    st.markdown(f"{said} Correlation over one text is no proof that the network uses the unit.")


def tell_saturation(shown: Sequence[TextStates]) -> None:
    """Say how open each gate is."""
    states = panels.reference(shown)
    parts = [
        f"{one.gate}{f' of layer {one.layer + 1}' if states.layers > 1 else ''} **{one.mean:.2f}** on average, open "
        f"(> {OPEN}) in {one.opened.mean():.0%} and closed (< {CLOSED}) in {one.closed.mean():.0%} of all cases"
        for one in saturation(states)
    ]
    words = len(states.states)
    st.markdown(
        f"Epoch {states.epoch}: {'; '.join(parts)}. A case is one unit at one word. One text of "
        f"{words:,} word{'s' * (words != 1)} is a small sample: a unit that is always open here may close elsewhere."
    )


def reading(choice: GateChoice, step: CellStep | None) -> str:
    """Return Markdown that says how to read the page, with its own numbers."""
    course = choice.reference
    pieces = [
        "**After each word** stands what the network would say if the text ended there: its output layer is given the "
        "states up to that word and no later one." if choice_is_causal(choice) else
        "**After each word** stands what the network would say if the text ended there: as one of its directions reads "
        "from the end, every beginning of the text was read anew."
    ]  # fmt: skip
    if step is not None:
        pieces.append(_of_step(step))
    part = course.values
    if not choice_is_causal(choice):
        pieces.append(
            f"**Both directions.** Units 1 to {len(course.order) // 2} belong to the cell that reads from the "
            "beginning, the others to the one that reads from the end; after a word, these have read what follows it."
        )
    if part.size:
        pieces.append(
            f"**Heatmap.** {course.part.capitalize()}: {part.min():.2f} to {part.max():.2f} here, mean "
            f"{part.mean():.2f}. Units have no order of their own; clustered, those with similar activations over the "
            "text stand side by side (average linkage by 1 − Pearson's correlation). Epochs of one run share the order "
            "of the last one, so a row is one unit; unit numbers of different runs have nothing to do with each other."
        )
    return "\n\n".join(pieces)


def _of_step(step: CellStep) -> str:
    """Return what the numbers in the equations are sums of."""
    word = f"*{escape_markdown(step.word)}*"
    read = f"the vector of {word}" if not step.layer else f"the state of the layer below at {word}"
    told = (
        f"**One unit.** The numbers are those of unit {step.unit + 1}, computed anew from the weights for this word. "
    )
    if any(symbol.startswith("x_t") for symbol in step.numbers):
        told += f"W and U are matrices, and under $x_t W$ stands a sum over the dimensions of {read}"
        recurrent = any(symbol.startswith("h_{t-1} U") for symbol in step.numbers)
        return told + (", under $h_{t-1} U$ a sum over the units of the state before." if recurrent else ".")
    return told + f"the sums are over the filter's positions, the last one first; the last one reads {read}."


def choice_is_causal(choice: GateChoice) -> bool:
    """Return whether the chosen run reads in one direction."""
    return not choice.checkpoints[0].run.config.get("bidirectional", False)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
