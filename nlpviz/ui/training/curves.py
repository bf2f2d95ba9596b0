"""How a run learnt, on a page: its curves, beside a baseline on the same corpus, and what they say."""

from __future__ import annotations

from nlpviz.run_kinds import history, kind_of
from nlpviz.run_kinds.drawn.curves import learning_curves
from nlpviz.runs import Run
from nlpviz.ui import cache, plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details
from nlpviz.ui.training import headlines


def show(run: Run) -> None:
    """Show the curves of a run, and say whether it beats the baseline, or without one what it reaches."""
    headlines.show(run)
    baseline = cache.baseline(run)
    plotly_view.show(Call(learning_curves, run, baseline), key="training")
    answers = [*kind_of(run).learnt(run, history(run))]
    if baseline is not None and (say := kind_of(baseline).beside):
        answers.insert(0, say(baseline, run))
    for sentence, pieces in answers[:1]:
        answer(sentence, **pieces)
    if answers[1:]:
        with details():
            for sentence, pieces in answers[1:]:
                answer(sentence, **pieces)
