"""Which attribution method a page begins with: the one that did best in the deletion test on the page's run."""

from __future__ import annotations

from nlpviz.analysis.attribution import ranking
from nlpviz.runs import Run


def ordered(run: Run) -> list[str]:
    """Return the names of the methods, the best first, by :func:`nlpviz.analysis.attribution.ranking.ordered`."""
    return ranking.ordered(run)


def default(run: Run) -> str:
    """Return the name of the method that explains a run's network where the visitor chose none."""
    return ranking.default(run)
