"""Which method's order of the tokens lowers the predicted probability most, over a sample of a run's test documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from nlpviz.analysis.attribution import explain, methods_for
from nlpviz.analysis.attribution.deletion import ORDERS, deletion_curves
from nlpviz.results.deletion import DeletionSurvey
from nlpviz.runs import Run

_TOLD = 100  # texts between two lines


def survey_deletion(
    run: Run, texts: Sequence[tuple[str, str]], say: Callable[[str], None] = lambda _: None
) -> DeletionSurvey:
    """Return how soon the orders of the methods that are surveyed, and random ones, take the predicted class away.

    The network is that of the best epoch.

    Args:
        run: of a classifier.
        texts: ids and texts of test documents.
        say: called with a line of text about each step.
    """
    trained = run.load()
    methods = tuple(name for name, method in methods_for(run).items() if method.surveyed)
    curves = []
    for position, (_, text) in enumerate(texts):
        if position % _TOLD == 0:
            say(f"Removing tokens in the orders of {len(methods)} methods: document {position + 1:,} of {len(texts):,}")
        curves.append(deletion_curves(trained, [explain(trained, text, method) for method in methods]))
    return DeletionSurvey(
        run=run.name,
        epoch=run.best_epoch,
        ids=tuple(name for name, _ in texts),
        tokens=np.array([of_text[0].tokens for of_text in curves], dtype=np.int32),
        orders=ORDERS,
        methods=methods,
        aopc=np.array([[curve.aopc for curve in of_text] for of_text in curves], dtype=np.float32),
        better=np.array([[curve.better for curve in of_text] for of_text in curves], dtype=np.int32),
        random=np.array([of_text[0].random_aopc.mean() for of_text in curves], dtype=np.float32),
    )
