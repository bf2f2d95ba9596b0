"""One text through a training: the prediction at each kept epoch, next to the epochs' measures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.explanation import Explanation


@dataclass(frozen=True)
class TextCourse:
    """The predictions of a run's kept epochs for a text.

    Attributes:
        run: its name.
        title: what people call it.
        best_epoch: the chosen one.
        explanations: of the text, of one class by one method; one for each kept epoch, in ascending order.
        losses: (E, 3): each epoch that was trained, its loss in training and on validation texts; NaN where unknown.
    """

    run: str
    title: str
    best_epoch: int
    explanations: tuple[Explanation, ...]
    losses: NDArray[np.float64]

    @property
    def epochs(self) -> tuple[int, ...]:
        """The kept epochs."""
        return tuple(one.epoch for one in self.explanations)

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """What each kept epoch gives the explained class, (E,)."""
        return np.array([one.probabilities[one.target] for one in self.explanations], dtype=np.float64)

    def at(self, moment: int) -> Explanation:
        """Return the explanation of the last kept epoch that is not after ``moment``; of none, of the first one."""
        return [one for one in self.explanations if one.epoch <= moment or one is self.explanations[0]][-1]

    def story(self, position: int) -> NDArray[np.float64]:
        """Return the score of the token at ``position`` at each kept epoch, (E,)."""
        return np.array([one.scores[position] for one in self.explanations], dtype=np.float64)

    @property
    def turn(self) -> int | None:
        """The first kept epoch from which on the last one's class is the predicted one; None where it always was."""
        sides = [one.predicted == self.explanations[-1].predicted for one in self.explanations]
        wrong = [place for place, right in enumerate(sides) if not right]
        return self.explanations[wrong[-1] + 1].epoch if wrong else None


def moments_of(courses: tuple[TextCourse, ...]) -> tuple[int, ...]:
    """Return the epochs that any of the runs keeps, in ascending order."""
    return tuple(sorted({epoch for one in courses for epoch in one.epochs}))
