"""The trustworthiness of a map, compared with chance, and the word for it.

There are two chance levels. A *random layout* ignores the vectors: its trustworthiness follows from how many points and
neighbours there are. *Random vectors*, as many and as long, have no neighbourhoods worth keeping, and the projector
still keeps some of them: measured by ``docs/chance.py``, in ``chance.csv``.
"""

from __future__ import annotations

import csv
from functools import lru_cache
from math import isnan, log, nan
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from nlpviz.results.projection import Projection, WordMap

Verdict = Literal["poor", "fair", "good"]
FAIR, GOOD = 0.5, 0.75
"""Of the way from chance to 1: what a map must have gone to be called fair, or good. A convention of this project."""
PERPLEXITY = 30.0
"""Of the maps in ``chance.csv``: of others, nothing is known of random vectors."""
_TABLE = Path(__file__).with_name("chance.csv")


class Trust(NamedTuple):
    """The trustworthiness of a map, and what it is to be compared with.

    Attributes:
        value: of the map, 0 to 1 (Venna and Kaski 2001).
        layout: what points strewn at random reach.
        vectors: what the projector reaches with as many random vectors of as many numbers; NaN where nobody measured.
    """

    value: float
    layout: float
    vectors: float

    @property
    def chance(self) -> float:
        """The higher one of both chances, as far as they are known."""
        return self.layout if isnan(self.vectors) else max(self.layout, self.vectors)

    @property
    def verdict(self) -> Verdict:
        """What to call the map, by how much of the way from chance to 1 it has gone."""
        gone = (self.value - self.chance) / (1 - self.chance)
        return "poor" if gone < FAIR else "fair" if gone < GOOD else "good"

    @property
    def chances(self) -> str:
        """Both chances, short: ``"0.50 / 0.59"``, with a dash for what is not known."""
        return f"{self.layout:.2f} / {'–' if isnan(self.vectors) else f'{self.vectors:.2f}'}"

    @property
    def compared(self) -> str:
        """What chance reaches, in words: ``"0.50 for a random layout, 0.59 for random vectors"``."""
        vectors = "" if isnan(self.vectors) else f", {self.vectors:.2f} for random vectors"
        return f"{self.layout:.2f} for a random layout{vectors}"


def trust_of(one: Projection | WordMap) -> Trust:
    """Return the trustworthiness of a map beside what chance reaches."""
    points = len(one.coordinates)
    usual = one.perplexity is None or abs(one.perplexity - min(PERPLEXITY, (points - 1) / 3)) < 1e-6
    kind = (one.projector, one.dimensions)
    scaled = isinstance(one, WordMap)  # a word is mapped by the direction of its vector
    vectors = random_vectors(*kind, points, one.features, scaled=scaled) if usual else nan
    return Trust(one.trustworthiness, random_layout(points, one.neighbours), vectors)


def random_layout(points: int, neighbours: int) -> float:
    """Return the expected trustworthiness of points that were strewn without regard to their vectors.

    Each neighbour on such a map has any rank r from 1 to n - 1 in the original space, all alike, so that r - k, where
    it is above zero, is (n - k)(n - k - 1) / (2(n - 1)) on average; that in equation 1 of Venna and Kaski (2001).
    """
    beyond = (points - neighbours) * (points - neighbours - 1) / (points - 1)
    return 1 - beyond / (2 * points - 3 * neighbours - 1)


def random_vectors(projector: str, dimensions: int, points: int, features: int, *, scaled: bool = False) -> float:
    """Return the trustworthiness of a map of so many random vectors of so many numbers, about; NaN outside the table.

    Between the sizes that were measured it is interpolated, on logarithmic scales.

    Args:
        projector: its name.
        dimensions: of the map.
        points: how many vectors.
        features: how many numbers each has.
        scaled: whether all have length 1.
    """
    table = _measured().get((scaled, projector, dimensions))
    if table is None or not (table.points[0] <= points <= table.points[-1]):
        return nan
    if not table.features[0] <= features <= table.features[-1]:
        return nan
    by_points = [np.interp(log(features), np.log(table.features), row) for row in table.values]
    return float(np.interp(log(points), np.log(table.points), by_points))


class _Table(NamedTuple):
    """What was measured of one projector: a row for each number of points, a column for each number of features."""

    points: tuple[int, ...]
    features: tuple[int, ...]
    values: tuple[tuple[float, ...], ...]


@lru_cache(maxsize=1)
def _measured() -> dict[tuple[bool, str, int], _Table]:
    """Return the table of each projector and number of dimensions, for vectors of length 1 and others."""
    known: dict[tuple[bool, str, int], dict[tuple[int, int], float]] = {}
    with _TABLE.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            own = known.setdefault((row["scaled"] == "yes", row["projector"], int(row["dimensions"])), {})
            own[int(row["points"]), int(row["features"])] = float(row["trustworthiness"])
    return {kind: _table(own) for kind, own in known.items()}


def _table(own: dict[tuple[int, int], float]) -> _Table:
    points, features = (tuple(sorted({key[axis] for key in own})) for axis in (0, 1))
    return _Table(points, features, tuple(tuple(own[count, size] for size in features) for count in points))
