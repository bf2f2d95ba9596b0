"""What the page shows of a network's gates over a text: predictions, parts of the cell, one unit, saturation."""

from __future__ import annotations

import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.recurrence.equations import worked
from nlpviz.figures.recurrence.one_unit import one_unit
from nlpviz.figures.recurrence.part_heatmap import part_heatmap
from nlpviz.figures.recurrence.read_text import read_text_html, read_text_key_html
from nlpviz.figures.recurrence.running_prediction import running_prediction
from nlpviz.figures.recurrence.saturated_gates import saturated_gates
from nlpviz.figures.view import provenance
from nlpviz.results.cell_step import CellStep
from nlpviz.results.gates import saturation
from nlpviz.results.states import TextStates
from nlpviz.ui import cache, coloured_text, compare, plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown
from nlpviz.ui.recurrence import gate_answers, gates_cache
from nlpviz.ui.recurrence.gate_choice import GateChoice, choose_cell, choose_unit, choose_word

_COLUMNS = 2  # of equations
_LONG, _WINDOW = 90, 330  # words; pixels, in which a longer text scrolls
_ORDERED = {
    "clustered": "ordered by average-linkage clustering of their activations",
    "correlation": "ordered by correlation with the running prediction",
    "stored": "in stored order",
}


def show(choice: GateChoice) -> None:
    """Show text, predictions and the part of the cell; what is clicked is chosen."""
    target, states = choice.reference.target, list(choice.states)
    gate_answers.tell(choice)
    if len(choice.shown) == 1:
        _show_text(choice, choice.shown[0])
    else:
        for held, (title, cell) in zip(choice.shown, compare.cells(choice.shown), strict=True):
            with cell:
                label, share = held.class_names[held.predicted], held.probabilities[held.predicted]
                st.markdown(f"{escape_markdown(title)}: **{escape_markdown(label)}**, {share:.0%}")
                _show_text(choice, held)
    gate_answers.tell_course(choice)
    line = Call(running_prediction, states, target, choice.layer, choice.word)
    plotly_view.show(line, key="gates_running", on_click=choose_word)
    if choice.word is not None:
        heatmap = Call(part_heatmap, list(choice.parts), _ORDERED[choice.order], choice.unit, choice.word)
        title = choice.reference.part.capitalize()
        plotly_view.show(heatmap, key="gates_part", on_click=choose_cell, title=title)
        gate_answers.tell_trust(choice)


def show_unit(choice: GateChoice) -> CellStep | None:
    """Show all parts of the chosen unit, its equations with their numbers at the chosen word, and return these."""
    if choice.word is None:
        return None
    of_layer = f" of layer {choice.layer + 1}" if choice.shown[0].layers > 1 else ""
    st.header(f"Unit {choice.unit + 1}{of_layer}, word by word", anchor=False)
    for name in choice.without_unit:
        title = escape_markdown(cache.runs()[name].title)
        st.info(f"{title} has no unit {choice.unit + 1}{of_layer}, so this run is not shown here.")
    drawn = Call(one_unit, choice.with_unit, choice.layer, choice.unit, choice.word)
    plotly_view.show(drawn, key="gates_unit", on_click=choose_word)
    run, reference = choice.checkpoints[0].run, panels.reference(choice.shown)
    step = gates_cache.step(run, reference.epoch, choice.text, choice.word, choice.layer, choice.unit)
    answer(
        "At epoch {epoch} and word {place}, *{word}*, unit {unit} computes:",
        place=step.position + 1,
        word=step.word,
        epoch=step.epoch,
        unit=step.unit + 1,
    )
    with st.container(key="nlpviz_equations"):
        lines = worked(step)
        for first in range(0, len(lines), _COLUMNS):  # row by row: on a phone they stand one under the other
            for line, column in zip(lines[first:], st.columns(_COLUMNS, gap="medium"), strict=False):
                column.latex(line)
    return step


def show_saturation(choice: GateChoice) -> None:
    """Show how often gates are open or closed, for the checkpoints whose networks have gates."""
    able = [call for call in choice.states if saturation(call())]
    if choice.word is None:
        return
    st.header("How often are the gates open or closed?", anchor=False)
    if not able:
        st.markdown("This network has no gates for individual units, so saturation is undefined.")
        return
    gate_answers.tell_saturation([call() for call in able])
    gates = Call(saturated_gates, able, choice.layer, choice.unit)
    plotly_view.show(gates, key="gates_saturation", on_click=choose_unit)


def formula(choice: GateChoice) -> str:
    """Return the equations of the chosen run's cell as one block of TeX."""
    lines = r" \\ ".join(line.replace(" = ", " &= ", 1) for line in panels.reference(choice.shown).formula)
    return rf"\begin{{aligned}} {lines} \end{{aligned}}"


def _show_text(choice: GateChoice, states: TextStates) -> None:
    """Show the text coloured by what the network would say after each word; a long one scrolls."""
    target, long = choice.reference.target, len(states.after) > _LONG
    layer = min(choice.layer, states.layers - 1)
    chosen = choice.word if choice.word is not None and choice.word < len(states.after) else None
    words, key = read_text_html(states, target, layer, chosen), read_text_key_html(states, target)
    with st.container(height=_WINDOW if long else "content", border=False):
        coloured_text.show(
            "".join([key, words] if long else [words, key]),
            caption=provenance(
                panels.checkpoints([states]), f"probability of {choice.reference.class_name} after each word"
            ),
            name=panels.file_name([states], "running-text"),
            on_click=choose_word,
        )
