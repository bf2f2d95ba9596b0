"""How many of a document's nearest neighbours change in another space, compared with retraining from another seed.

Neighbours in common, of a word's ten nearest, are the stability of Wendlandt, Kummerfeld and Mihalcea (2018), *Factors
Influencing the Surprising Instability of Word Embeddings*, section 3; here a document's, and what is counted are those
that differ. Two trainings that differ in their seed alone differ in them, too: that is the noise that a change between
epochs or networks has to exceed before it is called one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nlpviz.stats.significance import Interval, mean_interval


class Verdict(Enum):
    """How a difference lies to the band of the seeds; the first alone may be called a change."""

    BEYOND = "larger than the seed range"
    WITHIN = "within the seed range"
    BELOW = "smaller than the seed range"
    UNKNOWN = "seed range unknown"


@dataclass(frozen=True)
class Difference:
    """Two spaces of the same N documents.

    Attributes:
        key: names the space that is compared with the common one.
        title: what people call it.
        changed: float32 (N,), the share of a document's k nearest neighbours that are others; not a number for a
            document that one of the spaces lacks.
    """

    key: str
    title: str
    changed: NDArray[np.float32]

    @cached_property
    def known(self) -> NDArray[np.float32]:
        """The shares of the documents that both spaces have."""
        return self.changed[~np.isnan(self.changed)]

    @property
    def mean(self) -> float:
        """The mean share of neighbours that are others, 0 to 1."""
        return float(self.known.mean(dtype=np.float64))

    @cached_property
    def interval(self) -> Interval:
        """The 95% interval of the mean over documents, taken as independent of each other, within 0 to 1."""
        low, high = mean_interval(self.known.astype(np.float64))
        return Interval(max(low, 0.0), min(high, 1.0))


@dataclass(frozen=True)
class NoiseFloor:
    """The differences due to the seed only: all pairs of some seeds of one recipe, or of several recipes.

    Attributes:
        pairs: one difference for each two seeds, one at least, of the same documents.
        recipes: what people call the recipes whose seeds these are.
    """

    pairs: tuple[Difference, ...]
    recipes: tuple[str, ...] = ()

    @cached_property
    def band(self) -> Interval:
        """From the lowest end of a pair's interval to the highest: as far as these seeds tell."""
        found = [pair.interval for pair in self.pairs]
        return Interval(min(one.low for one in found), max(one.high for one in found))

    @property
    def mean(self) -> float:
        """The mean over the pairs."""
        return float(np.mean([pair.mean for pair in self.pairs]))

    @cached_property
    def most(self) -> NDArray[np.float32]:
        """The largest share that any pair changes of each document, (N,)."""
        return np.asarray(np.fmax.reduce([pair.changed for pair in self.pairs]))

    @cached_property
    def exceeded_by_chance(self) -> float | None:
        """The mean share of documents that one pair changes more than every other pair does; None of one pair."""
        if len(self.pairs) < 2:
            return None
        shares = []
        for place, pair in enumerate(self.pairs):
            others = np.fmax.reduce([one.changed for at, one in enumerate(self.pairs) if at != place])
            shares.append(float(np.mean(pair.changed > others)))
        return float(np.mean(shares))

    def verdict(self, found: Difference) -> Verdict:
        """Return how a difference lies to the band: beyond it where its whole interval is."""
        if found.interval.low > self.band.high:
            return Verdict.BEYOND
        return Verdict.BELOW if found.interval.high < self.band.low else Verdict.WITHIN

    def moved(self, found: Difference) -> NDArray[np.bool_]:
        """Return of which documents more neighbours are others than between any two of the seeds, (N,)."""
        return np.asarray(found.changed > self.most)


@dataclass(frozen=True)
class ComparedSpace:
    """A difference with its noise floor.

    Attributes:
        group: ``"epochs"``, ``"seeds"`` or ``"networks"``.
        found: the difference.
        floor: of the recipes that have several seeds, of the two; None where neither has.
    """

    group: str
    found: Difference
    floor: NoiseFloor | None

    @property
    def verdict(self) -> Verdict:
        """How the difference lies to its floor."""
        return Verdict.UNKNOWN if self.floor is None else self.floor.verdict(self.found)

    @property
    def movers(self) -> NDArray[np.intp]:
        """The documents of both spaces, the largest excess over the floor first, then the largest change."""
        changed = self.found.changed
        over = changed if self.floor is None else changed - self.floor.most
        order = np.lexsort((-changed, -over))
        return order[~np.isnan(changed[order])]


@dataclass(frozen=True)
class Drift:
    """What one space of N documents is compared with.

    Attributes:
        run: whose.
        title: what people call it.
        epoch: of the space.
        neighbours: k.
        ids: of the documents.
        labels: int (N,).
        compared: with other epochs of the run, other seeds of its recipe, and other networks.
        floor: of the run's own recipe; None where one seed of it is known alone.
        seeds: of its recipe, this run's among them.
        repeatable: whether the command ``seeds`` can train another one.
    """

    run: str
    title: str
    epoch: int
    neighbours: int
    ids: tuple[str, ...]
    labels: NDArray[np.integer]
    compared: tuple[ComparedSpace, ...]
    floor: NoiseFloor | None
    seeds: tuple[int, ...]
    repeatable: bool = True

    @property
    def by_chance(self) -> float:
        """The share of neighbours that differ between two spaces that have nothing to do with each other."""
        return 1 - self.neighbours / max(len(self.ids) - 1, 1)

    def group(self, name: str) -> tuple[ComparedSpace, ...]:
        """Return what belongs to a group."""
        return tuple(one for one in self.compared if one.group == name)


def changed_share(first: NDArray[np.integer], second: NDArray[np.integer]) -> NDArray[np.float32]:
    """Return the share of each document's k neighbours in the first space that are none in the second, (N,).

    Args:
        first: (N, k), positions of neighbours.
        second: (N, k), of the same documents in the same order.

    Raises:
        ValueError: if the two are not of one shape.
    """
    if first.shape != second.shape:
        raise ValueError("compared spaces must have the same documents and numbers of neighbours")
    marked = np.zeros((len(first), len(first)), dtype=bool)
    np.put_along_axis(marked, first.astype(np.intp), True, axis=1)
    shared = np.take_along_axis(marked, second.astype(np.intp), axis=1).sum(axis=1)
    return np.asarray(1 - shared / first.shape[1], dtype=np.float32)


def floor_of(recipe: str, titles: Sequence[str], spaces: Sequence[NDArray[np.integer]]) -> NoiseFloor | None:
    """Return the floor of the seeds of one recipe; None of one alone.

    Args:
        recipe: what people call it.
        titles: of the S seeds.
        spaces: (N, k) neighbours of each.
    """
    pairs = [
        Difference(f"{first}-{second}", f"{titles[first]} and {titles[second]}", changed_share(*both))
        for first in range(len(spaces))
        for second in range(first + 1, len(spaces))
        for both in [(spaces[first], spaces[second])]
    ]
    return NoiseFloor(tuple(pairs), (recipe,)) if pairs else None
