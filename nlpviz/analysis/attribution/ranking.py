"""The default attribution method for a run's network: the best in the deletion test."""

from __future__ import annotations

from nlpviz.analysis.attribution import methods_for
from nlpviz.runs import Run
from nlpviz.runs.deletions import deletion_survey


def ordered(run: Run) -> list[str]:
    """Return the names of the methods that can explain a run's network, the one with the highest mean AOPC first.

    Methods that were not measured on the run come after those that were: those that a survey measures first, then
    signed ones, those that every network has before others.

    Raises:
        RunError: if what was measured is damaged.
    """
    able, survey = methods_for(run), deletion_survey(run)
    fixed = sorted(able.values(), key=lambda one: (not one.surveyed, not one.signed, bool(one.needs), one.name))
    measured = [name for name in survey.best_first if name in able] if survey is not None else []
    return measured + [method.name for method in fixed if method.name not in measured]


def default(run: Run) -> str:
    """Return the name of the default method for a run's network."""
    return ordered(run)[0]
