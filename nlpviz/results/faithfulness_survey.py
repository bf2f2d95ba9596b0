"""How faithful the orders of several methods are over many texts, compared with random and network-free orders.

Each text is read as G groups of neighbouring tokens, few enough for all 2^G sets of groups to be read. So the best
order, the worst one and the mean over all random orders are those there are and no estimates. Values are normalised by
the best and the worst order of each text (Edin et al. 2024; :mod:`nlpviz.results.faithfulness` has the definitions),
without which they compare neither across texts nor across networks.

An order may owe its value to where in the text its words stand: rationales of film reviews stand at their ends. So
orders are compared within fifths of a text as well: of each fifth, cut into four groups, its groups alone are removed
in each order, and what is gained over the worst order of these is summed over the fifths,

    within fifths = (sum of values - sum of worst) / (sum of best - sum of worst)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.deletion import Estimate
from nlpviz.results.faithfulness import ALIKE, Floats
from nlpviz.stats.significance import Interval, benjamini_hochberg, mid_p, wilson

FIFTHS = 5
MEASURES = ("comprehensiveness", "sufficiency", "within fifths")
BASELINES = ("log-count-ratio", "later", "earlier")
"""Orders that asked no network."""
_RESAMPLED, _SEED = 2000, 0


class Wins(NamedTuple):
    """In which share of the texts an order is better than most random ones: 0.5 by chance.

    Attributes:
        share: of the texts in which something is at stake; half of those that are level.
        interval: Wilson's, 95%.
        p: of a sign test, mid-p, two-sided.
    """

    share: float
    interval: Interval
    p: float


@dataclass(frozen=True)
class FaithfulnessSurvey:
    """What M orders reach on N texts, for the class that one network predicts.

    Attributes:
        run: whose network was asked.
        epoch: of its weights.
        ids: of the texts, in their corpus.
        tokens: int32 (N,), how many were read.
        groups: G.
        orders: names of the methods, and of the baselines that asked no network.
        comprehensiveness: (N, M).
        sufficiency: (N, M).
        beaten: (N, M), which share of the random orders has a lower comprehensiveness; ties count half.
        within: (N, M), normalised within fifths; not a number where nothing is at stake.
        best: (N, 2), the highest comprehensiveness and the lowest sufficiency of all orders.
        worst: (N, 2), the others.
        random: (N, 2), the mean over all orders.
        within_random: (N,), the mean of ``within`` over all orders.
        shares: (M, 5), the share of the magnitudes of an order's scores in each fifth of a text, on average.
        seed: of the sample of texts.
    """

    run: str
    epoch: int
    ids: tuple[str, ...]
    tokens: NDArray[np.int32]
    groups: int
    orders: tuple[str, ...]
    comprehensiveness: Floats
    sufficiency: Floats
    beaten: Floats
    within: Floats
    best: Floats
    worst: Floats
    random: Floats
    within_random: Floats
    shares: Floats
    seed: int

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse arrays of other texts or orders."""
        count, shape = len(self.ids), (len(self.ids), len(self.orders))
        cells = (self.comprehensiveness, self.sufficiency, self.beaten, self.within)
        ends = (self.best, self.worst, self.random)
        if any(one.shape != shape for one in cells) or any(one.shape != (count, 2) for one in ends):
            raise ValueError("a faithfulness survey needs one number per text and order")
        if self.shares.shape != (len(self.orders), FIFTHS) or self.within_random.shape != (count,):
            raise ValueError("a faithfulness survey needs five shares per order and one mean per text")
        for array in (self.tokens, *cells, *ends, self.within_random, self.shares):
            array.setflags(write=False)

    @property
    def at_stake(self) -> NDArray[np.bool_]:
        """In which texts best and worst order differ, (N,): the others have nothing to normalise by."""
        return np.asarray(self.best[:, 0] - self.worst[:, 0] > ALIKE)

    def values(self, measure: str) -> tuple[Floats, Floats]:
        """Return the normalised values of the orders (N', M) and of random orders on average (N',).

        Args:
            measure: ``"comprehensiveness"``, ``"sufficiency"``, or ``"within fifths"``; of texts with something at
                stake. Deletion and insertion, normalised, are the first two.

        Raises:
            ValueError: if it is another one.
        """
        if measure == "within fifths":
            kept = ~np.isnan(self.within_random)
            return self.within[kept], self.within_random[kept]
        place = ("comprehensiveness", "sufficiency").index(measure)
        raw, kept = (self.comprehensiveness, self.sufficiency)[place], self.at_stake
        worst = self.worst[kept, place]
        span = self.best[kept, place] - worst
        return (raw[kept] - worst[:, np.newaxis]) / span[:, np.newaxis], (self.random[kept, place] - worst) / span

    def of(self, order: str, measure: str) -> Estimate:
        """Return the mean normalised value of an order, with a bootstrap interval over texts."""
        return _estimate(self.values(measure)[0][:, self.orders.index(order)])

    def at_random(self, measure: str) -> Estimate:
        """Return the same of random orders; by ``"wins"`` half, which needs no texts."""
        return Estimate(0.5, 0.5, 0.5) if measure == "wins" else _estimate(self.values(measure)[1])

    def gained(self, order: str, measure: str, over: str | None = None) -> Estimate:
        """Return by how much an order is above ``over``, by default random orders, text by text."""
        own, random = self.values(measure)
        other = random if over is None else own[:, self.orders.index(over)]
        return _estimate(own[:, self.orders.index(order)] - other)

    def wins(self, order: str) -> Wins:
        """Return how often an order is better than most random ones, by comprehensiveness."""
        beaten = self.beaten[self.at_stake, self.orders.index(order)]
        won, level = int((beaten > 0.5).sum()), int((beaten == 0.5).sum())
        share = (won + level / 2) / max(len(beaten), 1)
        return Wins(share, wilson(share, len(beaten)), mid_p(won, len(beaten) - won - level))

    def cell(self, order: str, measure: str) -> tuple[Estimate, Estimate]:
        """Return what an order reaches by a measure, or by ``"wins"``, and how far that is above random orders."""
        if measure == "wins":
            share, (low, high), _ = self.wins(order)
            return Estimate(share, low, high), Estimate(share - 0.5, low - 0.5, high - 0.5)
        return self.of(order, measure), self.gained(order, measure)


