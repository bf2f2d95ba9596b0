"""The pages' only way to figures of an experiment's committed curves: drawn once, shared by all visitors."""

from __future__ import annotations

from nlpviz.figures.feedforward import trials as figures
from nlpviz.figures.view import FigureView
from nlpviz.results.feedforward import Trials
from nlpviz.ui.cache import figure


def reached(trials: Trials, group: str, base: str) -> FigureView:
    """Return the test accuracy of each choice of a group beside that of ``base``, with intervals over seeds."""
    return figure(("reached", trials, group, base), lambda: figures.reached(trials, group, base))


def learnt(trials: Trials, group: str) -> FigureView:
    """Return the losses and the validation accuracy of each choice of a group by epoch."""
    return figure(("learnt", trials, group), lambda: figures.learnt(trials, group))
