"""Snippets of explanations: scores of tokens, and what edits of a text do to them."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import Sources, written


def scores(sources: Sources, text: str, method: str, target: int, unit: str) -> str:
    """Return code for the scores of the tokens of ``text``, by one method, for the class ``target``, and their bars."""
    return written(
        """
        import pandas as pd

        from nlpviz.attribution import explain
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


def course(runs: Sequence[str], text: str, target: int) -> str:
    """Return code for how probable the class ``target`` is for ``text`` at each epoch that some runs keep."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.prediction import probabilities
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run in map(open_run, $runs):
            given = [float(probabilities(run.load(epoch), text)[$target]) for epoch in run.epochs]
            columns[f"P, {run.name}"] = pd.Series(given, index=run.epochs)
        table = pd.DataFrame(columns).rename_axis("epoch").reset_index()
        print(table)
        """,
        runs=list(runs),
        text=text,
        target=target,
    )


def edited(source: tuple[str, int], texts: tuple[str, str], method: str, target: int) -> str:
    """Return code for what edits do to the scores of the words of a text; ``texts`` before and after them."""
    run, epoch = source
    before, after = texts
    return written(
        """
        import pandas as pd

        from nlpviz.attribution import explain
        from nlpviz.results.score_changes import score_changes
        from nlpviz.runs import open_run

        original, edited = $before, $after
        trained = open_run($run).load($epoch)
        both = [explain(trained, text, $method, target=$target) for text in (original, edited)]
        changes = score_changes(*both)
        table = pd.DataFrame([one.words for one in changes], columns=["original", "edited"])
        table[["score, original", "score, edited"]] = [one.scores for one in changes]
        print(table)
        """,
        run=run,
        epoch=epoch,
        before=before,
        after=after,
        method=method,
        target=target,
    )


def before_after(source: tuple[str, int], texts: tuple[str, str]) -> str:
    """Return code for how probable each class is for a text before and after its edits."""
    run, epoch = source
    before, after = texts
    return written(
        """
        import pandas as pd

        from nlpviz.reading.prediction import probabilities
        from nlpviz.runs import open_run

        texts = {"before": $before, "after": $after}
        trained = open_run($run).load($epoch)
        shares = [probabilities(trained, text) for text in texts.values()]
        table = pd.DataFrame(shares, columns=[f"probability of {name}" for name in trained.run.class_names])
        table.insert(0, "text", list(texts))
        print(table)
        """,
        run=run,
        epoch=epoch,
        before=before,
        after=after,
    )


def trail(source: tuple[str, int], text: str, edits: str, target: int) -> str:
    """Return code for how probable a class is after each step of a trail of edits.

    Args:
        source: the run and the epoch.
        text: without edits.
        edits: the steps, as the address has them.
        target: the class.
    """
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.reading.prediction import probabilities
        from nlpviz.runs import open_run
        from nlpviz.text.edit_trail import read, walk

        run, text = open_run($run), $text
        trained, (steps, _) = run.load($epoch), read($edits)
        walked = walk(text, steps, run.vocabulary.tokens)
        table = pd.DataFrame({"edit": ["the original", *walked.said]})
        table["probability"] = [probabilities(trained, one)[$target] for one in walked.texts]
        print(table)
        """,
        run=run,
        epoch=epoch,
        text=text,
        edits=edits,
        target=target,
    )
