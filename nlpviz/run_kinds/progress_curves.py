"""What the epochs of a training make of one text, beside the losses of that training."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpviz.results.course import TextCourse
from nlpviz.results.explanation import Explanation
from nlpviz.run_kinds import history
from nlpviz.runs import Run


def text_course(run: Run, explanations: Sequence[Explanation]) -> TextCourse:
    """Return the course of a text through the training of a run.

    Args:
        run: a classifier.
        explanations: of the text, of one class by one method; one for each kept epoch, in ascending order.

    Raises:
        RunError: if the run's history is damaged.
    """
    losses = [(one.epoch, one.train_loss, one.validation_loss) for one in history(run)]
    every = np.array(losses, dtype=np.float64).reshape(-1, 3)
    return TextCourse(run.name, run.title, run.best_epoch, tuple(explanations), every)
