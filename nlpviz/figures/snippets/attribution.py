"""Snippets of explanations through a training."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import written


def course(runs: Sequence[str], text: str, method: str, target: int) -> str:
    """Return code for how probable the class ``target`` is for ``text`` at each epoch that some runs keep."""
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.attribution import explain
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.time_machine.lines import course_lines
        from nlpviz.run_kinds.progress_curves import text_course
        from nlpviz.runs import open_run

        text = $text
        columns, courses = {}, []
        for run in map(open_run, $runs):
            explained = [explain(run.load(epoch), text, $method, target=$target) for epoch in run.epochs]
            course = text_course(run, explained)
            courses.append(course)
            columns[f"P, {run.name}"] = pd.Series(course.probabilities, index=course.epochs)
        table = pd.DataFrame(columns).rename_axis("epoch").reset_index()
        print(table)
        print("The figure:", save_figure(course_lines(courses, courses[0].best_epoch)))
        """,
        runs=list(runs),
        text=text,
        method=method,
        target=target,
    )
