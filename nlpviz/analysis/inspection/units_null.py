"""Correlations of units with a feature, and what the best of all units would reach if nothing followed it.

Two nulls, each drawn many times; a unit has to beat both. *Shifted*: each text's course of the feature is moved along
by a random number of words, its end going on at its beginning. That keeps how the course goes up and down and what is
typical of the text, and breaks which word it stands at. *Swapped*: each text gets the course of another one of about
its length. That keeps what all texts have in common at a place, such as a drift from the beginning, and breaks which
text it belongs to. Of each draw the largest absolute r of all units counts, so that the 95% line allows for the
search over units (Westfall and Young 1993, *Resampling-Based Multiple Testing*, the maximum statistic).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

REDRAWS, LEVEL = 300, 0.95
_AT_ONCE = 50  # redraws
_NEIGHBOURS = 20  # texts of about one length, among which courses are swapped
_CONSTANT = 1e-12

Floats = NDArray[np.float32]


def standardised(values: Floats) -> Floats:
    """Return columns (W, K) with mean 0 and variance 1; one that never changes becomes zero."""
    centred = values - values.mean(axis=0, dtype=np.float64).astype(np.float32)
    deviation = np.sqrt(np.square(centred).mean(axis=0, dtype=np.float64))
    scale = np.where(deviation > _CONSTANT, 1 / np.maximum(deviation, _CONSTANT), 0)
    return np.asarray(centred * scale.astype(np.float32))


def correlations(units: Floats, feature: Floats) -> Floats:
    """Return Pearson's r of each standardised unit (W, U) with a feature (W,), (U,); 0 where either is constant."""
    return np.asarray(units.T @ standardised(feature[:, None])[:, 0] / np.float32(len(units)))


class Null(NamedTuple):
    """The largest absolute r of all units in each redraw, (R,)."""

    maxima: Floats

    @property
    def threshold(self) -> float:
        """The 95th percentile of the redraws."""
        return float(np.quantile(self.maxima, LEVEL))

    def p(self, best: float) -> float:
        """Return the share of redraws that reach ``best``, which is counted as one of them."""
        return float((1 + (self.maxima >= best).sum()) / (1 + len(self.maxima)))


def shifted(units: Floats, feature: Floats, starts: NDArray[np.int64], redraws: int = REDRAWS, seed: int = 0) -> Null:
    """Return the null of courses that are shifted within their texts.

    Args:
        units: (W, U), standardised.
        feature: (W,).
        starts: (N + 1,), where each text begins, and W.
        redraws: R.
        seed: of the shifts.
    """
    rng = np.random.default_rng(seed)
    lengths = np.diff(starts)

    def draw() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return np.arange(len(lengths)), rng.integers(0, lengths)

    return _null(units, feature, starts, [draw() for _ in range(redraws)])


def swapped(units: Floats, feature: Floats, starts: NDArray[np.int64], redraws: int = REDRAWS, seed: int = 0) -> Null:
    """Return the null of courses taken from other texts of about the same length, repeated if too short.

    Args:
        units: (W, U), standardised.
        feature: (W,).
        starts: (N + 1,), where each text begins, and W.
        redraws: R.
        seed: of the exchange.
    """
    rng = np.random.default_rng(seed)
    lengths = np.diff(starts)
    order = np.argsort(lengths, kind="stable")
    groups = np.array_split(order, max(len(order) // _NEIGHBOURS, 1))

    def draw() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        donors = np.empty(len(lengths), np.int64)
        for group in groups:
            turned = rng.permutation(group)
            donors[turned] = np.roll(turned, 1)  # one cycle: nobody keeps its own, but where it is alone
        return donors, np.zeros(len(lengths), np.int64)

    return _null(units, feature, starts, [draw() for _ in range(redraws)])


def _null(
    units: Floats,
    feature: Floats,
    starts: NDArray[np.int64],
    draws: list[tuple[NDArray[np.int64], NDArray[np.int64]]],
) -> Null:
    """Return the maxima of draws, each of which says of every text whose course it gets, moved by how much."""
    lengths = np.diff(starts)
    place = np.arange(len(feature)) - np.repeat(starts[:-1], lengths)
    maxima = []
    for first in range(0, len(draws), _AT_ONCE):
        some = draws[first : first + _AT_ONCE]
        columns = np.empty((len(some), len(feature)), dtype=np.float32)
        for column, (donors, moved) in zip(columns, some, strict=True):
            length = np.repeat(lengths[donors], lengths)
            row = place + np.repeat(moved, lengths)
            np.remainder(row, length, out=row, where=row >= length)
            row += np.repeat(starts[donors], lengths)
            np.take(feature, row, out=column)
        columns = columns.T
        r = units.T @ standardised(columns) / np.float32(len(units))
        maxima.append(np.abs(r).max(axis=0))
    return Null(np.concatenate(maxima))


def intervals(
    units: Floats, feature: Floats, starts: NDArray[np.int64], draws: int = 1000, seed: int = 0
) -> tuple[Floats, Floats]:
    """Return the ends of the 95% interval of each unit's r over texts, (U,) each: texts are drawn with replacement.

    The percentile bootstrap over texts (Efron and Tibshirani 1993, chapter 13): words of one text belong together.

    Args:
        units: (W, U).
        feature: (W,).
        starts: (N + 1,), where each text begins, and W.
        draws: of as many texts.
        seed: of the draws.
    """
    rng = np.random.default_rng(seed)
    count = len(starts) - 1
    times = rng.multinomial(count, np.full(count, 1 / count), size=draws).astype(np.float64)  # (draws, N)
    x, f = units.astype(np.float64), feature.astype(np.float64)[:, None]
    x, f = x - x.mean(axis=0), f - f.mean()

    def sums(values: NDArray[np.float64]) -> NDArray[np.float64]:
        of_texts = np.add.reduceat(values, starts[:-1], axis=0)
        return np.asarray(times @ of_texts)  # (draws, K)

    words = times @ np.diff(starts)[:, None]
    mean_x, mean_f = sums(x) / words, sums(f) / words
    covariance = sums(x * f) / words - mean_x * mean_f
    variances = (sums(x * x) / words - mean_x**2) * (sums(f * f) / words - mean_f**2)
    r = np.where(variances > _CONSTANT**2, covariance / np.sqrt(np.maximum(variances, _CONSTANT**2)), 0)
    low, high = np.quantile(r, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return low.astype(np.float32), high.astype(np.float32)
