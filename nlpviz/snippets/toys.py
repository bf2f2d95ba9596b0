"""Snippets of toy tasks: how fast networks learn them, and what those with a tape do at each step."""

from __future__ import annotations

from nlpviz.snippets import Sources, written


def curves(task: str, points: str) -> str:
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


def lengths(sources: Sources) -> str:
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


def sequence(sources: Sources, length: int, number: int) -> str:
    """Return code for how networks answer a test sequence of a length, and where their heads turn to.

    Args:
        sources: runs with their epochs.
        length: of the sequence.
        number: which one of that length, from 0.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.reading.tape import read_sequence
        from nlpviz.results.tape import HEADS, TapeReading
        from nlpviz.runs import open_run
        from nlpviz.runs.transducers import load_transducer

        columns = {}
        for name, epoch in $sources:
            run = open_run(name)
            read = read_sequence(run, epoch, load_transducer(run, epoch), $length, $number)
            columns |= {"step": range(1, read.steps + 1)}
            columns |= {f"read {place}": bits for place, bits in enumerate(read.inputs.T, start=1)}
            columns |= {f"{name}, answer {place}": bits for place, bits in enumerate(read.answers.T, start=1)}
            for place, head in enumerate(HEADS if isinstance(read, TapeReading) else ()):
                columns[f"{name}, {head} cell"] = read.at[:, place] + 1
                columns[f"{name}, {head} weight of it"] = read.weights[:, place].max(axis=1)
                columns[f"{name}, {head} interpolation gate"] = read.gate[:, place]
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        length=length,
        number=number,
    )


def step(source: tuple[str, int], length: int, number: int, step: int) -> str:
    """Return code for how both heads come to their weightings at a ``step`` from 0, and for the tape after it."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.reading.tape import read_sequence
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
        """,
        run=run,
        epoch=epoch,
        length=length,
        number=number,
        step=step,
    )
