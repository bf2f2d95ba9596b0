"""Short sketches of gradients of the table of word vectors, whose dot products estimate those of the gradients.

Two steps. Every number of the table is added, with a random sign, to one of ``BUCKETS`` sums (the count sketch of
Charikar, Chen and Farach-Colton 2002; feature hashing, Weinberger et al. 2009): dot products are kept on average. Then
the sums are projected on the ``KEPT`` directions in which training documents have most of their length, their principal
axes through zero, which keeps far more of the dot products than as many sums alone would.

An epoch's gradients are multiplied by the root of its weight and hashed apart from other epochs', so that one dot
product of two sketches is the weighted sum over the epochs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.analysis.attribution.word_gradients import WordGradients

BUCKETS = 4096
KEPT = 64
SAMPLE = 2000
"""Documents from which the axes are found."""
_EPOCH, _WORD = np.uint64(1 << 40), np.uint64(1 << 16)  # places of an epoch, and of a word, in what is hashed


class Hashing(NamedTuple):
    """To which sum each number of some words' vectors is added, int64 (V, D), and with which sign, float32 (V, D)."""

    buckets: Tensor
    signs: Tensor


def hashing(words: NDArray[np.integer], dimensions: int, epoch: int) -> Hashing:
    """Return the hashes of the vectors of ``words`` (V,) at an epoch; the same on every machine."""
    numbers = words.astype(np.uint64)[:, None] * _WORD + np.arange(dimensions, dtype=np.uint64)
    mixed = _mix(numbers + np.asarray(epoch, dtype=np.uint64) * _EPOCH)
    buckets = torch.from_numpy((mixed % np.uint64(BUCKETS)).astype(np.int64))
    return Hashing(buckets, torch.from_numpy((mixed >> np.uint64(63)).astype(np.float32) * 2 - 1))


def hashed(gradients: WordGradients, count: int, weight: float, hashes: Hashing) -> Tensor:
    """Return the sums (count, BUCKETS) of the gradients of ``count`` texts.

    Args:
        gradients: of the texts.
        count: how many there are.
        weight: of the epoch in the weighted sum of dot products.
        hashes: of the words of the rows, in their order: (R, D) each.
    """
    sums = torch.zeros(count * BUCKETS)
    places = gradients.texts[:, None] * BUCKETS + hashes.buckets
    sums.index_add_(0, places.flatten(), (gradients.vectors.float() * hashes.signs).flatten() * weight**0.5)
    return sums.view(count, BUCKETS)


def principal_axes(sums: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the axes (BUCKETS, S) in which documents' sums (N, BUCKETS) have most of their length, S ≤ KEPT."""
    some = sums[:: -(-len(sums) // SAMPLE)].astype(np.float64)
    lengths, left = np.linalg.eigh(some @ some.T)
    order = np.argsort(-lengths)[:KEPT]
    order = order[lengths[order] > 1e-9 * max(float(lengths.max(initial=0)), 1e-30)]
    axes = some.T @ (left[:, order] / np.sqrt(lengths[order]))
    return np.asarray(axes, dtype=np.float32)


def in_eight_bits(rows: NDArray[np.floating]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return rows (N, S) as whole numbers from -127 to 127, and the scale (N,) of each row."""
    scales = (np.abs(rows).max(axis=1, initial=0) / 127).astype(np.float32)
    levels = np.rint(rows / np.where(scales > 0, scales, 1)[:, None])
    return levels.astype(np.int8), scales


def _mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the hash of each number: splitmix64 (Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(mixed ^ (mixed >> np.uint64(31)))
