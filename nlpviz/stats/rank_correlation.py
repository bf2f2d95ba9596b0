"""Rank correlations of two lists of numbers: Spearman's, where equal numbers share their mean rank, and Kendall's."""

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


def concordance(first: NDArray[np.floating[Any]], second: NDArray[np.floating[Any]]) -> float | None:
    """Return Kendall's tau-b of two lists (N,), -1 to 1; None where one has no order."""
    signs = [np.sign(np.subtract.outer(one, one)).astype(np.float32) for one in (first, second)]
    ordered = [float(np.count_nonzero(one)) for one in signs]
    if not all(ordered):
        return None
    return float(np.vdot(*signs)) / float(np.sqrt(ordered[0] * ordered[1]))


def ranks_of(values: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return the rank of each number (N,), from 1; equal ones share their mean."""
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = (np.cumsum(counts) - (counts - 1) / 2)[index]
    return ranks


def _centred_ranks(values: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return the rank of each number less the mean rank."""
    ranks = ranks_of(values)
    centred: NDArray[np.float64] = ranks - ranks.mean() if len(ranks) else ranks
    return centred
