"""Snippets of how the state of a network moves: along a text, to where it rests, and after a modifier."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import written
from nlpviz.snippets.asked import Followed, asked


def path(sources: Followed, words: Sequence[str], text: str, plane: str) -> str:
    """Return code for the path of ``text`` through state space.

    Args:
        sources: what reads.
        words: which of two comes next, as language models are asked; none of classifiers.
        text: that is read.
        plane: in which it is drawn: ``"components"`` or ``"score"``.
    """
    return asked(
        """
        import pandas as pd

        from nlpviz.reading.state_path import space_of_text, state_path
        from nlpviz.results.state_plane import StatePlane
        from nlpviz.runs import open_run
        from nlpviz.runs.dynamics import dynamics_of, keeps_dynamics

        text = $text
        tables = []
        for run, epoch, target in $sources:
            opened = open_run(run)
            path, kept = state_path(opened.load(epoch), text, target), keeps_dynamics(opened, target)
            space = dynamics_of(opened, epoch, target).space if kept else space_of_text(path)
            places = StatePlane.of(space, path, $plane).place(space.project(path.points), path.scores)[1:]
            columns = {"token": [token.name for token in path.text.read], "push": path.pushes}
            columns |= {"score after": path.scores[1:], "first axis": places[:, 0], "second axis": places[:, 1]}
            tables.append(pd.DataFrame(columns))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        """,
        words,
        sources=list(sources),
        text=text,
        plane=plane,
    )


def pushes(sources: Followed, words: Sequence[str], text: str) -> str:
    """Return code for how far each word of ``text`` moves the score."""
    return asked(
        """
        import pandas as pd

        from nlpviz.reading.state_path import state_path
        from nlpviz.runs import open_run

        text = $text
        tables = []
        for run, epoch, target in $sources:
            path = state_path(open_run(run).load(epoch), text, target)
            tables.append(pd.DataFrame({"token": [token.name for token in path.text.read], "push": path.pushes}))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        """,
        words,
        sources=list(sources),
        text=text,
    )


def slow_points(sources: Followed, constant: str) -> str:
    """Return code for where the state hardly moves while one input, ``"mean"`` or ``"zero"``, is read for ever."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.dynamics import dynamics_of

        tables = []
        for run, epoch, target in $sources:
            (points,) = [one for one in dynamics_of(open_run(run), epoch, target).slow if one.input == $constant]
            columns = {"speed, share of a step": points.speeds, "score": points.scores}
            columns["longest time constant, words"] = points.time_constants.max(axis=1)
            columns["growing directions"] = points.unstable
            columns |= {"PC 1": points.places[:, 0], "PC 2": points.places[:, 1]}
            tables.append(pd.DataFrame(columns))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        """,
        sources=list(sources),
        constant=constant,
    )


def time_constants(run: str, target: int, constant: str) -> str:
    """Return code for how long deviations from a run's slow points last: medians and quartiles, at each kept epoch."""
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.dynamics import dynamics_of

        run, rows = open_run($run), []
        for epoch in run.surveyed:
            for points in dynamics_of(run, epoch, $target).slow:
                if points.input == $constant:
                    quartiles = np.percentile(points.longest()[:, :8], [25, 50, 75], axis=0).T
                    rows += [(epoch, direction, *three) for direction, three in enumerate(quartiles, start=1)]
        table = pd.DataFrame(rows, columns=["epoch", "direction", "lower quartile", "median", "upper quartile"])
        print(table)
        """,
        run=run,
        target=target,
        constant=constant,
    )


def modified(sources: Followed, modifier: str) -> str:
    """Return code for the pushes of words by themselves, after ``modifier``, and after random words."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.modifiers import pushes
        from nlpviz.runs import open_run
        from nlpviz.runs.dynamics import dynamics_of

        modifier, tables = $modifier, []
        for run, epoch, target in $sources:
            kept = dynamics_of(open_run(run), epoch, target)
            effects, after = kept.modifiers, kept.modifiers.after(modifier)
            if after is None:  # a word that was not measured
                after = pushes(open_run(run).load(epoch), kept.contexts, target, effects.words, modifier)
            columns = {"word": effects.words, "push without": effects.plain, f"push after {modifier}": after}
            columns["after random words, from"], columns["to"] = effects.word_bands()
            tables.append(pd.DataFrame(columns))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        """,
        sources=list(sources),
        modifier=modifier,
    )


def factors(sources: Followed) -> str:
    """Return code for the factor by which each modifier changes the next word's push, beside that of random words."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.dynamics import dynamics_of

        rows = []
        for run, epoch, target in $sources:
            effects = dynamics_of(open_run(run), epoch, target).modifiers
            rows += [(run, epoch, *one, *effects.band()) for one in zip(effects.modifiers, effects.factors())]
        table = pd.DataFrame(rows, columns=["run", "epoch", "modifier", "factor", "random words from", "to"])
        print(table)
        """,
        sources=list(sources),
    )
