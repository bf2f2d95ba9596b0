"""Snippets of explanations: scores of tokens, and attention."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import Sources, written


def scores(sources: Sources, text: str, method: str, target: int) -> str:
    """Return code for the scores of the tokens of ``text``, by one method, for the class ``target``."""
    return written(
        """
        import pandas as pd

        from nlpviz.attribution import explain
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run, epoch in $sources:
            explanation = explain(open_run(run).load(epoch), text, $method, target=$target)
            columns["token"] = pd.Series([token.word for token in explanation.encoded.read])
            columns[f"score, {run}, epoch {epoch}"] = pd.Series(explanation.scores)
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        text=text,
        method=method,
        target=target,
    )


def attention(sources: Sources, text: str) -> str:
    """Return code for the weights of the words of ``text``."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.attention import attend
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run, epoch in $sources:
            attended = attend(open_run(run).load(epoch), text)
            columns["token"] = pd.Series([token.word for token in attended.text.read])
            columns[f"weight, {run}, epoch {epoch}"] = pd.Series(attended.words)
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        text=text,
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
