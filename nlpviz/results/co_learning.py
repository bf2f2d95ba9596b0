"""Do several trainings learn, forget and doubt the same documents? What their maps of training have in common.

Toneva et al. (2019), section 4, find that which examples are forgotten hardly depends on the seed and much of it not on
the architecture; here the ranks of documents in one training are correlated with those in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.cartography import NEVER, Cartography
from nlpviz.results.likeness import chain
from nlpviz.stats.rank_correlation import rank_correlations

MEASURES = {"confidence": "mean confidence", "first": "first correct", "forgotten": "forgetting events"}
"""By what documents are ranked in each training, and what people call it."""


@dataclass(frozen=True)
class LearntTogether:
    """N documents that R trainings have all logged.

    Attributes:
        titles: of the R runs, as people call them.
        ids: of the documents.
        labels: int (N,), indices into the class names.
        first: (R, N), the moment, in epochs, at which each was first right; :data:`NEVER` for none.
        forgotten: (R, N), how often each was forgotten.
        confidence: (R, N), the mean probability of its label.
    """

    titles: tuple[str, ...]
    ids: tuple[str, ...]
    labels: NDArray[np.integer]
    first: NDArray[np.float32]
    forgotten: NDArray[np.integer]
    confidence: NDArray[np.float32]

    @classmethod
    def of(cls, titles: Sequence[str], found: Sequence[Cartography]) -> LearntTogether:
        """Return what R trainings have in common, in the order of the first one's documents.

        Raises:
            ValueError: if there is none, or a log has no ids.
        """
        if not found or any(not one.log.ids for one in found):
            raise ValueError("both logs must have document ids")
        places = [{name: at for at, name in enumerate(one.log.ids)} for one in found]
        ids = tuple(name for name in found[0].log.ids if all(name in place for place in places))
        rows = [np.array([place[name] for name in ids], dtype=np.intp) for place in places]
        every = list(zip(found, rows, strict=True))
        return cls(
            titles=tuple(titles),
            ids=ids,
            labels=found[0].log.labels[rows[0]],
            first=np.stack([one.first_learnt[at] for one, at in every]),
            forgotten=np.stack([one.forgotten[at] for one, at in every]),
            confidence=np.stack([one.confidence[at] for one, at in every]),
        )

    def led_by(self, at: int) -> LearntTogether:
        """Return the same with the run at this position first."""
        order = [at, *(one for one in range(len(self.titles)) if one != at)]
        rows = {name: getattr(self, name)[order] for name in ("first", "forgotten", "confidence")}
        return replace(self, titles=tuple(self.titles[one] for one in order), **rows)

    @cached_property
    def correlations(self) -> dict[str, NDArray[np.float64]]:
        """Spearman's rank correlations of the trainings two by two, (R, R), by each of :data:`MEASURES`.

        It is not a number where a training has no order. What was never right is later than all that was.
        """
        finite = np.where(self.first == NEVER, np.float32(1e9), self.first)
        values = {"first": finite, "forgotten": self.forgotten, "confidence": self.confidence}
        return {name: rank_correlations(by) for name, by in values.items()}

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The positions of each two trainings."""
        return list(combinations(range(len(self.titles)), 2))

    def ranked(self, measure: str) -> list[tuple[float, tuple[int, int]]]:
        """Return the correlation of each two trainings that have an order, with their positions, the lowest first."""
        known = [(float(self.correlations[measure][pair]), pair) for pair in self.pairs]
        return sorted(one for one in known if not np.isnan(one[0]))

    def by_likeness(self, measure: str) -> list[int]:
        """Return the positions of the R, the first one first, so that those that rank alike stand together."""
        return chain(self.correlations[measure], 0)

    @property
    def wrong_in(self) -> NDArray[np.int64]:
        """In how many of the trainings each document was never predicted rightly, (N,)."""
        return np.asarray((self.first == NEVER).sum(axis=0))

    @property
    def never(self) -> NDArray[np.bool_]:
        """Which documents no training ever predicted rightly, (N,)."""
        return np.asarray((self.first == NEVER).all(axis=0))

    @property
    def never_by_chance(self) -> float:
        """How many documents no training would predict rightly were the trainings' failures independent."""
        return float(np.prod((self.first == NEVER).mean(axis=1)) * len(self.ids))

    @property
    def least_believed(self) -> NDArray[np.intp]:
        """All documents, (N,): those first whose label the trainings believe least, by the mean of their ranks."""
        ranks = np.argsort(np.argsort(self.confidence, axis=1, kind="stable"), axis=1, kind="stable")
        return np.argsort(ranks.mean(axis=0), kind="stable")
