"""How a run learnt: its curves, with the numbers that it and a baseline are judged by across them; its gradients."""

from __future__ import annotations

from collections.abc import Iterator

from nlpviz.figures.recurrence.memory_clipping import RunNorms
from nlpviz.figures.training.curves import training_curves
from nlpviz.figures.view import FigureView
from nlpviz.results.history import Level, RunHistory
from nlpviz.run_kinds import history, kind_of
from nlpviz.runs import Run


def learning_curves(run: Run, baseline: Run | None) -> FigureView:
    """Return the curves of a run by epoch, one panel a measure.

    Args:
        run: one with a history.
        baseline: on the same corpus; None for none.
    """
    learnt = RunHistory(run.name, run.title, run.best_epoch, run.seed, run.device, history(run))
    return training_curves(learnt, kind_of(run).measures, list(_levels(run, baseline)))


def gradient_norms(run: Run) -> RunNorms:
    """Return what a run's history says of its gradients; before training there are none."""
    records = [record for record in history(run) if record.epoch > 0]
    clip = run.recipe.get("fit", {}).get("clip", 0.0)
    return RunNorms(
        run.name, run.title, [one.epoch for one in records], [one.gradient_norm for one in records], float(clip or 0.0)
    )


def _levels(run: Run, baseline: Run | None) -> Iterator[Level]:
    """Yield the number that a run is judged by, and that of its baseline, where they are drawn across the curves."""
    for one in filter(None, (run, baseline)):
        headline = kind_of(one).headline
        value = headline.value(one)
        if headline.drawn and value is not None:
            yield Level(one.title, value, headline.drawn, headline.on)
