"""Whether probabilities can be believed: reliability, calibration error, proper scores, and a temperature.

* Guo, Pleiss, Sun and Weinberger (2017), *On Calibration of Modern Neural Networks*: the expected calibration error
  (equation 5, 15 bins of equal width) and the temperature (section 4.2), one number by which all log-probabilities are
  divided. It changes no prediction.
* A measured calibration error is above zero even where every probability is right, the more so the fewer the texts:
  Bröcker and Smith (2007), *Increasing the Reliability of Reliability Diagrams*, draw outcomes by the probabilities
  themselves to see by how much, which :func:`error_by_chance` does.

The confidence of an answer is the probability of the predicted class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.stats.significance import Interval, wilson

BINS = 15
"""Of equal width, as Guo et al. count the error."""
SHOWN = 10
"""Of as many texts each, as a reliability diagram shows them."""
LEAST = 1e-12  # a probability, where its logarithm is taken
_COOLEST, _HOTTEST = 0.02, 50.0  # temperatures: where nothing is wrong, or nothing is known, there is no best one
_HALVINGS = 60
_DRAWN = 10_000_000  # random numbers in all, at most
_DRAWS = 1_000


class ReliabilityBin(NamedTuple):
    """Texts of like confidence.

    Attributes:
        low: the least confidence among them.
        high: the greatest.
        confidence: the mean.
        accuracy: the share of them that is classified rightly.
        interval: of the accuracy, 95%.
        texts: how many.
    """

    low: float
    high: float
    confidence: float
    accuracy: float
    interval: Interval
    texts: int


class ByChance(NamedTuple):
    """What the calibration error of as many texts is where every confidence is exactly right.

    Attributes:
        mean: over random outcomes.
        highest: that 95% of them do not exceed.
    """

    mean: float
    highest: float


class ProperScores(NamedTuple):
    """Two scores that are best where the probabilities are the true ones.

    Attributes:
        loss: the mean negative log-likelihood of the labels, in nats.
        brier: the mean of the squared differences of probabilities and labels, summed over the classes: 0 to 2.
    """

    loss: float
    brier: float


def reliability(
    confidences: NDArray[np.floating], right: NDArray[np.bool_], bins: int = SHOWN
) -> tuple[ReliabilityBin, ...]:
    """Return bins of about as many of N texts each, by confidence; equal confidences stand in one.

    Args:
        confidences: (N,).
        right: which texts are classified rightly, (N,).
        bins: at most so many.
    """
    order = np.argsort(confidences, kind="stable")
    ascending, answers = confidences[order], right[order]
    edges = np.linspace(0, len(order), min(bins, len(order)) + 1).round().astype(int)[1:-1]
    edges = np.unique(np.searchsorted(ascending, ascending[edges]))  # no bin ends between equals
    parts = [part for part in np.split(np.arange(len(order)), edges) if len(part)]
    return tuple(_bin(ascending[part], answers[part]) for part in parts)


def _bin(confidences: NDArray[np.floating], right: NDArray[np.bool_]) -> ReliabilityBin:
    share, count = float(right.mean()), len(right)
    low, high, mean = (float(number) for number in (confidences[0], confidences[-1], confidences.mean()))
    return ReliabilityBin(low, high, mean, share, wilson(share, count), count)


def calibration_error(confidences: NDArray[np.floating], right: NDArray[np.bool_]) -> float:
    """Return the expected calibration error of a classifier, 0 to 1 (Guo et al. 2017, equation 5).

    It is the mean absolute difference between confidence and accuracy in 15 bins of equal width, weighted by the number
    of texts in each bin. Without texts, it is 0.

    Args:
        confidences: the probabilities of the predicted classes, shape (N,).
        right: whether each prediction is correct, shape (N,).

    Example:
        >>> import numpy as np
        >>> from nlpviz.stats.calibration import calibration_error
        >>> right = np.array([True] * 8 + [False] * 2)
        >>> round(calibration_error(np.full(10, 0.9), right), 2)  # 90% confident, 80% correct
        0.1
    """
    if not len(confidences):
        return 0.0
    gaps = np.bincount(_bins(confidences), weights=confidences - right, minlength=BINS)
    return float(np.abs(gaps).sum() / len(confidences))


def error_by_chance(confidences: NDArray[np.floating], seed: int = 0) -> ByChance:
    """Return the calibration error that N texts have by chance where each confidence is its probability to be right.

    Args:
        confidences: (N,).
        seed: of the outcomes; up to 1,000 are drawn.
    """
    count = len(confidences)
    if not count:
        return ByChance(0.0, 0.0)
    rng = np.random.default_rng(seed)
    draws = max(min(_DRAWS, _DRAWN // count), 50)
    errors = [calibration_error(confidences, rng.random(count) < confidences) for _ in range(draws)]
    return ByChance(float(np.mean(errors)), float(np.quantile(errors, 0.95)))


def histogram(confidences: NDArray[np.floating]) -> tuple[int, ...]:
    """Return how many of N texts lie in each of the 15 bins of equal width, by their confidences, (N,)."""
    return tuple(np.bincount(_bins(confidences), minlength=BINS).tolist())


def proper_scores(probabilities: NDArray[np.floating], labels: NDArray[np.integer]) -> ProperScores:
    """Return the loss and the Brier score of N texts.

    Args:
        probabilities: of all classes, (N, K).
        labels: indices of classes, (N,).
    """
    of_label = probabilities[np.arange(len(labels)), labels].astype(np.float64)
    squares = (probabilities.astype(np.float64) ** 2).sum(axis=1) - 2 * of_label + 1
    return ProperScores(float(-np.log(of_label.clip(min=LEAST)).mean()), float(squares.mean()))


def temperature(probabilities: NDArray[np.floating], labels: NDArray[np.integer]) -> float:
    """Return the temperature at which N texts have the least loss: above 1, the probabilities are too sure.

    The loss is convex in 1 / temperature, so that its slope is zero once at most: found by halving.

    Args:
        probabilities: of all classes, (N, K).
        labels: indices of classes, (N,).
    """
    logs = np.log(probabilities.clip(min=LEAST).astype(np.float64))
    wanted = float(logs[np.arange(len(labels)), labels].mean())
    low, high = 1 / _HOTTEST, 1 / _COOLEST  # of 1 / temperature
    for _ in range(_HALVINGS):
        middle = (low * high) ** 0.5
        if float((_softmax(logs * middle) * logs).sum(axis=1).mean()) < wanted:
            low = middle
        else:
            high = middle
    return float(1 / (low * high) ** 0.5)


def tempered(probabilities: NDArray[np.floating], by: float | NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the probabilities (N, K) at a temperature, one for all texts or for each, (N,)."""
    logs = np.log(probabilities.clip(min=LEAST).astype(np.float64))
    return _softmax(logs / np.reshape(by, (-1, 1)))


def cross_fitted(
    probabilities: NDArray[np.floating], labels: NDArray[np.integer], folds: int = 5, seed: int = 0
) -> NDArray[np.float64]:
    """Return a temperature for each of N texts, (N,), fitted to the texts of the other folds.

    Args:
        probabilities: of all classes, (N, K).
        labels: indices of classes, (N,).
        folds: at most; a text by itself has the temperature 1.
        seed: of the division into folds.
    """
    count = len(labels)
    result = np.ones(count)
    if count < 2:
        return result
    fold = np.random.default_rng(seed).permutation(count) % min(folds, count)
    for number in range(fold.max() + 1):
        result[fold == number] = temperature(probabilities[fold != number], labels[fold != number])
    return result


def _bins(confidences: NDArray[np.floating]) -> NDArray[np.int64]:
    """Return the number of the bin that each confidence lies in: from, not including, its lower edge (equation 3)."""
    return np.asarray((np.ceil(confidences * BINS).astype(np.int64) - 1).clip(0, BINS - 1))


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
