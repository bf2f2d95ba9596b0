"""Which classes a classifier confuses: counts of texts by label and predicted class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Confusion:
    """Counts of N texts.

    Attributes:
        class_names: the K classes.
        counts: int64 (K, K): rows are labels, columns what is predicted.
    """

    class_names: tuple[str, ...]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, class_names: tuple[str, ...], labels: NDArray[np.integer], predicted: NDArray[np.integer]) -> Confusion:
        """Return the counts of N texts with their ``labels`` and ``predicted`` classes, both (N,)."""
        count = len(class_names)
        pairs = labels.astype(np.int64) * count + predicted
        return cls(class_names, np.bincount(pairs, minlength=count**2).reshape(count, count).astype(np.int64))

    def __post_init__(self) -> None:
        """Make the counts read-only; refuse others than one for each pair of classes."""
        if self.counts.shape != (len(self.class_names),) * 2:
            raise ValueError("a confusion matrix needs one count per label and predicted class")
        self.counts.setflags(write=False)
