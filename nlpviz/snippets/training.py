"""Snippets of how runs learnt: their curves."""

from __future__ import annotations

from nlpviz.snippets import written


def curves(run: str) -> str:
    """Return code for what was measured after each epoch of a run."""
    return written(
        """
        import pandas as pd

        from nlpviz.kinds import history
        from nlpviz.runs import open_run

        table = pd.DataFrame(history(open_run($run)))
        print(table)
        """,
        run=run,
    )
