"""How a run learnt, on a page: its curves, beside a baseline on the same corpus, and what they say."""

from __future__ import annotations

from collections.abc import Iterator

from nlpviz.figures.training.curves import training_curves
from nlpviz.figures.view import FigureView
from nlpviz.kinds import history, kind_of
from nlpviz.results.history import Level, RunHistory
from nlpviz.runs import Run
from nlpviz.ui import cache, plotly_view
from nlpviz.ui.frame import answer


def show(run: Run) -> None:
    """Show the curves of a run, and say what they and the baseline reach."""
    plotly_view.show(_curves(run), key="training")
    answers = [*kind_of(run).learnt(run, history(run))]
    beside = cache.baseline(run)
    if beside is not None and (say := kind_of(beside).beside):
        answers.append(say(beside, run))
    for sentence, pieces in answers:
        answer(sentence, **pieces)


def show_headline(run: Run) -> None:
    """Show the one panel in which the number lies that the run is judged by."""
    plotly_view.show(_curves(run, kind_of(run).headline.drawn, height=320), key="home_training")


def _curves(run: Run, only: str = "", height: int = 400) -> FigureView:
    measures = [measure for measure in kind_of(run).measures if only in ("", measure.name)]
    learnt = RunHistory(run.name, run.title, run.best_epoch, run.seed, run.device, history(run))
    return training_curves(learnt, measures, list(_levels(run)), height=height)


def _levels(run: Run) -> Iterator[Level]:
    """Yield the number that a run is judged by, and that of its baseline, where they are drawn across the curves."""
    for one in filter(None, (run, cache.baseline(run))):
        headline = kind_of(one).headline
        value = headline.value(one)
        if headline.drawn and value is not None:
            yield Level(one.title, value, headline.drawn, headline.on)
