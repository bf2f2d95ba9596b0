"""Batches of texts of similar length, to reduce padding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

POOL = 50
"""Batches are sorted by length within pools of so many: order stays random, padding nearly vanishes."""


@dataclass(frozen=True)
class Labelled:
    """Encoded texts and their labels.

    Attributes:
        ids: one int array (T,) a text, T its own.
        labels: int8 (N,), class indices.
    """

    ids: Sequence[NDArray[np.integer]]
    labels: NDArray[np.integer]

    def __len__(self) -> int:
        """How many texts there are."""
        return len(self.ids)

    def with_gaps(self, draw: np.random.Generator, share: float | None = None) -> Labelled:
        """Return the texts without some of their words: each word is left out with the probability ``share``.

        Args:
            draw: says which words.
            share: None draws one for each text, uniformly between 0 and 1, so that a text may lose all its words.
        """
        shares = draw.random(len(self)) if share is None else np.full(len(self), share)
        rows = [ids[draw.random(len(ids)) >= out] for ids, out in zip(self.ids, shares, strict=True)]
        return Labelled(rows, self.labels)

    def take(self, positions: NDArray[np.int64]) -> Labelled:
        """Return the texts at ``positions``."""
        return Labelled([self.ids[position] for position in positions], self.labels[positions])


def bucketed(lengths: NDArray[np.int64], size: int, rng: np.random.Generator | None) -> list[NDArray[np.int64]]:
    """Return the positions of each batch's texts: at most ``size`` of like length, every text once.

    Args:
        lengths: of all texts, (N,).
        size: of a batch.
        rng: shuffles texts and batches; None sorts all texts by length and keeps that order.
    """
    if rng is None:
        order = np.argsort(lengths, kind="stable")
        return np.array_split(order, range(size, len(order), size)) if len(order) else []
    order = rng.permutation(len(lengths))
    batches = []
    for start in range(0, len(order), size * POOL):
        pool = order[start : start + size * POOL]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        batches += [pool[first : first + size] for first in range(0, len(pool), size)]
    return [batches[position] for position in rng.permutation(len(batches))]
