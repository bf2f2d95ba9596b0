"""How well the orders of several methods do on one text, between the best and the worst order that a search found.

A text is read as G groups of neighbouring tokens, each token by itself where there are few. With p_k the probability of
the predicted class without the first k groups of an order, q_k that with the first k groups alone, and p_0 = q_G that
of the whole text,

    comprehensiveness = 1/G * sum over k from 1 to G of (p_0 - p_k)        the higher the better
    sufficiency       = 1/G * sum over k from 1 to G of (p_0 - q_k)        the lower the better

as DeYoung et al. (2020), *ERASER*, define them, but at every step and not at five shares of the tokens. The areas under
the curves p and q, by the trapezoidal rule, are the deletion and insertion of Petsiuk, Das and Saenko (2018), *RISE*.

How high any order can get depends on the network and the text. Edin, Motzfeldt, Christensen, Ruotsalo, Maaløe and
Maistro (2024), *Normalized AOPC: Fixing Misleading Faithfulness Metrics for Feature Attribution Explainability*,
therefore say where between the worst and the best order a value lies:

    normalised = (value - worst) / (best - worst)

Without the first k groups of an order is with the first G - k of the reversed order alone. So the sufficiency of an
order is the comprehensiveness of the reversed one plus (q_0 - p_0) / G, which is the same for all orders: the worst
order for comprehensiveness, reversed, is the best one for sufficiency, and one search serves both. Deletion and
insertion differ from the two by what is the same for all orders as well, so that their normalised values are the same
numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ALIKE = 0.001
"""Best and worst order that differ by no more than this leave nothing to normalise by."""


@dataclass(frozen=True)
class Bounds:
    """The best and the worst order of a text's groups that a search found.

    Attributes:
        starts: int64 (G,), the position of each group's first token.
        tokens: how many tokens the text has.
        width: how many sets of groups the search kept at each step; 0 where it kept all, so that nothing is better.
        best: (G + 1,), the probability without the first k groups of the best order, from none to all.
        worst: the same of the worst order.
        readings: how many texts the network read for it.
    """

    starts: NDArray[np.int64]
    tokens: int
    width: int
    best: Floats
    worst: Floats
    readings: int

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse curves of another number of groups."""
        if self.best.shape != self.worst.shape or len(self.best) != len(self.starts) + 1:
            raise ValueError("the bounds need one probability per number of groups")
        for array in (self.starts, self.best, self.worst):
            array.setflags(write=False)

    @property
    def groups(self) -> int:
        """G."""
        return len(self.starts)


@dataclass(frozen=True)
class Faithfulness:
    """What becomes of a prediction in the orders of M methods and in R random ones, beside :class:`Bounds`.

    Attributes:
        run: whose network reads the text.
        epoch: of its weights.
        target: the name of the predicted class.
        methods: their names.
        removed: (M, G + 1), p_k of each method's order.
        kept: (M, G + 1), q_k of each method's order.
        random_removed: (R, G + 1), p_k of random orders.
        random_kept: (R, G + 1), q_k of the same.
        bounds: what the search found, or an order of these where that is better, or worse.
        seed: of the random orders.
    """

    run: str
    epoch: int
    target: str
    methods: tuple[str, ...]
    removed: Floats
    kept: Floats
    random_removed: Floats
    random_kept: Floats
    bounds: Bounds
    seed: int

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse arrays of other methods or groups."""
        steps = self.bounds.groups + 1
        if self.removed.shape != (len(self.methods), steps) or self.random_removed.shape[1:] != (steps,):
            raise ValueError("faithfulness needs one probability per order and number of groups")
        if self.kept.shape != self.removed.shape or self.random_kept.shape != self.random_removed.shape:
            raise ValueError("the orders in which groups are kept and removed must match")
        for array in (self.removed, self.kept, self.random_removed, self.random_kept):
            array.setflags(write=False)

    @property
    def comprehensiveness(self) -> Floats:
        """Of each method, (M,)."""
        return fall(self.removed)

    @property
    def sufficiency(self) -> Floats:
        """Of each method, (M,)."""
        return shortfall(self.kept)

    @property
    def deletion(self) -> Floats:
        """The area under each method's curve of deletion, (M,)."""
        return area(self.removed)

    @property
    def insertion(self) -> Floats:
        """The area under each method's curve of insertion, (M,)."""
        return area(self.kept)

    @property
    def random_comprehensiveness(self) -> Floats:
        """Of each random order, (R,)."""
        return fall(self.random_removed)

    @property
    def random_sufficiency(self) -> Floats:
        """Of each random order, (R,)."""
        return shortfall(self.random_kept)

    @property
    def random_deletion(self) -> Floats:
        """The area under each random order's curve of deletion, (R,)."""
        return area(self.random_removed)

    @property
    def random_insertion(self) -> Floats:
        """The area under each random order's curve of insertion, (R,)."""
        return area(self.random_kept)

    @property
    def areas(self) -> tuple[float, float]:
        """Deletion of the best order, which is insertion of the worst; insertion of the best, deletion of the worst.

        A curve and the same curve backwards have one area.
        """
        return float(area(self.bounds.best)), float(area(self.bounds.worst))

    @property
    def best(self) -> tuple[float, float]:
        """Comprehensiveness and sufficiency of the orders that are best for each."""
        return float(fall(self.bounds.best)), float(fall(self.bounds.worst) + self._turned)

    @property
    def worst(self) -> tuple[float, float]:
        """Comprehensiveness and sufficiency of the orders that are worst for each."""
        return float(fall(self.bounds.worst)), float(fall(self.bounds.best) + self._turned)

    def normalised(self, values: Floats, measure: int) -> Floats:
        """Return values of comprehensiveness (measure 0) or sufficiency (1) from 0, the worst order's, to 1, the best.

        They are not a number where best and worst order are alike.
        """
        best, worst = self.best[measure], self.worst[measure]
        if abs(best - worst) <= ALIKE:
            return np.full(np.shape(values), np.nan)
        result: Floats = (values - worst) / (best - worst)
        return result

    @property
    def _turned(self) -> float:
        """What the sufficiency of an order has over the comprehensiveness of the reversed one."""
        return float(self.bounds.best[-1] - self.bounds.best[0]) / max(self.bounds.groups, 1)


def fall(removed: NDArray[Any]) -> Floats:
    """Return the comprehensiveness of curves (..., G + 1) of what is left, shape (...)."""
    result: Floats = (removed[..., :1] - removed[..., 1:]).sum(axis=-1) / max(removed.shape[-1] - 1, 1)
    return result


def shortfall(kept: NDArray[Any]) -> Floats:
    """Return the sufficiency of curves (..., G + 1) of what is kept, shape (...)."""
    result: Floats = (kept[..., -1:] - kept[..., 1:]).sum(axis=-1) / max(kept.shape[-1] - 1, 1)
    return result


def area(curve: NDArray[Any]) -> Floats:
    """Return the area under curves (..., G + 1) over shares from 0 to 1, by the trapezoidal rule, shape (...)."""
    if curve.shape[-1] == 1:
        return np.asarray(curve[..., 0], np.float64)
    result: Floats = (curve[..., :-1] + curve[..., 1:]).sum(axis=-1) / (2 * (curve.shape[-1] - 1))
    return result
