"""How far a measured share can be trusted, and whether one classifier is better than another on the same documents.

* An interval of a share: Wilson (1927), *Probable Inference, the Law of Succession, and Statistical Inference*.
* Two classifiers on the same documents: McNemar's test as mid-p, which keeps to its level closely where the exact test
  is conservative (Fagerland, Lydersen and Laake 2013, *The McNemar test for binary matched-pairs data: mid-p and
  asymptotic are better than exact conditional*).
* The interval of their difference: Bonett and Price (2012), *Adjusted Wald Confidence Interval for a Difference of
  Binomial Proportions Based on Paired Data*, which the same authors recommend (2014).
* Two shares of different documents: Fisher (1935), *The Logic of Inductive Inference*, his exact test, two-sided; the
  odds ratio with a half added to each count (Haldane 1956, Anscombe 1956).
* Many tests at once: Benjamini and Hochberg (1995), *Controlling the False Discovery Rate*.

All of them take documents for independent of each other. Reviews of one film are not quite, so that intervals are
somewhat too narrow.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_Z = 1.959964  # of a 95% interval
LEVEL = 0.05
"""Below this p a difference is said to be one."""


class Interval(NamedTuple):
    """The ends of a 95% confidence interval."""

    low: float
    high: float


class PairedDifference(NamedTuple):
    """Two classifiers on the same documents.

    Attributes:
        difference: of their accuracies, the first less the second.
        interval: of the difference, 95%.
        p: of McNemar's test, mid-p, two-sided.
        first_only: documents that the first alone classifies rightly.
        second_only: documents that the second alone does.
    """

    difference: float
    interval: Interval
    p: float
    first_only: int
    second_only: int

    @property
    def significant(self) -> bool:
        """Whether the test finds a significant difference."""
        return self.p < LEVEL


def wilson(share: float, count: float) -> Interval:
    """Return the 95% confidence interval of a proportion (Wilson 1927).

    Args:
        share: the observed proportion, 0 to 1.
        count: the number of independent observations; for 0, the interval is 0 to 1.

    Example:
        >>> from nlpviz.stats.significance import wilson
        >>> low, high = wilson(0.9, 100)
        >>> round(low, 2), round(high, 2)
        (0.83, 0.94)
    """
    if not count:
        return Interval(0.0, 1.0)
    middle = (share + _Z**2 / (2 * count)) / (1 + _Z**2 / count)
    half = _Z / (1 + _Z**2 / count) * math.sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2))
    low, high = max(middle - half, 0.0), min(middle + half, 1.0)
    return Interval(0.0 if share == 0 else low, 1.0 if share == 1 else high)  # rounding would leave a share outside


def compare(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> PairedDifference:
    """Return the difference in accuracy between two classifiers on the same documents, with a significance test.

    The test is McNemar's mid-p test, two-sided (Fagerland, Lydersen and Laake 2013); the difference is significant if
    p < 0.05. The 95% confidence interval of the difference follows Bonett and Price (2012).

    Args:
        first: whether the first classifier predicts each of the N documents correctly, shape (N,).
        second: the same for the second classifier, shape (N,).

    Returns:
        The accuracy of the first classifier minus that of the second, its confidence interval and the p-value.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.predictions import predictions_of
        >>> from nlpviz.stats.significance import compare
        >>> lstm, cnn = (predictions_of(open_run(name)).right for name in ("imdb-lstm", "imdb-cnn"))
        >>> result = compare(lstm, cnn)
        >>> round(result.difference, 4), round(result.p, 2), result.significant
        (0.0038, 0.03, True)
    """
    return compare_counts(int((first & ~second).sum()), int((second & ~first).sum()), len(first))


def compare_counts(first_only: int, second_only: int, count: int) -> PairedDifference:
    """Return how two classifiers differ, from how many of ``count`` documents one of them alone classifies rightly."""
    p, q = (first_only + 1) / (count + 2), (second_only + 1) / (count + 2)
    half = _Z * math.sqrt((p + q - (p - q) ** 2) / (count + 2))
    interval = Interval(max(p - q - half, -1.0), min(p - q + half, 1.0))
    difference = (first_only - second_only) / count if count else 0.0
    return PairedDifference(difference, interval, mid_p(first_only, second_only), first_only, second_only)


def mean_interval(values: NDArray[np.floating]) -> Interval:
    """Return the 95% interval of the mean of N independent ``values``, by the normal law; all numbers below two."""
    if len(values) < 2:
        return Interval(-math.inf, math.inf)
    mean, half = float(values.mean()), _Z * float(values.std(ddof=1)) / math.sqrt(len(values))
    return Interval(mean - half, mean + half)


def student_interval(values: NDArray[np.floating], level: float = 0.95) -> Interval:
    """Return the interval of the mean of a few independent ``values`` by Student's t; all numbers below two.

    Args:
        values: (N,), taken to be normally distributed.
        level: how often such an interval holds the true mean.
    """
    if len(values) < 2:
        return Interval(-math.inf, math.inf)
    half = student_quantile(level, len(values) - 1) * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    mean = float(np.mean(values))
    return Interval(mean - half, mean + half)


@lru_cache(maxsize=256)
def student_quantile(level: float, degrees: int) -> float:
    """Return the t beyond which, on both sides together, Student's distribution has 1 − ``level``, by bisection."""
    low, high = 0.0, 1e6
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _student_within(middle, degrees) < level else (low, middle)
    return high


