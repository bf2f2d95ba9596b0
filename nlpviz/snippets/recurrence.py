"""Snippets of networks that read word by word: what they remember."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import Sources, written


def memory(sources: Sources, text: str, quantity: str, target: int) -> str:
    """Return code for how much a change at each word still changes the state, or the score, after the last one.

    Args:
        sources: runs with their epochs.
        text: that is read.
        quantity: ``"state"`` or ``"score"``.
        target: the index of the class whose score it is.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.reading.memory import read_memory
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run, epoch in $sources:
            memory = read_memory(open_run(run).load(epoch), text, target=$target)
            columns["words back"] = range(memory.words)
            columns[f"log10, {run}, epoch {epoch}"] = memory.row($quantity)[::-1]
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        text=text,
        quantity=quantity,
        target=target,
    )


def running(sources: Sources, text: str, name: str) -> str:
    """Return code for the probability of the class called ``name`` after each word of ``text``."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.states import read_states
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run, epoch in $sources:
            states = read_states(open_run(run).load(epoch), text)
            columns["token"] = pd.Series([token.word for token in states.text.read])
            columns[f"P, {run}, epoch {epoch}"] = pd.Series(states.after[:, states.class_names.index($name)])
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        text=text,
        name=name,
    )


def part(sources: Sources, text: str, part: str, layer: int) -> str:
    """Return code for a part of a layer of a cell, or its hidden state, after each word: a column a unit."""
    return written(
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
        sources=list(sources),
        text=text,
        part=part,
        layer=layer,
    )


def pushes(sources: Sequence[tuple[str, int, int]], text: str) -> str:
    """Return code for how far each word of ``text`` moves the score; ``sources`` say run, epoch and class."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.state_path import state_path
        from nlpviz.runs import open_run

        text = $text
        tables = []
        for run, epoch, target in $sources:
            path = state_path(open_run(run).load(epoch), text, target)
            tables.append(pd.DataFrame({"token": [token.word for token in path.text.read], "push": path.pushes}))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        """,
        sources=list(sources),
        text=text,
    )


def units(sources: Sources, feature: str) -> str:
    """Return code for how far the best units of a network follow a feature over test texts, as a survey found it."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.units import unit_survey

        rows = []
        for run, epoch in $sources:
            found = unit_survey(open_run(run), epoch).searches[$feature]
            rows += [(found.units[at].id, found.r[at], found.low[at], found.high[at]) for at in found.ranked()]
        table = pd.DataFrame(rows, columns=["unit", "r", "95 % from", "95 % to"])
        print(table)
        """,
        sources=list(sources),
        feature=feature,
    )


def toy_curves(task: str, points: str) -> str:
    """Return code for the committed curves of a toy task: their ``"learning"``, or by ``"lengths"``."""
    of = "lengths" if points == "lengths" else "learning"
    return written(
        f"""
        import pandas as pd

        from nlpviz.toys.stored import read_curves

        rows = [(curve, point) for curve in read_curves($task).curves for point in curve.{of}]
        table = pd.DataFrame({{"network": [curve.title for curve, _ in rows]}})
        table["seed"] = [curve.seed for curve, _ in rows]
        table["training steps"] = [point.step for _, point in rows]
        table["length"] = [point.length for _, point in rows]
        table["loss"] = [point.reached.loss for _, point in rows]
        print(table)
        """,
        task=task,
    )


def tape_lengths(sources: Sources) -> str:
    """Return code for how many bits networks with a tape answer wrongly, by the length of the sequence."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.transducers import read_lengths

        rows = [
            (run, row.length, row.error, row.exact)
            for run, epoch in $sources
            for row in read_lengths(open_run(run))
            if row.epoch == epoch
        ]
        table = pd.DataFrame(rows, columns=["run", "length", "bits wrong", "without a wrong bit"])
        print(table)
        """,
        sources=list(sources),
    )


def memory_by_distance(sources: Sources, text: str, quantity: str, target: int) -> str:
    """Return code for the median over all pairs of words, by distance; arguments as :func:`memory`."""
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.reading.memory import read_memory
        from nlpviz.runs import open_run

        columns = {}
        for run, epoch in $sources:
            memory = read_memory(open_run(run).load(epoch), $text, target=$target)
            matrix = memory.matrix($quantity)
            columns["words from t to T"] = range(memory.words)
            medians = [np.nanmedian(np.diagonal(matrix, -distance)) for distance in range(memory.words)]
            columns[f"median log10, {run}, epoch {epoch}"] = medians
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        text=text,
        quantity=quantity,
        target=target,
    )


def replaced(sources: Sources, text: str, target: int) -> str:
    """Return code for how far the score of the class ``target`` moves when each word of ``text`` is replaced."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.replaced import replace_words
        from nlpviz.runs import open_run

        columns = {}
        for run, epoch in $sources:
            found = replace_words(open_run(run).load(epoch), $text, target=$target)
            columns[f"mean movement, {run}, epoch {epoch}"] = found.moved
            columns[f"mean change, {run}, epoch {epoch}"] = found.changes.mean(axis=1)
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        text=text,
        target=target,
    )


def tape_sequence(sources: Sources, length: int, number: int) -> str:
    """Return code for what networks answer at each step of a test sequence of a length, from the one numbered 1."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.tape import read_sequence
        from nlpviz.runs import open_run
        from nlpviz.runs.transducers import load_transducer

        columns = {}
        for run, epoch in $sources:
            read = read_sequence(open_run(run), epoch, load_transducer(open_run(run), epoch), $length, $number - 1)
            columns |= {f"read {place + 1}": bits for place, bits in enumerate(read.inputs.T)}
            columns |= {f"{run}, answer {place + 1}": bits for place, bits in enumerate(read.answers.T)}
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        length=length,
        number=number,
    )


def tape_step(source: tuple[str, int], length: int, number: int, step: int) -> str:
    """Return code for where both heads of a network are at a step, and the numbers of its tape then."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.reading.tape import read_sequence
        from nlpviz.results.tape import READ, WRITE
        from nlpviz.runs import open_run
        from nlpviz.runs.transducers import load_transducer

        run, step = open_run($run), $step - 1
        read = read_sequence(run, $epoch, load_transducer(run, $epoch), $length, $number - 1)
        table = pd.DataFrame({"write": read.weights[step, WRITE], "read": read.weights[step, READ]})
        for number, values in enumerate(read.tape[step].T, start=1):
            table[f"number {number}"] = values
        print(table)
        """,
        run=run,
        epoch=epoch,
        length=length,
        number=number,
        step=step,
    )
