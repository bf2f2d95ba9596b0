"""Which units of a network follow a feature of the text: correlations, their null distribution, and ablation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.states import HIDDEN_STATE
from nlpviz.stats.significance import PairedDifference

CELL_STATE = "cell state"
UNIT_PARTS = (HIDDEN_STATE, CELL_STATE)
"""What is searched, where a network has it."""
_LETTERS = {HIDDEN_STATE: "h", CELL_STATE: "c"}
RANKED = 24
"""Units of which more than their correlation is kept: the first of a search."""


class Unit(NamedTuple):
    """One number of a network's state.

    Attributes:
        part: of :data:`UNIT_PARTS`.
        layer: from 0.
        number: within its layer, from 0.
        layers: of the network.
    """

    part: str
    layer: int
    number: int
    layers: int = 1

    @property
    def id(self) -> str:
        """How an address names it: ``"h17"``, ``"c17"``; of several layers ``"h2-17"`` in the second."""
        return f"{_LETTERS[self.part]}{f'{self.layer + 1}-' * (self.layers > 1)}{self.number}"


class Bins(NamedTuple):
    """A unit's mean where the feature has similar values.

    Attributes:
        feature: the feature's mean in each of B bins; NaN where a bin is missing.
        unit: the unit's mean there.
    """

    feature: NDArray[np.float32]
    unit: NDArray[np.float32]


class Largest(NamedTuple):
    """A word of a test document after which a unit's value was extreme.

    Attributes:
        ngram: the last words that had been read, five at most.
        document: its id in the corpus.
        value: of the unit.
    """

    ngram: str
    document: str
    value: float


@dataclass(frozen=True)
class UnitSearch:
    """How all U units of a network follow one feature, over the words of test documents.

    Attributes:
        run: whose network.
        epoch: of its weights.
        feature: its name.
        units: what was searched.
        r: (U,), Pearson's correlation of each unit with the feature; 0 where either never changes.
        low: (U,), of the 95% interval over documents; NaN where it was not computed.
        high: (U,), likewise.
        shifted: |r| that the best of all units stays below in 95% of the searches with courses shifted in their text.
        swapped: likewise with the courses of other texts; NaN where these are no others.
        p: the share of redrawn searches whose best unit is as good as this one's, by the null that finds better ones.
        words: how many words there are.
        documents: in how many documents.
        redraws: how often each null was drawn.
        mean: of the feature over all words.
        ever: whether the feature is ever different from one word to another.
        bins: of the first :data:`RANKED` units, by their ids.
    """

    run: str
    epoch: int
    feature: str
    units: tuple[Unit, ...]
    r: NDArray[np.float32]
    low: NDArray[np.float32]
    high: NDArray[np.float32]
    shifted: float
    swapped: float
    p: float
    words: int
    documents: int
    redraws: int
    mean: float
    ever: bool
    bins: dict[str, Bins]

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse numbers that do not match the units."""
        for array in (self.r, self.low, self.high):
            if array.shape != (len(self.units),):
                raise ValueError("a search needs one number per unit")
            array.setflags(write=False)

    @property
    def threshold(self) -> float:
        """The larger of the two nulls' 95% lines."""
        return self.shifted if np.isnan(self.swapped) else max(self.shifted, self.swapped)

    def ranked(self, count: int = RANKED) -> list[int]:
        """Return the positions of the ``count`` units that follow the feature most closely, the closest first."""
        return [int(position) for position in np.argsort(-np.abs(self.r), kind="stable")[:count]]

    @property
    def best(self) -> int:
        """The position of the unit with the largest absolute r."""
        return self.ranked(1)[0]

    def follows(self, position: int) -> bool:
        """Return whether a unit beats what the best of all units reaches by chance."""
        return self.ever and bool(abs(float(self.r[position])) > self.threshold)

    def position(self, unit_id: str) -> int | None:
        """Return the position of the unit called ``unit_id``; None where there is none."""
        return next((position for position, unit in enumerate(self.units) if unit.id == unit_id), None)

    @property
    def followers(self) -> int:
        """How many units beat the line."""
        return int((np.abs(self.r) > self.threshold).sum()) if self.ever else 0


class Ablation(NamedTuple):
    """What holding one unit's output at its mean does to the accuracy.

    Attributes:
        unit: as an output: a hidden state.
        held_at: its mean over test words.
        accuracy: with the unit held.
        change: of the accuracy, held less whole, on the same documents.
        random: whether the unit was drawn at random, to be compared with.
    """

    unit: Unit
    held_at: float
    accuracy: float
    change: PairedDifference
    random: bool


@dataclass(frozen=True)
class UnitSurvey:
    """What is kept of a run's units at one epoch.

    Attributes:
        searches: by feature.
        largest: where each unit that is ranked by some feature is largest and smallest, by its id; at the best epoch.
        ablations: by the unit's id; at the best epoch.
        accuracy: of the whole network over the documents of the ablations; NaN without these.
        documents: of the ablations.
    """

    searches: dict[str, UnitSearch]
    largest: dict[str, tuple[Largest, ...]]
    ablations: dict[str, Ablation]
    accuracy: float
    documents: int

    def ablation(self, unit: Unit) -> Ablation | None:
        """Return what holding a unit's output does, also where ``unit`` is its cell state; None where nobody tried."""
        return self.ablations.get(unit._replace(part=HIDDEN_STATE).id)

    @property
    def random(self) -> list[Ablation]:
        """The units drawn at random."""
        return [one for one in self.ablations.values() if one.random]
