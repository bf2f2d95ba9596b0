"""The documents of a run, read from its files for figures to draw."""

from __future__ import annotations

from nlpviz.results.documents import RunDocuments
from nlpviz.runs.run import Run


def run_documents(run: Run) -> RunDocuments:
    """Return a run's test documents with what each kept epoch gave them.

    Raises:
        RunError: if they are missing or damaged.
    """
    kept = run.documents
    return RunDocuments(
        run=run.name,
        title=run.title,
        class_names=run.class_names,
        best_epoch=run.best_epoch,
        ids=kept.ids,
        labels=kept.labels,
        ratings=kept.ratings,
        lengths=kept.lengths,
        probabilities={epoch: run.probabilities(epoch) for epoch in run.epochs},
    )
