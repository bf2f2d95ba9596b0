"""All tree networks at their best epochs, for views over the whole test split."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.results.tree_cases import TreeCases
from nlpviz.runs import Run
from nlpviz.runs.tree_cases import cases_of
from nlpviz.ui import widgets
from nlpviz.ui.run_filter import TREES


def every() -> tuple[Run, ...]:
    """Return the tree networks on one corpus, the best at the roots of the test trees first; the page ends without."""
    runs = widgets.some_runs(TREES)
    first = widgets.best_of(runs)
    same = [run for run in runs.values() if run.corpus["name"] == first.corpus["name"]]
    return tuple(sorted(same, key=lambda run: -run.metrics["test"]["roots_fine"]))


def cases(runs: Sequence[Run], case: str) -> tuple[TreeCases, ...]:
    """Return the cases of one kind by each network at its best epoch."""
    return tuple(cases_of(run, case) for run in runs)
