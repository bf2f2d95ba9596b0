"""Snippets of how the state of a network moves: along a text, to where it rests, and after a modifier."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import written
from nlpviz.figures.snippets.asked import Followed, asked


def path(sources: Followed, words: Sequence[str], text: str, plane: str, selected: int | None) -> str:
    """Return code for the path of ``text`` through state space.

    Args:
        sources: what reads.
        words: which of two comes next, as language models are asked; none of classifiers.
        text: that is read.
        plane: in which it is drawn: ``"components"`` or ``"score"``.
        selected: the position of the word that stands out; None for none.
    """
    return asked(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.state_path import space_of_text, state_path
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.state_path import DrawnPath, state_paths
        from nlpviz.results.state_plane import StatePlane
        from nlpviz.runs import open_run
        from nlpviz.runs.dynamics import dynamics_of, keeps_dynamics

        text = $text
        shown, tables = [], []
        for run, epoch, target in $sources:
            opened = open_run(run)
            path, kept = state_path(opened.load(epoch), text, target), keeps_dynamics(opened, target)
            space = dynamics_of(opened, epoch, target).space if kept else space_of_text(path)
            shown.append(DrawnPath(path, space))
            places = StatePlane.of(space, path, $plane).place(space.project(path.points), path.scores)[1:]
            columns = {"token": [token.name for token in path.text.read], "push": path.pushes}
            columns |= {"score after": path.scores[1:], "first axis": places[:, 0], "second axis": places[:, 1]}
            tables.append(pd.DataFrame(columns))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        print("The figure:", save_figure(state_paths(shown, $plane, $selected)))
        """,
        words,
        sources=list(sources),
        text=text,
        plane=plane,
        selected=selected,
    )


def pushes(sources: Followed, words: Sequence[str], text: str, selected: int | None) -> str:
    """Return code for how far each word of ``text`` moves the score; the one at ``selected`` stands out."""
    return asked(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.state_path import state_path
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.pushes import push_bars
        from nlpviz.runs import open_run

        text = $text
        paths, tables = [], []
        for run, epoch, target in $sources:
            path = state_path(open_run(run).load(epoch), text, target)
            paths.append(path)
            tables.append(pd.DataFrame({"token": [token.name for token in path.text.read], "push": path.pushes}))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        print("The figure:", save_figure(push_bars(paths, $selected)))
        """,
        words,
        sources=list(sources),
        text=text,
        selected=selected,
    )


def slow_points(sources: Followed, constant: str, plane: str) -> str:
    """Return code for where the state hardly moves while one input, ``"mean"`` or ``"zero"``, is read for ever.

    Args:
        sources: what reads.
        constant: the input.
        plane: in which they are drawn: ``"components"`` or ``"score"``.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.state_path import state_path
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.slow_points import slow_points_map
        from nlpviz.results.state_plane import StatePlane
        from nlpviz.runs import open_run
        from nlpviz.runs.dynamics import dynamics_of

        shown, planes, tables = [], [], []
        for name, epoch, target in $sources:
            run = open_run(name)
            kept, path = dynamics_of(run, epoch, target), state_path(run.load(epoch), "", target)
            planes.append(StatePlane.of(kept.space, path, $plane))  # an empty path has the class direction
            (points,) = [one for one in kept.slow if one.input == $constant]
            shown.append(points)
            columns = {"speed, share of a step": points.speeds, "score": points.scores}
            columns["largest time constant, words"] = points.time_constants.max(axis=1)
            columns["growing directions"] = points.unstable
            columns |= {"PC 1": points.places[:, 0], "PC 2": points.places[:, 1]}
            tables.append(pd.DataFrame(columns))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        print("The figure:", save_figure(slow_points_map(shown, planes, run.class_names, target)))
        """,
        sources=list(sources),
        constant=constant,
        plane=plane,
    )


def time_constants(run: str, target: int, constant: str) -> str:
    """Return code for how long deviations from a run's slow points last: medians and quartiles, at each kept epoch."""
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.slow_points import time_constant_curves
        from nlpviz.runs import open_run
        from nlpviz.runs.dynamics import dynamics_of

        run, rows = open_run($run), []
        kept = [dynamics_of(run, epoch, $target).slow for epoch in run.surveyed]
        every = [points for slow in kept for points in slow if points.input == $constant]
        for points in every:
            quartiles = np.percentile(points.longest()[:, :8], [25, 50, 75], axis=0).T
            rows += [(points.epoch, direction, *three) for direction, three in enumerate(quartiles, start=1)]
        table = pd.DataFrame(rows, columns=["epoch", "direction", "lower quartile", "median", "upper quartile"])
        print(table)
        print("The figure:", save_figure(time_constant_curves(every, run.title)))
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

        from nlpviz.analysis.inspection.modifiers import pushes
        from nlpviz.figures.numbers import unit_of_push
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.modifiers import push_against_push
        from nlpviz.runs import open_run
        from nlpviz.runs.dynamics import dynamics_of

        modifier, shown, modified, tables = $modifier, [], [], []
        for name, epoch, target in $sources:
            run = open_run(name)
            kept = dynamics_of(run, epoch, target)
            effects, after = kept.modifiers, kept.modifiers.after(modifier)
            if after is None:  # a word that was not measured
                after = pushes(run.load(epoch), kept.contexts, target, effects.words, modifier)
            shown.append(effects)
            modified.append(after)
            columns = {"word": effects.words, "push without the modifier": effects.plain}
            columns[f"push after {modifier}"] = after
            columns["after random words, from"], columns["to"] = effects.word_bands()
            tables.append(pd.DataFrame(columns))
        table = pd.concat(tables, ignore_index=True)
        print(table)
        unit = unit_of_push(len(run.class_names))
        print("The figure:", save_figure(push_against_push(shown, modifier, modified, unit)))
        """,
        sources=list(sources),
        modifier=modifier,
    )


def factors(sources: Followed, modifier: str) -> str:
    """Return code for the factor by which each modifier changes the next word's push, beside that of random words.

    Args:
        sources: what reads.
        modifier: the one that stands out.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.recurrence.modifier_factors import factor_dots
        from nlpviz.runs import open_run
        from nlpviz.runs.dynamics import dynamics_of

        shown, rows = [], []
        for run, epoch, target in $sources:
            effects = dynamics_of(open_run(run), epoch, target).modifiers
            shown.append(effects)
            rows += [(run, epoch, *one, *effects.band()) for one in zip(effects.modifiers, effects.factors())]
        table = pd.DataFrame(rows, columns=["run", "epoch", "modifier", "factor", "random words from", "to"])
        print(table)
        print("The figure:", save_figure(factor_dots(shown, $modifier)))
        """,
        sources=list(sources),
        modifier=modifier,
    )
