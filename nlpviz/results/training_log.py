"""A classifier's log-odds of every document during training, moment by moment."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray


class Role(IntEnum):
    """What a document is to a training."""

    TRAINED = 0
    HELD_OUT = 1  # the epoch was chosen by it
    LEFT_OUT = 2  # beside those held out, and not trained on
    TEST = 3


@dataclass(frozen=True)
class TrainingLog:
    """What the weights that a run would keep said of N documents at M moments of its training.

    Attributes:
        run: its name.
        class_names: what the class indices mean.
        moments: float32 (M,), in epochs, ascending; 0 is before training.
        ids: how the corpus calls the documents; empty where nobody has said.
        labels: int16 (N,), indices into the class names.
        parts: uint8 (N,), of :class:`Role`.
        tokens: int32 (N,), of the whole texts.
        log_odds: float32 (N, M), of a document's own label against all other classes, in nats.
        right: bool (N, M), whether its label is the predicted class.
    """

    run: str
    class_names: tuple[str, ...]
    moments: NDArray[np.float32]
    ids: tuple[str, ...]
    labels: NDArray[np.int16]
    parts: NDArray[np.uint8]
    tokens: NDArray[np.int32]
    log_odds: NDArray[np.float32]
    right: NDArray[np.bool_]

    @property
    def probabilities(self) -> NDArray[np.float32]:
        """The probability of each document's own label at each moment, (N, M)."""
        return np.asarray(1 / (1 + np.exp(-self.log_odds)), dtype=np.float32)

    def of(self, *parts: Role) -> TrainingLog:
        """Return the documents of some parts."""
        return self.take(np.flatnonzero(np.isin(self.parts, parts)))

    def labelled(self, label: int) -> TrainingLog:
        """Return the documents of one class, by its index."""
        return self.take(np.flatnonzero(self.labels == label))

    def take(self, positions: NDArray[np.integer]) -> TrainingLog:
        """Return the documents at ``positions``."""
        return TrainingLog(
            self.run,
            self.class_names,
            self.moments,
            tuple(self.ids[position] for position in positions) if self.ids else (),
            self.labels[positions],
            self.parts[positions],
            self.tokens[positions],
            self.log_odds[positions],
            self.right[positions],
        )
