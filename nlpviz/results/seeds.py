"""A recipe trained with another seed, on the test documents: vectors and predictions, no weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.predictions import Predicted


@dataclass(frozen=True)
class SeedAnswers:
    """One more training of a run's recipe, which differs from the run in its seed alone.

    Attributes:
        seed: of the training.
        epoch: the best epoch on the validation texts; all other attributes describe it.
        validation_accuracy: of that epoch.
        seconds: of all epochs' passes together.
        device: on which it was trained.
        embeddings: float32 (N, E), of the test documents whose embeddings the run keeps, in its order.
        predicted: the answers to all T test documents, in the order of the run's own.
    """

    seed: int
    epoch: int
    validation_accuracy: float
    seconds: float
    device: str
    embeddings: NDArray[np.float32]
    predicted: Predicted
