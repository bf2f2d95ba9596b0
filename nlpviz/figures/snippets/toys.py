"""Snippets of toy tasks: how fast networks learn them, and what those with a tape do at each step."""

from __future__ import annotations

from nlpviz.figures.snippets import Sources, written


def curves(task: str, points: str) -> str:
    """Return code for the committed curves of a toy task: their ``"learning"``, or by ``"lengths"``."""
    if points == "lengths":
        of, figure, more = "lengths", "length_curves", "chance, stored.length"
        chance = "{length: task.chance(length) for length in task.tested}"
    else:
        of, figure, more = "learning", "learning_curves", "chance, stored.length, horizon=stored.steps"
        chance = "task.chance(stored.length)"
    return written(
        f"""
        import pandas as pd

        from nlpviz.experiments.toys import toy_tasks
        from nlpviz.experiments.toys.stored import read_curves
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.toy_curves import {figure}

        task, stored = toy_tasks()[$task], read_curves($task)
        rows = [(curve, point) for curve in stored.curves for point in curve.{of}]
        table = pd.DataFrame({{"network": [curve.title for curve, _ in rows]}})
        table["seed"] = [curve.seed for curve, _ in rows]
        table["training steps"] = [point.step for _, point in rows]
        table["length"] = [point.length for _, point in rows]
        table["loss"] = [point.reached.loss for _, point in rows]
        print(table)
        chance = {chance}
        print("The figure:", save_figure({figure}(task.facts, stored.curves, {more})))
        """,
        task=task,
    )


def lengths(sources: Sources) -> str:
    """Return code for how many bits networks with a tape answer wrongly, by the length of the sequence."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.tape.lengths import RunLengths, length_figure
        from nlpviz.runs import open_run
        from nlpviz.runs.transducers import network_title, read_lengths, task_of

        shown = []
        for name, epoch in $sources:
            run = open_run(name)
            found = [row for row in read_lengths(run) if row.epoch == epoch]
            shown.append(RunLengths(name, network_title(run), epoch, found))
        rows = [(one.run, row.length, row.error, row.exact) for one in shown for row in one.rows]
        table = pd.DataFrame(rows, columns=["run", "length", "share of wrong bits", "sequences without errors"])
        print(table)
        task = task_of(run)
        print("The figure:", save_figure(length_figure(shown, task.unit, task.trained[-1], task.name)))
        """,
        sources=list(sources),
    )


def sequence(sources: Sources, length: int, number: int, step: int) -> str:
    """Return code for how networks answer a test sequence of a length, and where their heads turn to.

    Args:
        sources: runs with their epochs.
        length: of the sequence.
        number: which one of that length, from 0.
        step: the one that stands out in the figure, from 1.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.tape import read_sequence
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.tape.sequence import sequence_figure
        from nlpviz.results.tape import HEADS, TapeReading
        from nlpviz.runs import open_run
        from nlpviz.runs.transducers import load_transducer, network_title, task_of

        readings, titles, columns = [], {}, {}
        for name, epoch in $sources:
            run = open_run(name)
            read = read_sequence(run, epoch, load_transducer(run, epoch), $length, $number)
            readings.append(read)
            titles[name] = network_title(run)
            columns |= {"step": range(1, read.steps + 1)}
            columns |= {f"input {place}": bits for place, bits in enumerate(read.inputs.T, start=1)}
            columns |= {f"{name}, output {place}": bits for place, bits in enumerate(read.answers.T, start=1)}
            for place, head in enumerate(HEADS if isinstance(read, TapeReading) else ()):
                columns[f"{name}, {head} cell"] = read.at[:, place] + 1
                columns[f"{name}, {head} weight"] = read.weights[:, place].max(axis=1)
                columns[f"{name}, {head} interpolation gate"] = read.gate[:, place]
        table = pd.DataFrame(columns)
        print(table)
        print("The figure:", save_figure(sequence_figure(readings, titles, task_of(run).marks, $step)))
        """,
        sources=list(sources),
        length=length,
        number=number,
        step=step,
    )


def step(source: tuple[str, int], length: int, number: int, step: int) -> str:
    """Return code for how both heads come to their weightings at a ``step`` from 0, and for the tape after it."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.tape import read_sequence
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.tape.step import step_figure
        from nlpviz.results.tape import HEADS
        from nlpviz.runs import open_run
        from nlpviz.runs.transducers import load_transducer

        run, epoch, step = open_run($run), $epoch, $step
        read = read_sequence(run, epoch, load_transducer(run, epoch), $length, $number)
        columns = {"cell": range(1, read.cells + 1)}
        for place, head in enumerate(HEADS):
            for stage in ("content", "gated", "shifted", "weights"):
                columns[f"{head}, {stage}"] = getattr(read, stage)[step, place]
        columns |= {f"number {place}": numbers for place, numbers in enumerate(read.tape[step].T, start=1)}
        table = pd.DataFrame(columns)
        print(table)
        print("The figure:", save_figure(step_figure(read, step + 1)))
        """,
        run=run,
        epoch=epoch,
        length=length,
        number=number,
        step=step,
    )
