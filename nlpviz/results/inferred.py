"""One text inferred several times with other seeds: a cloud of vectors, and how stable its position is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Inferred:
    """M inferences of one text by one epoch of a run, beside the N documents that the run keeps.

    Attributes:
        run: its name.
        title: what people call it.
        epoch: whose word vectors.
        class_names: what the classes mean.
        tokens: of the text.
        known: of those that are read, how many have a vector.
        vectors: float32 (M, E); row i was inferred with seed i.
        probabilities: float32 (M, K), what the regression gives each class.
        nearest: (M, k), positions of the nearest documents, nearest first.
        neighbours: how often each of the N documents is among the k nearest, (N,), of M times.
        between: the median Euclidean distance between two different documents.
    """

    run: str
    title: str
    epoch: int
    class_names: tuple[str, ...]
    tokens: int
    known: int
    vectors: NDArray[np.float32]
    probabilities: NDArray[np.float32]
    nearest: NDArray[np.intp]
    neighbours: NDArray[np.int64]
    between: float

    @property
    def times(self) -> int:
        """How often the text was inferred, M."""
        return len(self.vectors)

    @cached_property
    def within(self) -> float:
        """The median Euclidean distance between two of the M vectors; 0 of a single one."""
        first, second = np.triu_indices(self.times, 1)
        apart = np.linalg.norm(self.vectors[first] - self.vectors[second], axis=1)
        return float(np.median(apart)) if len(apart) else 0.0

    @property
    def spread(self) -> float:
        """The cloud's median distance over that between documents; 0 of a single inference."""
        return self.within / self.between if self.between else 0.0

    @cached_property
    def commonest(self) -> tuple[int, int]:
        """The document that is nearest most often, by its position, and how often it is; of equals the first one."""
        documents, counts = np.unique(self.nearest[:, 0], return_counts=True)
        return int(documents[counts.argmax()]), int(counts.max())

    @cached_property
    def shared(self) -> float:
        """The mean share of their k nearest documents that two inferences have in common; 1 of a single one."""
        sets = [set(row.tolist()) for row in self.nearest]
        pairs = [(one, other) for position, one in enumerate(sets) for other in sets[position + 1 :]]
        if not pairs:
            return 1.0
        in_common = [len(one & other) for one, other in pairs]
        return sum(in_common) / len(pairs) / int(self.nearest.shape[1])

    @cached_property
    def votes(self) -> NDArray[np.int64]:
        """How many of the M inferences are predicted as each class, (K,)."""
        return np.bincount(self.probabilities.argmax(axis=1), minlength=len(self.class_names))
