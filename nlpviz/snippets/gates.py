"""Snippets of gates and states: what a network holds after each word of a text."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import Sources
from nlpviz.snippets.asked import asked


def running(sources: Sources, words: Sequence[str], text: str, name: str) -> str:
    """Return code for the probability of the class called ``name`` after each word of ``text``.

    Args:
        sources: runs with their epochs.
        words: which of two comes next, as language models are asked; none of classifiers.
        text: that is read.
        name: of the class.
    """
    return asked(
        """
        import pandas as pd

        from nlpviz.reading.states import read_states
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run, epoch in $sources:
            states = read_states(open_run(run).load(epoch), text)
            columns["token"] = pd.Series([token.name for token in states.text.read])
            columns[f"P, {run}, epoch {epoch}"] = pd.Series(states.after[:, states.class_names.index($name)])
        table = pd.DataFrame(columns)
        print(table)
        """,
        words,
        sources=list(sources),
        text=text,
        name=name,
    )


def part(sources: Sources, words: Sequence[str], text: str, part: str, layer: int) -> str:
    """Return code for a part of a layer of a cell, or its hidden state, after each word: a column a unit."""
    return asked(
        """
        import pandas as pd

        from nlpviz.reading.states import read_states
        from nlpviz.runs import open_run

        text = $text
        tables = []
        for run, epoch in $sources:
            values = read_states(open_run(run).load(epoch), text).values($part)[:, $layer]
            tables.append(pd.DataFrame(values, columns=[f"unit {unit + 1}" for unit in range(values.shape[1])]))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        """,
        words,
        sources=list(sources),
        text=text,
        part=part,
        layer=layer,
    )


def unit(sources: Sources, words: Sequence[str], text: str, layer: int, unit: int) -> str:
    """Return code for all parts of one unit after each word of ``text``: a column a part."""
    return asked(
        """
        import pandas as pd

        from nlpviz.reading.states import read_states
        from nlpviz.runs import open_run

        text = $text
        tables = []
        for run, epoch in $sources:
            states = read_states(open_run(run).load(epoch), text)
            columns = {"token": [token.name for token in states.text.read]}
            for part in [*states.parts, "hidden state"]:
                columns[part] = states.values(part)[:, $layer, $unit]
            tables.append(pd.DataFrame(columns))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        """,
        words,
        sources=list(sources),
        text=text,
        layer=layer,
        unit=unit,
    )


def saturated(sources: Sources, words: Sequence[str], text: str) -> str:
    """Return code for the share of the words of ``text`` at which each unit's gates are open, and closed."""
    return asked(
        """
        import pandas as pd

        from nlpviz.reading.states import read_states
        from nlpviz.results.gates import saturation
        from nlpviz.runs import open_run

        text = $text
        rows = []
        for run, epoch in $sources:
            for one in saturation(read_states(open_run(run).load(epoch), text)):
                shares = zip(one.opened, one.closed)
                rows += [(one.gate, one.layer + 1, unit, *both) for unit, both in enumerate(shares, start=1)]
        table = pd.DataFrame(rows, columns=["gate", "layer", "unit", "open (> 0.9)", "closed (< 0.1)"])
        print(table)
        """,
        words,
        sources=list(sources),
        text=text,
    )
