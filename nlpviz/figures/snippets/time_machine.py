"""Snippets of one text through a training: a word's score, a part of a cell, and the documents learnt the same way."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import written


def story(runs: Sequence[str], text: str, method: tuple[str, str], target: int, place: int) -> str:
    """Return code for the score of the token at ``place`` of ``text`` at each epoch that some runs keep.

    Args:
        runs: their names.
        text: that is explained.
        method: that gives the scores, and their unit.
        target: the index of the class that they are for.
        place: of the token among those read, from 0.
    """
    name, unit = method
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.attribution import explain
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.time_machine.lines import story_lines
        from nlpviz.run_kinds.progress_curves import text_course
        from nlpviz.runs import open_run

        text = $text
        courses, columns = [], {}
        for run in map(open_run, $runs):
            course = text_course(run, [explain(run.load(one), text, $method, target=$target) for one in run.epochs])
            courses.append(course)
            columns[f"score, {run.name}"] = pd.Series(course.story($place), index=run.epochs)
        table = pd.DataFrame(columns).rename_axis("epoch").reset_index()
        print(table)
        print("The figure:", save_figure(story_lines(courses, $place, $unit, courses[0].best_epoch)))
        """,
        runs=list(runs),
        text=text,
        method=name,
        target=target,
        place=place,
        unit=unit,
    )
