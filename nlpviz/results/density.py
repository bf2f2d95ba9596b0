"""A map of a large corpus: how many documents of each class lie in each of its cells, and a sample of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class DensityMap:
    """What is drawn of a map with more documents than can be drawn.

    Attributes:
        name: of the file of the map.
        run: whose embeddings were projected; empty where nobody wrote it down.
        projector: its name.
        seed: of what was drawn at random.
        fitted: on how many documents the map was fitted; the others were placed on it.
        perplexity: of t-SNE; None for a projector without.
        trustworthiness: over ``measured`` documents drawn from all.
        measured: how many these are.
        colored: the column that distinguishes classes; empty where there is none.
        class_names: K of them, the most frequent one first; one without a name where there are no classes.
        counts: int64 (K, H, W), documents in each cell; rows go upwards.
        x: (W + 1,), where the cells end.
        y: (H + 1,).
        sample: float32 (M, 2), positions of documents drawn from all.
        sample_classes: (M,), indices of classes.
        sample_rows: (M,), their rows in the file of the texts.
    """

    name: str
    run: str
    projector: str
    seed: int
    fitted: int
    perplexity: float | None
    trustworthiness: float
    measured: int
    colored: str
    class_names: tuple[str, ...]
    counts: NDArray[np.int64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    sample: NDArray[np.float32]
    sample_classes: NDArray[np.int64]
    sample_rows: NDArray[np.int64]

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return int(self.counts.sum())

    @property
    def leading(self) -> NDArray[np.int64]:
        """The most frequent class of each cell, (H, W); -1 where a cell is empty."""
        return np.where(self.counts.any(axis=0), self.counts.argmax(axis=0), -1)
