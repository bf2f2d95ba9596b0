"""Snippets of how runs learnt: their curves."""

from __future__ import annotations

from nlpviz.figures.snippets import written


def curves(run: str) -> str:
    """Return code for what was measured after each epoch of a run."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.run_kinds import history
        from nlpviz.run_kinds.drawn.curves import learning_curves
        from nlpviz.run_kinds.listing import baseline_of
        from nlpviz.runs import list_runs, open_run

        run = open_run($run)
        table = pd.DataFrame(history(run))
        print(table)
        baseline = baseline_of(run, list(list_runs()[0].values()))
        print("The figure:", save_figure(learning_curves(run, baseline)))
        """,
        run=run,
    )
