"""By which measure a run is compared with the one that it is to replace, and how much of a difference is chance.

A run is judged by what it was chosen by, its validation split; the test split is shown and decides nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from nlpviz.runs import Run


class Measure(NamedTuple):
    """A number of a manifest's metrics; more is better.

    Attributes:
        split: where it was measured.
        name: what was.
        noise: by how much two trainings of one recipe that differ in their seed alone may differ.
    """

    split: str
    name: str
    noise: float


ACCURACY_NOISE = 0.007
"""Two seeds of the CNN with vectors of their own were 0.7 points apart; 2,500 texts have a standard error of 0.6."""
BLEU_NOISE = 0.5
"""Half a point: what 1,014 validation sentences tell apart at best; no recipe was trained with two seeds."""
ANALOGIES_NOISE = 0.012
"""The two halves of the questions differ by 2.3 points with CBOW's vectors: the whole by half of that."""

JUDGED_BY = (
    Measure("validation", "accuracy", ACCURACY_NOISE),
    Measure("validation", "bleu", BLEU_NOISE),
    Measure("analogies", "accuracy", ANALOGIES_NOISE),
    Measure("test", "accuracy", ACCURACY_NOISE),  # of a run that chose nothing
)
SHOWN = (
    Measure("test", "accuracy", ACCURACY_NOISE),
    Measure("translation", "bleu", BLEU_NOISE),
    Measure("analogies", "accuracy", ANALOGIES_NOISE),
    Measure("validation", "bleu", BLEU_NOISE),  # of a run whose test split was not read yet
    Measure("validation", "accuracy", ACCURACY_NOISE),
)


def measured(run: Run, measures: tuple[Measure, ...]) -> tuple[Measure, float] | None:
    """Return the first of ``measures`` that the run's manifest holds, and its value."""
    for measure in measures:
        if (value := run.metrics.get(measure.split, {}).get(measure.name)) is not None:
            return measure, value
    return None


def is_worse(new: Run, old: Run) -> bool:
    """Whether ``new`` is worse than ``old`` by more than chance."""
    judged = measured(new, JUDGED_BY)
    if judged is None:
        return False
    measure, value = judged
    before = old.metrics.get(measure.split, {}).get(measure.name)
    return before is not None and value < before - measure.noise
