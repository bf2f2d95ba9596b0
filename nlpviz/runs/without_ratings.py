"""The documents that a run keeps, as its best epoch reads them with ratings, such as ``7/10``, and without."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.documents import Masking
from nlpviz.runs.documents import documents_of
from nlpviz.runs.predictions import masked_predictions
from nlpviz.runs.run import Run


@dataclass(frozen=True)
class WithoutRatings:
    """The N documents that a run keeps, in their order, as the best epoch reads them with ratings and without.

    Attributes:
        ids: how the corpus calls them.
        labels: (N,), indices into the run's class names.
        before: int16 (N,), the predicted classes.
        after: int16 (N,), those with every rating masked.
        shares: float32 (N, 2), the probability of the last of two classes with ratings and without; of the predicted
            class where there are more.
        rated: bool (N,), in which of them the model reads a rating.
    """

    ids: tuple[str, ...]
    labels: NDArray[np.integer]
    before: NDArray[np.int16]
    after: NDArray[np.int16]
    shares: NDArray[np.float32]
    rated: NDArray[np.bool_]

    @property
    def turned(self) -> NDArray[np.bool_]:
        """Of which documents another class is predicted without their ratings, (N,)."""
        return np.asarray(self.before != self.after)

    @property
    def masking(self) -> NDArray[np.integer]:
        """What masking does to each document, (N,) of :class:`Masking`: what a map colours."""
        stated = np.where(self.turned, Masking.OTHER_CLASS, Masking.SAME_CLASS)
        return np.where(self.rated, stated, Masking.NO_RATING)


def without_ratings(run: Run) -> WithoutRatings | None:
    """Return what masking ratings makes of the documents that are on the maps of a run; None where they state none.

    Raises:
        RunError: if it keeps none, or nobody asked.
    """
    kept, found = documents_of(run), masked_predictions(run)
    if found is None:
        return None
    place = {name: position for position, name in enumerate(found.plain.ids)}
    positions = np.array([place[name] for name in kept.ids])
    classes = len(run.class_names)
    both = (found.plain.predicted, found.masked)
    shares = [one.of_last(classes) if classes == 2 else one.probabilities for one in both]
    return WithoutRatings(
        ids=kept.ids,
        labels=kept.labels,
        before=found.plain.predicted.classes[positions],
        after=found.masked.classes[positions],
        shares=np.stack(shares, axis=1)[positions],
        rated=found.rated[positions] > 0,
    )
