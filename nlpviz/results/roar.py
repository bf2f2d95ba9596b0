"""The accuracy of networks that were trained without the words that a method ranks highest.

Hooker, Erhan, Kindermans and Kim (2019), *A Benchmark for Interpretability Methods in Deep Neural Networks*: remove and
retrain (ROAR). A network that never saw whole texts is not surprised by masked ones, so that what it loses is what the
masked words held, and not the shock of the mask.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.stats.significance import LEVEL, Interval, benjamini_hochberg, mean_interval, wilson

WHOLE, RANDOM, WORD_LIST = "whole", "random", "log-count-ratio"
"""Orders that are no method's: nothing masked; words drawn at random; those first that a word list weighs most."""
SHARES = (0.1, 0.3, 0.5, 0.7)
"""Of a text's words that are masked."""


class Retraining(NamedTuple):
    """One training: whose order the words were masked in, which share of them, and the seed of the training."""

    order: str
    share: float
    seed: int


class TestAccuracy(NamedTuple):
    """The mean test accuracy over the seeds, its 95% interval (Wilson) over the texts, and each seed's own."""

    accuracy: float
    interval: Interval
    seeds: tuple[float, ...]


class Against(NamedTuple):
    """An order against random masks of the same share.

    Attributes:
        difference: of the mean accuracies, over the same texts: below 0 where the order's words were needed more.
        interval: of it, 95%, over the texts.
        p: that there is none, two-sided, adjusted for all comparisons of the run (Benjamini and Hochberg).
        every_seed: whether each of the order's trainings is on the same side of each random one.
    """

    difference: float
    interval: Interval
    p: float
    every_seed: bool

    @property
    def below(self) -> bool:
        """Whether accuracy is below random: by the test, and with every seed."""
        return self.difference < 0 and self.p < LEVEL and self.every_seed

    @property
    def above(self) -> bool:
        """Whether accuracy is above random: by the test, and with every seed."""
        return self.difference > 0 and self.p < LEVEL and self.every_seed


@dataclass(frozen=True)
class Roar:
    """C trainings of one network on masked texts, each asked about the same N test texts, masked likewise.

    Attributes:
        run: whose network said what is important.
        epoch: of its weights.
        ids: of the test texts.
        cells: one for each training.
        right: bool (C, N): whether it classified the text rightly.
        texts: how many were trained on.
        validation: how many were held out, to choose the epoch on.
        tokens: read of a text, at most.
        epochs: passes over the training texts, at most.
        seconds: of all trainings together.
        device: that they ran on.
    """

    run: str
    epoch: int
    ids: tuple[str, ...]
    cells: tuple[Retraining, ...]
    right: NDArray[np.bool_]
    texts: int
    validation: int
    tokens: int
    epochs: int
    seconds: float
    device: str

    def __post_init__(self) -> None:
        """Make the array read-only; refuse one of other trainings or texts."""
        if self.right.shape != (len(self.cells), len(self.ids)):
            raise ValueError("ROAR needs one result per training run and test text")
        self.right.setflags(write=False)

    @property
    def methods(self) -> tuple[str, ...]:
        """The orders that are compared with random masks, in the order of their trainings."""
        return tuple(dict.fromkeys(cell.order for cell in self.cells if cell.order not in (WHOLE, RANDOM)))

    @property
    def shares(self) -> tuple[float, ...]:
        """The shares of the words that were masked, ascending."""
        return tuple(sorted({cell.share for cell in self.cells if cell.order != WHOLE}))

    @property
    def seeds(self) -> tuple[int, int]:
        """How many seeds were trained with: of each order, and of random masks."""
        of_random = {cell.seed for cell in self.cells if cell.order == RANDOM}
        return len({cell.seed for cell in self.cells if cell.order in self.methods}), len(of_random)

    @property
    def seeds_said(self) -> str:
        """The same in words: ``"1 seed per order, 3 for random masks"``."""
        own, random = self.seeds
        return f"{own} seed{'s' * (own != 1)} per order" + (f", {random} for random masks" if random != own else "")

    def reached(self, order: str, share: float = 0.0) -> TestAccuracy:
        """Return the accuracy of the trainings with a share of the words masked in an order.

        Raises:
            KeyError: if there are none.
        """
        each = self._right(order, share).mean(axis=1)
        return TestAccuracy(float(each.mean()), wilson(float(each.mean()), len(self.ids)), tuple(map(float, each)))

    def against(self, order: str, share: float) -> Against:
        """Return how an order compares with random masks of the same share."""
        return self._against[order, share]

    def below(self, share: float) -> tuple[str, ...]:
        """Return the orders that are below random at a share."""
        return tuple(order for order in self.methods if self.against(order, share).below)

    @cached_property
    def _against(self) -> dict[tuple[str, float], Against]:
        found: dict[tuple[str, float], Against] = {}
        for order in self.methods:
            for share in self.shares:
                own, random = self._right(order, share), self._right(RANDOM, share)
                differences = own.mean(axis=0) - random.mean(axis=0)
                low, high = own.mean(axis=1), random.mean(axis=1)
                apart = bool(low.max() < high.min() or low.min() > high.max())
                mean, interval = float(differences.mean()), mean_interval(differences)
                found[order, share] = Against(mean, interval, _p(differences), apart)
        adjusted = benjamini_hochberg(np.array([one.p for one in found.values()])) if found else ()
        return {key: one._replace(p=float(p)) for (key, one), p in zip(found.items(), adjusted, strict=True)}

    def _right(self, order: str, share: float) -> NDArray[np.bool_]:
        """Return the answers of all seeds (S, N)."""
        rows = [at for at, cell in enumerate(self.cells) if (cell.order, cell.share) == (order, share)]
        if not rows:
            raise KeyError(f"no training run masks {share:.0%} of the tokens by {order!r}")
        return self.right[rows]


def cells(
    methods: Sequence[str], seeds: int, shares: Sequence[float] = SHARES, random_seeds: int = 0
) -> tuple[Retraining, ...]:
    """Return the trainings that compare ``methods`` with random masks, all of one seed before those of the next.

    With random masks and with none there may be more seeds, ``random_seeds``: they say how far trainings differ.
    """
    orders = (RANDOM, *methods)
    pairs = [(WHOLE, 0.0), *((order, share) for share in shares for order in orders)]
    more = [pair for pair in pairs if pair[0] in (WHOLE, RANDOM)]
    return tuple(
        Retraining(order, share, seed)
        for seed in range(max(seeds, random_seeds))
        for order, share in (pairs if seed < seeds else more)
    )


def _p(differences: NDArray[np.floating]) -> float:
    """Return the two-sided p of a mean of N independent differences, by the normal law."""
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    if not spread:
        return 1.0
    return math.erfc(abs(float(differences.mean())) / spread * math.sqrt(len(differences) / 2))
