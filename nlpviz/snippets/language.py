"""Snippets of language models: the surprisal of each token."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import written


def surprisal(readers: Sequence[tuple[str, int | None, int | None]], text: str) -> str:
    """Return code for the surprisal of each token of ``text``, in nats.

    Args:
        readers: runs with the epoch of a network, or the order of n-grams.
        text: that is read.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.language.asking import opened, surprisal
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run, epoch, order in $readers:
            found = surprisal(opened(open_run(run), epoch, order), text)
            columns[found.title] = found.nats
        table = pd.DataFrame(columns)
        print(table)
        """,
        readers=list(readers),
        text=text,
    )
