"""Snippets of explanations: scores of tokens, and what edits of a text do to them."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import Sources, written


def scores(sources: Sources, text: str, method: str, target: int, unit: str) -> str:
    """Return code for the scores of the tokens of ``text``, by one method, for the class ``target``, and their bars."""
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.attribution import explain
        from nlpviz.figures.attribution.bars import token_bars
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        text = $text
        columns, explanations = {}, []
        for run, epoch in $sources:
            explanation = explain(open_run(run).load(epoch), text, $method, target=$target)
            explanations.append(explanation)
            columns["token"] = pd.Series([token.word for token in explanation.encoded.read])
            columns[f"score, {run}, epoch {epoch}"] = pd.Series(explanation.scores)
        table = pd.DataFrame(columns)
        print(table)
        print("The figure:", save_figure(token_bars(explanations, $unit)))
        """,
        sources=list(sources),
        text=text,
        method=method,
        target=target,
        unit=unit,
    )


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


def edited(source: tuple[str, int], texts: tuple[str, str], method: str, target: int, unit: str) -> str:
    """Return code for what edits do to the scores of the words of a text.

    Args:
        source: the run and the epoch.
        texts: before and after the edits.
        method: that gives the scores.
        target: the class.
        unit: of a score.
    """
    run, epoch = source
    before, after = texts
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.attribution import explain, methods
        from nlpviz.figures.attribution.edits import score_shifts
        from nlpviz.figures.page import save_figure
        from nlpviz.results.score_changes import score_changes
        from nlpviz.runs import open_run

        original, edited = $before, $after
        trained = open_run($run).load($epoch)
        both = [explain(trained, text, $method, target=$target) for text in (original, edited)]
        changes = score_changes(*both)
        table = pd.DataFrame([one.words for one in changes], columns=["original", "edited"])
        table[["score, original", "score, edited"]] = [one.scores for one in changes]
        print(table)
        print("The figure:", save_figure(score_shifts(both[1], changes, methods()[$method].title, $unit)))
        """,
        run=run,
        epoch=epoch,
        before=before,
        after=after,
        method=method,
        target=target,
        unit=unit,
    )


def before_after(source: tuple[str, int], texts: tuple[str, str], method: str, target: int) -> str:
    """Return code for how probable each class is for a text before and after its edits."""
    run, epoch = source
    before, after = texts
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.attribution import explain
        from nlpviz.figures.attribution.edits import before_after
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        texts = {"before": $before, "after": $after}
        trained = open_run($run).load($epoch)
        both = [explain(trained, text, $method, target=$target) for text in texts.values()]
        shares = [one.probabilities for one in both]
        table = pd.DataFrame(shares, columns=[f"probability of {name}" for name in trained.run.class_names])
        table.insert(0, "text", list(texts))
        print(table)
        print("The figure:", save_figure(before_after(*both)))
        """,
        run=run,
        epoch=epoch,
        before=before,
        after=after,
        method=method,
        target=target,
    )


def trail(source: tuple[str, int], text: str, steps: tuple[str, int], method: str, target: int) -> str:
    """Return code for how probable a class is after each step of a trail of edits.

    Args:
        source: the run and the epoch.
        text: without edits.
        steps: as the address has them, and which of them is shown.
        method: by which the page explains the text.
        target: the class.
    """
    (run, epoch), (edits, at) = source, steps
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.attribution import explain
        from nlpviz.analysis.inspection.prediction import probabilities
        from nlpviz.figures.attribution.edits import trail_points, trail_tree
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run
        from nlpviz.text.edit_trail import read, walk

        run, text = open_run($run), $text
        trained, (steps, _) = run.load($epoch), read($edits)
        walked = walk(text, steps, run.vocabulary.tokens)
        points = trail_points(walked, [float(probabilities(trained, one)[$target]) for one in walked.texts])
        table = pd.DataFrame({"edit": [one.said for one in points]})
        table["probability"] = [one.probability for one in points]
        print(table)
        of = explain(trained, text, $method, target=$target)
        print("The figure:", save_figure(trail_tree(points, $at, of)))
        """,
        run=run,
        epoch=epoch,
        text=text,
        edits=edits,
        at=at,
        method=method,
        target=target,
    )
