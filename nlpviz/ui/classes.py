"""The classes of a run on a page: which one a visitor asks about; and what a document of its corpus is called."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpviz.data import DataError, corpus_named
from nlpviz.figures.numbers import percent
from nlpviz.runs import Checkpoint, Run
from nlpviz.ui import address, cache, compare, widgets

PREDICTED = "predicted"


def pick_target(run: Run, epoch: int, text: str) -> str:
    """Return the class whose score of a text is explained, by its name, or :data:`PREDICTED`.

    At first it is the predicted one. More than two are listed by their probabilities, the likeliest first.

    Args:
        run: whose classes may be chosen.
        epoch: whose prediction comes first.
        text: that they are classes of.
    """
    names = run.class_names
    shares = cache.probabilities(run, epoch, text)
    ranked = [int(one) for one in np.argsort(-shares, kind="stable")]
    said = {names[one]: f"{names[one]} · {percent(float(shares[one]))}" for one in ranked}
    if len(names) == 2:  # in one order whatever is predicted
        said = {name: name for name in reversed(names)}
    said = {PREDICTED: f"{PREDICTED} · {names[ranked[0]]}"} | said
    return widgets.pick("target", "Target", said)


def follow_class(checkpoints: Sequence[Checkpoint], text: str) -> tuple[str, tuple[Checkpoint, ...]]:
    """Return the class that is followed through a text, and the checkpoints whose run has it.

    Of two classes it is the last one, unasked; of more the one that the visitor chose, at first what the chosen run's
    last epoch predicts. The page says which runs lack it.

    Args:
        checkpoints: the chosen run's first.
        text: that is read.
    """
    run, epoch = compare.chosen(checkpoints)
    if len(run.class_names) == 2:
        name = run.class_names[-1]
        address.leave_out("target", options=[name])
    else:
        name = pick_target(run, epoch, text)
        if name not in run.class_names:
            name = run.class_names[int(cache.probabilities(run, epoch, text).argmax())]
    return name, tuple(compare.with_class(checkpoints, name))


def pick_class(run: Run) -> int:
    """Return the index of the class that a page of many documents is about: of two classes the last one, unasked."""
    if len(run.class_names) == 2:
        address.leave_out("class")
        return 1
    return run.class_names.index(widgets.pick("class", "Class", run.class_names))


def pick_class_or_all(run: Run) -> int | None:
    """Return the index of the class that stands out among many, None where all are alike; of two, none is asked for."""
    if len(run.class_names) == 2:
        address.leave_out("class")
        return None
    chosen = widgets.pick("class", "Class", ["all", *run.class_names])
    return run.class_names.index(chosen) if chosen in run.class_names else None


def document(run: Run) -> str:
    """Return what a document of the run's corpus is called: ``"review"``; ``"text"`` where there is no such corpus."""
    try:
        return corpus_named(run.corpus["name"]).document
    except DataError:
        return "text"
