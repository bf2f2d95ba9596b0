"""The classes of a run on a page: which one a visitor asks about; and what a document of its corpus is called."""

from __future__ import annotations

from nlpviz.data import DataError, corpus_named
from nlpviz.runs import Run
from nlpviz.ui import address, widgets

PREDICTED = "predicted"


def pick_target(run: Run, *, predicted: bool = True) -> str:
    """Return the class whose score of a text is explained, by its name, or :data:`PREDICTED`.

    At first it is the last one of two classes, since the other's score is its negative, and of more the predicted one.

    Args:
        run: whose classes may be chosen.
        predicted: whether the class may be left to the network.
    """
    if len(run.class_names) == 2:
        options = [*reversed(run.class_names), *[PREDICTED] * predicted]
    else:
        options = [*[PREDICTED] * predicted, *run.class_names]
    return widgets.pick("target", "Target", options)


def pick_class(run: Run) -> int:
    """Return the index of the class that a page of many documents is about: of two classes the last one, unasked."""
    if len(run.class_names) == 2:
        address.leave_out("class", "class", [])
        return 1
    return run.class_names.index(widgets.pick("class", "Class", run.class_names))


def pick_class_or_all(run: Run) -> int | None:
    """Return the index of the class that stands out among many, None where all are alike; of two, none is asked for."""
    if len(run.class_names) == 2:
        address.leave_out("class", "class", [])
        return None
    chosen = widgets.pick("class", "Class", ["all", *run.class_names])
    return run.class_names.index(chosen) if chosen in run.class_names else None


def document(run: Run) -> str:
    """Return what a document of the run's corpus is called: ``"review"``."""
    try:
        return corpus_named(run.corpus["name"]).document
    except (DataError, KeyError):
        return "text"
