"""Language models as figures compare them: how well those of one text predict its validation part, by epoch."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.data import corpus_named
from nlpviz.figures.language.perplexities import perplexity_curves
from nlpviz.figures.view import FigureView
from nlpviz.results.perplexity import ValidationCourse
from nlpviz.run_kinds import history
from nlpviz.runs import Run


def validation_curves(runs: Sequence[Run]) -> FigureView:
    """Return the validation perplexity of networks by epoch, and that of models that count across it.

    Args:
        runs: of one corpus, at least one with a history; a network without a history is not drawn.
    """
    learnt = [(run, records) for run in runs if (records := history(run))]
    courses = [
        ValidationCourse(
            run.title,
            tuple(record.epoch for record in records),
            tuple(record.validation_loss for record in records),
            run.best_epoch,
        )
        for run, records in learnt
    ]
    counted = [run for run in runs if not run.epochs and "validation" in run.metrics]
    levels = {run.title: run.metrics["validation"]["loss"] for run in counted}
    return perplexity_curves(courses, levels, corpus_named(runs[0].corpus["name"]).title)
