"""Snippets of gates and states: what a network holds after each word of a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nlpviz.figures.snippets import Sources
from nlpviz.figures.snippets.asked import asked

Cell = tuple[int, int, int | None]
"""What stands out: a layer and a unit, and the position of a word, from 0 each; None for no word."""


def running(sources: Sources, words: Sequence[str], text: str, name: str, cell: Cell) -> str:
    """Return code for the probability of the class called ``name`` after each word of ``text``.

    Args:
        sources: runs with their epochs.
        words: which of two comes next, as language models are asked; none of classifiers.
        text: that is read.
        name: of the class.
        cell: whose layer and word stand out.
    """
    layer, _, word = cell
    return asked(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.states import read_states
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.running_prediction import running_prediction
        from nlpviz.runs import open_run

        text = $text
        shown, columns = [], {}
        for run, epoch in $sources:
            states = read_states(open_run(run).load(epoch), text)
            shown.append(states)
            target = states.class_names.index($name)
            columns["token"] = pd.Series([token.name for token in states.text.read])
            columns[f"P, {run}, epoch {epoch}"] = pd.Series(states.after[:, target])
        table = pd.DataFrame(columns)
        print(table)
        print("The figure:", save_figure(running_prediction(shown, target, $layer, $word)))
        """,
        words,
        sources=list(sources),
        text=text,
        name=name,
        layer=layer,
        word=word,
    )


class DrawnPart(NamedTuple):
    """A part of a cell and how its units are drawn.

    Attributes:
        name: of the part, or ``"hidden state"``.
        class_name: whose running prediction its units are compared with.
        order: of the units, a name in ``nlpviz.analysis.inspection.gates.ORDERS``.
        ordered_by: the same, in words.
    """

    name: str
    class_name: str
    order: str
    ordered_by: str


def part(sources: Sources, words: Sequence[str], text: str, part: DrawnPart, cell: Cell) -> str:
    """Return code for a part of a layer of a cell, or its hidden state, after each word: a column a unit."""
    layer, unit, word = cell
    return asked(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.gates import read_course
        from nlpviz.analysis.inspection.states import read_states
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.part_heatmap import part_heatmap
        from nlpviz.runs import open_run

        text = $text
        held, courses, tables = {}, [], []
        for run, epoch in $sources:
            held.setdefault(run, []).append(read_states(open_run(run).load(epoch), text))
        for states in held.values():
            courses += read_course(states, $part, $layer, states[0].class_names.index($name), $order)
        for course in courses:
            units = range(1, course.values.shape[1] + 1)
            tables.append(pd.DataFrame(course.values, columns=[f"unit {unit}" for unit in units]))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        print("The figure:", save_figure(part_heatmap(courses, $ordered_by, $unit, $word)))
        """,
        words,
        sources=list(sources),
        text=text,
        part=part.name,
        name=part.class_name,
        order=part.order,
        ordered_by=part.ordered_by,
        layer=layer,
        unit=unit,
        word=word,
    )


def unit(sources: Sources, words: Sequence[str], text: str, cell: Cell) -> str:
    """Return code for all parts of one unit after each word of ``text``: a column a part."""
    layer, unit, word = cell
    return asked(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.states import read_states
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.one_unit import one_unit
        from nlpviz.runs import open_run

        text = $text
        shown, tables = [], []
        for run, epoch in $sources:
            states = read_states(open_run(run).load(epoch), text)
            shown.append(states)
            columns = {"token": [token.name for token in states.text.read]}
            for part in [*states.parts, "hidden state"]:
                columns[part] = states.values(part)[:, $layer, $unit]
            tables.append(pd.DataFrame(columns))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        print("The figure:", save_figure(one_unit(shown, $layer, $unit, $word)))
        """,
        words,
        sources=list(sources),
        text=text,
        layer=layer,
        unit=unit,
        word=word,
    )


def saturated(sources: Sources, words: Sequence[str], text: str, cell: Cell) -> str:
    """Return code for the share of the words of ``text`` at which each unit's gates are open, and closed."""
    layer, unit, _ = cell
    return asked(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.states import read_states
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.saturated_gates import saturated_gates
        from nlpviz.results.gates import saturation
        from nlpviz.runs import open_run

        text = $text
        shown, rows = [], []
        for run, epoch in $sources:
            states = read_states(open_run(run).load(epoch), text)
            shown.append(states)
            for one in saturation(states):
                shares = zip(one.opened, one.closed)
                rows += [(one.gate, one.layer + 1, unit, *both) for unit, both in enumerate(shares, start=1)]
        table = pd.DataFrame(rows, columns=["gate", "layer", "unit", "open (> 0.9)", "closed (< 0.1)"])
        print(table)
        print("The figure:", save_figure(saturated_gates(shown, $layer, $unit)))
        """,
        words,
        sources=list(sources),
        text=text,
        layer=layer,
        unit=unit,
    )