def told_apart(surveys: list[FaithfulnessSurvey]) -> dict[tuple[str, str], int]:
    """Return whether each run's orders beat a random order significantly often: 1, 0 (no difference shown), or −1.

    The sign tests of all cells are held to a false discovery rate of 5% together (Benjamini and Hochberg 1995).
    """
    cells = [(survey, order) for survey in surveys for order in survey.orders]
    wins = [survey.wins(order) for survey, order in cells]
    adjusted = benjamini_hochberg(np.array([one.p for one in wins])) if wins else np.empty(0)
    return {
        (survey.run, order): 0 if p >= 0.05 else 1 if won.share > 0.5 else -1
        for (survey, order), won, p in zip(cells, wins, adjusted.tolist(), strict=True)
    }


def by_value(surveys: Sequence[FaithfulnessSurvey], measure: str) -> list[str]:
    """Return the orders of all: methods by their mean over the runs, the best first, then baselines."""
    names = list(dict.fromkeys(name for survey in surveys for name in survey.orders))
    means = {}
    for name in names:
        values = [one.cell(name, measure)[0].mean for one in surveys if name in one.orders]
        known = [value for value in values if not np.isnan(value)]
        means[name] = sum(known) / len(known) if known else -1.0
    return sorted(names, key=lambda name: (name in BASELINES, -means[name]))


def _estimate(values: Floats) -> Estimate:
    return _estimated(np.ascontiguousarray(values).tobytes(), values.dtype)


@lru_cache(maxsize=2048)  # a page asks for hundreds of them at each rerun
def _estimated(numbers: bytes, dtype: np.dtype[np.floating]) -> Estimate:
    values = np.frombuffer(numbers, dtype)
    if not len(values):
        return Estimate(float("nan"), float("nan"), float("nan"))
    low, high = np.percentile(_drawn(len(values)) @ values, (2.5, 97.5))
    return Estimate(float(values.mean()), float(low), float(high))


@lru_cache(maxsize=8)
def _drawn(count: int) -> Floats:
    """Return the share of each of ``count`` texts in each of the samples drawn with replacement, (2000, N)."""
    return np.random.default_rng(_SEED).multinomial(count, np.full(count, 1 / count), size=_RESAMPLED) / count
