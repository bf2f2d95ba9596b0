"""On which documents classifiers disagree, in pairs and overall.

Two classifiers' **churn** is the share of documents on which they disagree (Milani Fard, Cormier, Canini and Gupta
2016, *Launch and Iterate: Reducing Prediction Churn*, section 2). Agreement beyond what the classes predicted by each
would give by chance is Cohen's kappa (1960, *A Coefficient of Agreement for Nominal Scales*). Two accurate classifiers
agree anyhow: beside each pair stands the agreement of two that are as accurate and whose errors have nothing to do with
each other (Geirhos, Meding and Wichmann 2020, *Beyond Accuracy: Quantifying Trial-by-Trial Behaviour of CNNs and Humans
by Measuring Error Consistency*, section 2), for more than two classes with their errors spread evenly over the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.likeness import chain
from nlpviz.stats.significance import Interval, wilson


@dataclass(frozen=True)
class Answering:
    """What one classifier, at one epoch and from one seed, predicts for N documents.

    Attributes:
        key: names it.
        title: what people call it.
        recipe: what it has in common with its other seeds; classifiers of one recipe differ in their seed alone.
        classes: int (N,), the predicted class of each document.
        certain: float32 (N,), the probability of that class.
    """

    key: str
    title: str
    recipe: str
    classes: NDArray[np.integer]
    certain: NDArray[np.float32]


@dataclass(frozen=True)
class AgreementPair:
    """Two classifiers on the same N documents.

    Attributes:
        agreement: the share that they predict alike.
        interval: of it, 95%, Wilson's.
        kappa: Cohen's; not a number where each predicts one and the same class only.
        independent: the agreement of two that are as accurate and err independently of each other.
        same_recipe: whether they differ in their seed alone.
    """

    agreement: float
    interval: Interval
    kappa: float
    independent: float
    same_recipe: bool

    @property
    def churn(self) -> float:
        """The share on which they disagree."""
        return 1 - self.agreement

    @property
    def churn_interval(self) -> Interval:
        """The 95% interval of the share on which they disagree."""
        return Interval(1 - self.interval.high, 1 - self.interval.low)


@dataclass(frozen=True)
class Churn:
    """M classifiers, or epochs of one, on N documents.

    Attributes:
        ids: how the corpus calls the documents.
        labels: int (N,), indices into the class names.
        class_names: what the indices mean.
        answering: the M.
    """

    ids: tuple[str, ...]
    labels: NDArray[np.integer]
    class_names: tuple[str, ...]
    answering: tuple[Answering, ...]

    @cached_property
    def accuracies(self) -> tuple[float, ...]:
        """The share of the documents that each predicts rightly."""
        return tuple(float((one.classes == self.labels).mean()) for one in self.answering)

    @cached_property
    def pairs(self) -> dict[tuple[int, int], AgreementPair]:
        """How each two agree, by their positions, the first before the second."""
        count = len(self.answering)
        return {(one, other): self._pair(one, other) for one in range(count) for other in range(one + 1, count)}

    @property
    def of_seeds(self) -> list[tuple[int, int]]:
        """The pairs that differ only in their seed."""
        return [pair for pair, found in self.pairs.items() if found.same_recipe]

    @cached_property
    def votes(self) -> NDArray[np.int64]:
        """How many of the M predict each class of each document, (N, K)."""
        result = np.zeros((len(self.ids), len(self.class_names)), dtype=np.int64)
        for one in self.answering:
            result[np.arange(len(self.ids)), one.classes] += 1
        return result

    @cached_property
    def disagreement(self) -> NDArray[np.float64]:
        """The share of all pairs of classifiers that disagree on a document, (N,); 0 for one classifier."""
        count = len(self.answering)
        alike = (self.votes * (self.votes - 1)).sum(axis=1)
        return np.asarray(1 - alike / max(count * (count - 1), 1)) if count > 1 else np.zeros(len(self.ids))

    @cached_property
    def most(self) -> NDArray[np.intp]:
        """All documents, (N,): the one on which most pairs disagree first, of equal ones the surest voices first."""
        certain = np.mean([one.certain for one in self.answering], axis=0)
        return np.lexsort((-certain, -self.disagreement))

    def _pair(self, one: int, other: int) -> AgreementPair:
        first, second = self.answering[one], self.answering[other]
        agreement = float((first.classes == second.classes).mean())
        return AgreementPair(
            agreement=agreement,
            interval=wilson(agreement, len(self.ids)),
            kappa=cohens_kappa(first.classes, second.classes, len(self.class_names)),
            independent=independent_agreement(self.accuracies[one], self.accuracies[other], len(self.class_names)),
            same_recipe=first.recipe == second.recipe,
        )


def cohens_kappa(first: NDArray[np.integer], second: NDArray[np.integer], classes: int) -> float:
    """Return Cohen's kappa of two classifications, (N,) each; not a number where chance alone gives full agreement."""
    shares = [np.bincount(one, minlength=classes) / max(len(one), 1) for one in (first, second)]
    chance = float(shares[0] @ shares[1])
    return float(((first == second).mean() - chance) / (1 - chance)) if chance < 1 else float("nan")


def independent_agreement(first: float, second: float, classes: int) -> float:
    """Return how often two classifiers of these accuracies agree whose errors are independent and spread evenly."""
    return first * second + (1 - first) * (1 - second) / max(classes - 1, 1)


def seeds_churn(found: Churn) -> Interval | None:
    """Return the band of the churn between seeds, from the lowest to the highest end of a pair's interval, or None."""
    intervals = [found.pairs[pair].churn_interval for pair in found.of_seeds]
    if not intervals:
        return None
    return Interval(min(one.low for one in intervals), max(one.high for one in intervals))


def beyond(pair: AgreementPair, band: Interval | None) -> bool | None:
    """Return whether two classifiers disagree on more than seeds do, by the whole interval; None without a band."""
    return None if band is None else pair.churn_interval.low > band.high


def by_likeness(found: Churn) -> list[int]:
    """Return the positions of the M so that those that agree stand side by side.

    The most accurate one is first.
    """
    count = len(found.answering)
    agreement = np.full((count, count), np.nan)
    for (one, other), pair in found.pairs.items():
        agreement[one, other] = agreement[other, one] = pair.agreement
    return chain(agreement, max(range(count), key=lambda one: found.accuracies[one])) if count else []
