"""Spearman's rank correlation of two lists of numbers; equal numbers share the mean of their ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def rank_correlation(first: NDArray[np.floating[Any]], second: NDArray[np.floating[Any]]) -> float | None:
    """Return the correlation of the ranks of two lists (N,), -1 to 1; None where one has no order."""
    ranks, others = _centred_ranks(first), _centred_ranks(second)
    spread = float(np.sqrt((ranks @ ranks) * (others @ others)))
    return float(ranks @ others) / spread if spread else None


def rank_correlations(values: NDArray[np.floating[Any]] | NDArray[np.integer[Any]]) -> NDArray[np.float64]:
    """Return the correlation of the ranks of each two of R lists (R, N), as (R, R); NaN where one has no order."""
    ranks = np.stack([_centred_ranks(row) for row in values])
    lengths = np.sqrt((ranks * ranks).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations: NDArray[np.float64] = (ranks @ ranks.T) / np.outer(lengths, lengths)
    return correlations


def _centred_ranks(values: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return the rank of each number less the mean rank."""
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[index]
    centred: NDArray[np.float64] = ranks - ranks.mean() if len(ranks) else ranks
    return centred
