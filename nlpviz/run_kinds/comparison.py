"""Which runs can be compared document by document: classifiers and baselines on one corpus, by their predictions."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.results.comparison import Comparison, compare_all
from nlpviz.runs import Run
from nlpviz.runs.predictions import PREDICTIONS, predictions_of
from nlpviz.stats.significance import PairedDifference, compare


def comparisons(runs: Sequence[Run]) -> dict[str, Comparison]:
    """Return the comparison of the runs on each corpus of which two at least keep their predictions, by its name."""
    by_corpus: dict[str, list[Run]] = {}
    for run in runs:
        if PREDICTIONS in run.files:
            by_corpus.setdefault(run.corpus["name"], []).append(run)
    return {name: _compared(some) for name, some in by_corpus.items() if len(some) > 1}


def difference(run: Run, other: Run) -> PairedDifference | None:
    """Return how two runs differ on the test documents of their corpus; None where one does not keep its predictions.

    Raises:
        RunError: if a file is damaged.
    """
    if not all(PREDICTIONS in one.files for one in (run, other)):
        return None
    first, second = predictions_of(run), predictions_of(other)
    return compare(first.right, second.right) if first.ids == second.ids else None


def _compared(runs: Sequence[Run]) -> Comparison:
    """Return how runs on one corpus differ, those that were asked about the same documents as the first one."""
    found = {run.name: predictions_of(run) for run in runs}
    ids = found[runs[0].name].ids
    same = [run for run in runs if found[run.name].ids == ids]
    return compare_all([run.name for run in same], [run.title for run in same], [found[run.name].right for run in same])
