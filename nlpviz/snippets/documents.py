"""Snippets of maps of documents: where each document lies, and how far to trust the maps."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import written


def stored_map(run: str, epochs: Sequence[int], projector: str, dimensions: int, *, alone: bool) -> str:
    """Return code for the coordinates of the documents on the maps that a run keeps."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.documents import documents_of, projections_of

        run = open_run($run)
        table = pd.DataFrame({"id": documents_of(run).ids})
        for chart in projections_of(run):
            if (chart.projector, chart.dimensions, chart.alone) == $kind and chart.epoch in $epochs:
                for axis, values in zip("xyz", chart.coordinates.T):
                    table[f"{axis}, epoch {chart.epoch}"] = values
        print(table)
        """,
        run=run,
        epochs=list(epochs),
        kind=(projector, dimensions, alone),
    )
