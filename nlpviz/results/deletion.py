"""The effect of deleting tokens on predictions: the curve of one text, and how well methods order the tokens of many.

Both are summed up by the area over the perturbation curve, AOPC (Samek et al. 2017), at the shares and in the form of
DeYoung et al. (2020), *ERASER: A Benchmark to Evaluate Rationalized NLP Models*: with p_k the probability of the
predicted class without the first :data:`BINS` [k] of the tokens, and p_0 that of the whole text,

    AOPC = 1 / (K + 1) * sum over k from 0 to K of (p_0 - p_k),    K = 5

It is between -1 and 1: the higher, the sooner an order finds what the prediction rests on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

BINS = (0.01, 0.05, 0.1, 0.2, 0.5)
"""Shares of the tokens that are removed, as DeYoung et al. (2020) group them."""
MARGIN = 0.001
"""An AOPC that differs by no more than this is alike: a tenth of a percentage point."""
_RESAMPLED, _SEED = 2000, 0


def removed(shares: Sequence[float], tokens: int) -> NDArray[np.int64]:
    """Return how many of ``tokens`` each share is, rounded up, shape (K,)."""
    counts: NDArray[np.int64] = np.ceil(np.array(shares) * tokens).astype(np.int64)
    return counts


@dataclass(frozen=True)
class DeletionCurve:
    """What becomes of the target's probability as a text's tokens are removed, first those that matter most.

    Attributes:
        run: the run whose model reads the texts.
        epoch: of its weights.
        method: whose scores order the tokens.
        target: the name of the class.
        tokens: how many the whole text has.
        taken: int64 (S,), how many are removed; from 0 to all of them.
        probability: (S,), the target's, where the method orders the tokens.
        random: (R, S), the same where the order is random.
        seed: of the random orders.
        rises: whether another class is predicted, so that a good order raises the target's probability.
    """

    run: str
    epoch: int
    method: str
    target: str
    tokens: int
    taken: NDArray[np.int64]
    probability: NDArray[np.float32]
    random: NDArray[np.float32]
    seed: int
    rises: bool = False

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse curves of another length than ``taken``."""
        if self.probability.shape != self.taken.shape or self.random.shape[1:] != self.taken.shape:
            raise ValueError("a deletion curve needs one probability per number of removed tokens")
        for array in (self.taken, self.probability, self.random):
            array.setflags(write=False)

    @property
    def share(self) -> NDArray[np.float64]:
        """Which share of the tokens is removed, (S,), from 0 to 1; a text without tokens has nothing to remove."""
        return self.taken / max(self.tokens, 1)

    @property
    def aopc(self) -> float:
        """The AOPC of the method's order; where the probability should rise, of its rise."""
        return float(self._aopc(self.probability))

    @property
    def random_aopc(self) -> NDArray[np.float64]:
        """The AOPC of each random order, (R,)."""
        return self._aopc(self.random)

    @property
    def better(self) -> int:
        """How many random orders the method's order beats by more than :data:`MARGIN`."""
        return int((self.aopc - self.random_aopc > MARGIN).sum())

    @property
    def worse(self) -> int:
        """How many random orders beat the method's order by more than :data:`MARGIN`."""
        return int((self.random_aopc - self.aopc > MARGIN).sum())

    def _aopc(self, probability: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the AOPC of each curve (..., S), shape (...)."""
        steps = np.minimum(np.searchsorted(self.taken, removed(BINS, self.tokens)), len(self.taken) - 1)
        curve = probability.astype(np.float64)
        falls: NDArray[np.float64] = (curve[..., :1] - curve[..., steps]).sum(axis=-1) / (len(BINS) + 1)
        return -falls if self.rises else falls


class Estimate(NamedTuple):
    """A mean over reviews with its 95% interval, from the 2.5th to the 97.5th percentile of the bootstrap."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class DeletionSurvey:
    """How well M methods order the tokens of N texts, for the class that one network predicts.

    Attributes:
        run: whose network was asked.
        epoch: of its weights.
        ids: of the texts, in their corpus.
        tokens: int32 (N,), how many were read.
        orders: how many random orders each text has.
        methods: the names of the methods.
        aopc: (N, M), of each method's order.
        better: int32 (N, M), how many random orders it beats, as :attr:`DeletionCurve.better` counts them.
        random: (N,), the mean AOPC of the random orders.
    """

    run: str
    epoch: int
    ids: tuple[str, ...]
    tokens: NDArray[np.int32]
    orders: int
    methods: tuple[str, ...]
    aopc: NDArray[np.float32]
    better: NDArray[np.int32]
    random: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse arrays of other texts or methods."""
        shape = (len(self.ids), len(self.methods))
        if self.aopc.shape != shape or self.better.shape != shape or self.random.shape != shape[:1]:
            raise ValueError("a deletion survey needs one number per text and method")
        for array in (self.tokens, self.aopc, self.better, self.random):
            array.setflags(write=False)

    @property
    def best_first(self) -> tuple[str, ...]:
        """The methods by their mean AOPC, the highest first; of two that are level the earlier one."""
        order = np.argsort(-self.aopc.mean(axis=0), kind="stable")
        return tuple(self.methods[position] for position in order)

    def of(self, method: str) -> Estimate:
        """Return the mean AOPC of a method's orders."""
        return self._estimates[self.methods.index(method)]

    @property
    def at_random(self) -> Estimate:
        """The mean AOPC of the random orders."""
        return self._estimates[len(self.methods)]

    def gained(self, method: str, over: str | None = None) -> Estimate:
        """Return by how much a method's AOPC is above that of ``over``, by default of random orders, text by text."""
        other = self.random if over is None else self.aopc[:, self.methods.index(over)]
        return self._bootstrap((self.aopc[:, self.methods.index(method)] - other)[:, np.newaxis])[0]

    def beats_all(self, method: str) -> int:
        """Return in how many of the texts a method's order beats every random one."""
        return int((self.better[:, self.methods.index(method)] == self.orders).sum())

    @cached_property
    def _estimates(self) -> list[Estimate]:
        return self._bootstrap(np.column_stack([self.aopc, self.random]))

    def _bootstrap(self, values: NDArray[np.floating[Any]]) -> list[Estimate]:
        """Return the mean of each column (N, C) and its interval, texts drawn with replacement."""
        means = _shares(len(values)) @ values.astype(np.float64)  # (_RESAMPLED, C)
        low, high = np.percentile(means, (2.5, 97.5), axis=0)
        return [Estimate(*map(float, row)) for row in zip(values.mean(axis=0), low, high, strict=True)]


@lru_cache(maxsize=4)
def _shares(count: int) -> NDArray[np.float64]:
    """Return the share of each of ``count`` texts in each of the samples drawn with replacement, (_RESAMPLED, N)."""
    drawn = np.random.default_rng(_SEED).multinomial(count, np.full(count, 1 / count), size=_RESAMPLED)
    return drawn / count
