"""A classifier's predictions for every test document, and how they change when the ratings are masked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Predicted(NamedTuple):
    """The answers to N documents: the index of the predicted class, int16 (N,), and its probability, float32 (N,)."""

    classes: NDArray[np.int16]
    probabilities: NDArray[np.float32]

    @classmethod
    def of(cls, probabilities: NDArray[np.floating]) -> Predicted:
        """Return the answers from the probabilities of all classes, (N, K)."""
        classes = probabilities.argmax(axis=1)
        return cls(classes.astype(np.int16), probabilities.max(axis=1).astype(np.float32))

    def of_last(self, classes: int) -> NDArray[np.float32]:
        """Return the probability of the last of two classes, (N,).

        Raises:
            ValueError: if there are more than two ``classes``: what the others share is not known.
        """
        if classes != 2:
            raise ValueError(f"with {classes} classes, only the probability of the predicted class is known")
        return np.where(self.classes == 1, self.probabilities, 1 - self.probabilities).astype(np.float32)


@dataclass(frozen=True)
class Predictions:
    """The predictions of one checkpoint for all N test documents of its corpus.

    Attributes:
        run: its name.
        epoch: of the weights; 0 also of a run without epochs.
        ids: how the corpus calls the documents.
        labels: int16 (N,), indices into the run's class names.
        predicted: the answers.
    """

    run: str
    epoch: int
    ids: tuple[str, ...]
    labels: NDArray[np.int16]
    predicted: Predicted

    @property
    def right(self) -> NDArray[np.bool_]:
        """Which documents are classified rightly, (N,)."""
        return np.asarray(self.predicted.classes == self.labels)


@dataclass(frozen=True)
class MaskedPredictions:
    """The best epoch's predictions as the texts are, and with every rating in them masked.

    Attributes:
        plain: as the texts are.
        masked: the answers with every rating masked.
        rated: int16 (N,), how many tokens of ratings the model reads in each document; 0 where it states none.
    """

    plain: Predictions
    masked: Predicted
    rated: NDArray[np.int16]

    @property
    def right(self) -> NDArray[np.bool_]:
        """Which documents are classified rightly without their ratings, (N,)."""
        return np.asarray(self.masked.classes == self.plain.labels)

    @property
    def turned(self) -> NDArray[np.bool_]:
        """Of which documents another class is predicted without their ratings, (N,)."""
        return np.asarray(self.masked.classes != self.plain.predicted.classes)
