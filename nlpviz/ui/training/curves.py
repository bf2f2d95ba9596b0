"""How a run learnt, on a page: its curves, beside a baseline on the same corpus, and what they say."""

from __future__ import annotations

from nlpviz.kinds import history, kind_of
from nlpviz.kinds.drawn.curves import learning_curves
from nlpviz.runs import Run
from nlpviz.snippets import training as snippets
from nlpviz.ui import cache, plotly_view
from nlpviz.ui.frame import answer
from nlpviz.ui.training import headlines


def show(run: Run) -> None:
    """Show the curves of a run, and say what they and the baseline reach."""
    headlines.show(run)
    plotly_view.show(learning_curves(run, cache.baseline(run)), key="training", code=snippets.curves(run.name))
    answers = [*kind_of(run).learnt(run, history(run))]
    beside = cache.baseline(run)
    if beside is not None and (say := kind_of(beside).beside):
        answers.append(say(beside, run))
    for sentence, pieces in answers:
        answer(sentence, **pieces)
