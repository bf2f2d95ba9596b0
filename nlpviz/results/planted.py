"""Labels that were deliberately flipped before a training, and how many of them a ranking of suspects finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.stats.significance import Interval, PairedDifference, compare, wilson

RANKINGS = {
    "confidence": "mean confidence during training",
    "margin": "area under the margin",
    "loss": "final loss",
    "self": "self-influence",
}
"""What suspects are ranked by, and what people call it; the first is cartography's, ``loss`` the plain one.

Who planted flips before there was one of them does not have it.
"""
TOP = 0.1
"""The share of the training documents that count as found."""


class Found(NamedTuple):
    """How many flips are among the top suspects: their share of all flips, its 95% interval, and how many they are."""

    share: float
    interval: Interval
    flips: int


@dataclass(frozen=True)
class PlantedFlips:
    """A training with F of its N labels flipped, and where rankings of suspects have put them.

    Attributes:
        run: whose recipe was trained.
        share: of the training documents whose label was flipped.
        seed: that they were drawn with.
        documents: N, all that were trained on.
        moments: (M,), in epochs, at which they were asked about.
        accuracy: on the validation texts, whose labels are as they were, after the last epoch.
        ids: how the corpus calls those that were flipped.
        ranks: int32 (F,) by a name of :data:`RANKINGS`: how many documents are more suspect.
    """

    run: str
    share: float
    seed: int
    documents: int
    moments: tuple[float, ...]
    accuracy: float
    ids: tuple[str, ...]
    ranks: Mapping[str, NDArray[np.int32]]

    @property
    def rankings(self) -> tuple[str, ...]:
        """The names of the rankings that there are, as :data:`RANKINGS` orders them."""
        return tuple(name for name in RANKINGS if name in self.ranks)

    def found(self, ranking: str, top: float = TOP) -> Found:
        """Return how many flips are among the ``top`` share of suspects; by chance that share of them is."""
        among = self._among(ranking, top)
        return Found(float(among.mean()), wilson(float(among.mean()), len(among)), int(among.sum()))

    def compared(self, first: str, second: str, top: float = TOP) -> PairedDifference:
        """Return by how much more of the flips one ranking finds than another one, over the same flips."""
        return compare(self._among(first, top), self._among(second, top))

    def curve(self, ranking: str, tops: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the share of the flips among each share of suspects in ``tops``."""
        return np.array([self._among(ranking, float(top)).mean() for top in tops])

    def _among(self, ranking: str, top: float) -> NDArray[np.bool_]:
        return np.asarray(self.ranks[ranking] < round(top * self.documents))


def ranks_of(order: NDArray[np.integer], positions: NDArray[np.integer]) -> NDArray[np.int32]:
    """Return how many documents stand before each of ``positions`` (F,) in an order (N,)."""
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return np.asarray(place[positions])
