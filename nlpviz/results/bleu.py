"""BLEU from sentence statistics: what one number for a corpus hides, and whether one translator is better.

Koehn (2004), *Statistical Significance Tests for Machine Translation Evaluation*: test sets of the same size are drawn
from the sentences with replacement, the same ones for both translators.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.stats.significance import Interval

ORDERS = 4
"""N-grams of one to so many words are counted."""
DRAWS = 1_000


@dataclass(frozen=True)
class BleuStatistics:
    """What BLEU adds up over N sentences.

    Attributes:
        correct: int32 (N, 4), n-grams of each order that are in the reference as well.
        total: int32 (N, 4), n-grams of the translation.
        length: int32 (N,), words of the translation.
        reference: int32 (N,), words of the reference.
    """

    correct: NDArray[np.int32]
    total: NDArray[np.int32]
    length: NDArray[np.int32]
    reference: NDArray[np.int32]

    def of(self, positions: NDArray[np.integer]) -> BleuStatistics:
        """Return what is added up over the sentences at ``positions`` alone."""
        return BleuStatistics(*(getattr(self, one.name)[positions] for one in fields(self)))

    def score(self, weights: NDArray[np.number] | None = None) -> NDArray[np.float64]:
        """Return BLEU, 0 to 100, of all sentences or of R drawn test sets, (R,); 0 where an order has no match.

        Args:
            weights: (R, N), how often each sentence is in each test set; None for each once.
        """
        if weights is None:
            weights = np.ones((1, len(self.length)))
        counts = np.column_stack([self.correct, self.total, self.length, self.reference]).astype(np.float64)
        added = weights.astype(np.float64, copy=False) @ counts  # whole numbers are exact, and faster than as integers
        correct, total, length, reference = added[:, :ORDERS], added[:, ORDERS:-2], added[:, -2], added[:, -1]
        with np.errstate(divide="ignore", invalid="ignore"):
            precisions = np.exp(np.log(correct / total).mean(axis=1))
            brevity = np.exp(np.minimum(0, 1 - reference / length))
        return np.asarray(100 * np.nan_to_num(precisions * brevity))


class BleuDifference(NamedTuple):
    """Two translators on the same sentences: BLEU of the first less the second's, its 95% interval, two-sided p."""

    difference: float
    interval: Interval
    p: float

    @property
    def significant(self) -> bool:
        """Whether the difference is significant over the drawn test sets."""
        return not self.interval.low <= 0 <= self.interval.high


class LengthDifference(NamedTuple):
    """How two translators differ on the sentences whose reference has ``shortest`` to ``longest`` words."""

    shortest: int
    longest: int
    sentences: int
    difference: BleuDifference


class ChangedSetting(NamedTuple):
    """Two translators that were made alike but for one setting.

    Attributes:
        runs: the names of both, with a comma between them.
        setting: what it is called.
        before: its value in the first one.
        after: its value in the second one.
        first: the title of the first one.
        second: the title of the second one.
        whole: BLEU of the second less that of the first, on all sentences.
        by_length: the same in groups of sentences, from short to long.
    """

    runs: str
    setting: str
    before: str
    after: str
    first: str
    second: str
    whole: BleuDifference
    by_length: tuple[LengthDifference, ...]

    @property
    def title(self) -> str:
        """What was changed: ``"input feeding: off → on"``."""
        return f"{self.setting}: {self.before} → {self.after}"


def paired_bootstrap(first: BleuStatistics, second: BleuStatistics, seed: int = 0) -> BleuDifference:
    """Return how two translators of the same sentences differ, from :data:`DRAWS` drawn test sets.

    Raises:
        ValueError: if they did not translate as many sentences.
    """
    count = len(first.length)
    if len(second.length) != count:
        raise ValueError(f"{count} sentences and {len(second.length)} do not match")
    weights = _drawn(count, seed)
    gaps = first.score(weights) - second.score(weights)
    low, high = np.percentile(gaps, [2.5, 97.5]).tolist()
    p = min(1.0, 2 * float(min((gaps <= 0).mean(), (gaps >= 0).mean())))
    return BleuDifference(float(first.score()[0] - second.score()[0]), Interval(low, high), p)


@lru_cache(maxsize=16)
def _drawn(count: int, seed: int) -> NDArray[np.uint16]:
    """Return how often each of ``count`` sentences is in each drawn test set, (DRAWS, N): a page compares dozens."""
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=DRAWS).astype(np.uint16)
    drawn.setflags(write=False)
    return drawn


def differences_by_length(
    first: BleuStatistics, second: BleuStatistics, groups: int = 5
) -> tuple[LengthDifference, ...]:
    """Return how two translators differ on short and on long sentences, in groups of about as many sentences.

    Sentences are sorted by the words of their reference, and those of one length are in one group.
    """
    lengths = first.reference
    edges = np.unique(np.quantile(lengths, np.linspace(0, 1, groups + 1)[1:-1], method="lower"))
    group = np.searchsorted(edges, lengths)  # (N,); a length that is an edge ends its group
    found = []
    for one in np.unique(group):
        positions = np.flatnonzero(group == one)
        difference = paired_bootstrap(first.of(positions), second.of(positions))
        some = lengths[positions]
        found.append(LengthDifference(int(some.min()), int(some.max()), len(positions), difference))
    return tuple(found)