def _student_within(t: float, degrees: int) -> float:
    """Return the chance that Student's t lies within ±``t`` (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(degrees))
    term = math.cos(angle) if degrees % 2 else 1.0
    total = 0.0
    for n in range(degrees % 2 + 1, degrees, 2):
        total += term
        term *= math.cos(angle) ** 2 * n / (n + 1)
    if degrees % 2:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


def mid_p(first_only: int, second_only: int) -> float:
    """Return the two-sided mid-p of McNemar's test, from the documents that one of two classifiers alone has right."""
    count, fewer = first_only + second_only, min(first_only, second_only)
    log_choices = [math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1) for k in range(fewer + 1)]
    chances = [math.exp(choices - count * math.log(2)) for choices in log_choices]
    return min(2 * sum(chances[:-1]) + chances[-1], 1.0)


def fisher(inside: NDArray[np.integer], sizes: NDArray[np.integer], marked: int, count: int) -> NDArray[np.float64]:
    """Return the two-sided p of Fisher's exact test for each of W groups of documents, (W,).

    Whether a share of marked documents is another one inside a group than outside it. The p is the chance, the margins
    given, of all outcomes that are no more probable than the one that was found.

    Args:
        inside: marked documents in each group, (W,).
        sizes: all documents in each group, (W,).
        marked: of all documents.
        count: of all documents.
    """
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, count + 1)))])  # of the factorials of 0 to count
    result = np.ones(len(inside))
    for size in np.unique(sizes):
        among = np.arange(max(0, size + marked - count), min(size, marked) + 1)
        chances = -(logs[among] + logs[marked - among] + logs[size - among] + logs[count - marked - size + among])
        chances = np.exp(chances - chances.max())
        ascending = np.sort(chances)
        upto = np.cumsum(ascending) / ascending.sum()
        here = np.flatnonzero(sizes == size)
        found = chances[inside[here] - among[0]] * (1 + 1e-7)  # equals differ by rounding
        result[here] = upto[np.searchsorted(ascending, found, side="right") - 1]
    return result.clip(max=1.0)


def odds_ratio(inside: NDArray[np.integer], sizes: NDArray[np.integer], marked: int, count: int) -> NDArray[np.float64]:
    """Return how many times the odds of being marked are those outside, for each of W groups of documents, (W,).

    The arguments are those of :func:`fisher`.
    """
    a, b = inside + 0.5, sizes - inside + 0.5
    c, d = marked - inside + 0.5, count - marked - sizes + inside + 0.5
    return np.asarray(a * d / (b * c), dtype=np.float64)


def benjamini_hochberg(p: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the adjusted p of W tests, (W,): the least false discovery rate at which each is among the discoveries."""
    order = np.argsort(p)[::-1]
    scaled = p[order] * len(p) / np.arange(len(p), 0, -1)
    result = np.empty(len(p))
    result[order] = np.minimum.accumulate(scaled).clip(max=1.0)
    return result
