"""Snippets of the paired comparison of classifiers."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import written


def compared(runs: Sequence[str], corpus: str) -> str:
    """Return code for how each two of some classifiers differ in accuracy, with intervals and tests.

    Args:
        runs: on one corpus.
        corpus: its title.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.training.comparison import comparison_matrix
        from nlpviz.run_kinds.comparison import comparisons
        from nlpviz.runs import open_run

        (found,) = comparisons([open_run(name) for name in $runs]).values()
        rows = [
            (found.runs[first], found.runs[second], 100 * pair.difference, 100 * pair.interval.low, pair.p)
            for (first, second), pair in found.pairs.items()
        ]
        table = pd.DataFrame(rows, columns=["run", "other run", "difference, points", "from, points", "p, mid-p"])
        print(table)
        print("The figure:", save_figure(comparison_matrix(found, $corpus)))
        """,
        runs=list(runs),
        corpus=corpus,
    )
