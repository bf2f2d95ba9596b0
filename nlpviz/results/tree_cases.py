"""The effect of negation and "but" on the sentiment that networks predict, over many sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.trees import NEUTRAL, Accuracy, expected, says_positive

ROOT, NEGATION, CONTRAST = "root", "negation", "contrast"
WHOLE, FIRST, SECOND = range(3)
"""The nodes of a case: the whole; what is negated, or stands before "but"; what stands after it."""


@dataclass(frozen=True)
class TreeCases:
    """Phrases of the test sentences of one kind, and what an epoch of a network makes of them.

    Attributes:
        run: the run's name.
        title: what people call it.
        epoch: of its weights.
        case: :data:`ROOT`, :data:`NEGATION` or :data:`CONTRAST`.
        trees: which sentence of the test split each is of, from 1; (M,).
        nodes: the nodes of each, (M, 3); -1 for one that there is not.
        labels: theirs, (M, 3); -1 where there is no node.
        probabilities: of the five classes, (M, 3, 5).
    """

    run: str
    title: str
    epoch: int
    case: str
    trees: NDArray[np.integer]
    nodes: NDArray[np.integer]
    labels: NDArray[np.integer]
    probabilities: NDArray[np.float32]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.trees)

    def where(self, chosen: NDArray[np.bool_]) -> TreeCases:
        """Return the chosen ones (M,) alone."""
        return replace(
            self,
            trees=self.trees[chosen],
            nodes=self.nodes[chosen],
            labels=self.labels[chosen],
            probabilities=self.probabilities[chosen],
        )

    @property
    def sentiment(self) -> NDArray[np.float64]:
        """The expected class of each node, from -2 to 2, (M, 3); of a node that there is not 0."""
        return np.where(self.nodes < 0, 0.0, expected(self.probabilities))


class Change(NamedTuple):
    """What negation does to phrases of one sign.

    Attributes:
        phrases: how many there are.
        by_people: the mean change of the label.
        by_network: the mean change of the expected class.
        interval: 95% of the latter, by the normal approximation.
        turned: of how many the expected class changes towards the other sign.
    """

    phrases: int
    by_people: float
    by_network: float
    interval: tuple[float, float]
    turned: Accuracy


def change(cases: TreeCases, *, positive: bool) -> Change:
    """Return what negating positive phrases, or negative ones, does: Socher et al. 2013, section 5.4.

    Args:
        cases: of negation.
        positive: which phrases, by the label that people gave to what is negated.
    """
    of_part = cases.labels[:, FIRST]
    chosen = cases.where(of_part > NEUTRAL if positive else (of_part < NEUTRAL) & (of_part >= 0))
    differences = chosen.sentiment[:, WHOLE] - chosen.sentiment[:, FIRST]
    count = len(chosen)
    by_people = (chosen.labels[:, WHOLE] - chosen.labels[:, FIRST]).mean() if count else float("nan")
    mean = float(differences.mean()) if count else float("nan")
    half = 1.96 * float(differences.std(ddof=1)) / count**0.5 if count > 1 else float("nan")
    turned = int((differences < 0).sum() if positive else (differences > 0).sum())
    return Change(count, float(by_people), mean, (mean - half, mean + half), Accuracy(turned, count))


def negation_effects(cases: TreeCases) -> tuple[Change, Change]:
    """Return what negating positive phrases does, and negating negative ones."""
    return change(cases, positive=True), change(cases, positive=False)


def opposed(cases: TreeCases) -> TreeCases:
    """Return the contrasts whose two parts people found of opposite sign."""
    first, second = (cases.labels[:, part] - NEUTRAL for part in (FIRST, SECOND))
    return cases.where(first * second < 0)


def decided(cases: TreeCases) -> TreeCases:
    """Return the contrasts of whose three nodes people found none neutral."""
    return cases.where((cases.labels != NEUTRAL).all(axis=1))


def all_right(cases: TreeCases) -> NDArray[np.bool_]:
    """Return of which contrasts all three nodes are on the right side, (M,): Socher et al. 2013, section 5.3."""
    return np.asarray((says_positive(cases.probabilities) == (cases.labels > NEUTRAL)).all(axis=1))


def counted(hits: NDArray[np.bool_]) -> Accuracy:
    """Return how many of some cases (M,) are right."""
    return Accuracy(int(hits.sum()), len(hits))


def contrasts_right(cases: TreeCases) -> Accuracy:
    """Return how many of the contrasts without a neutral node have all three nodes on the right side."""
    return counted(all_right(decided(cases)))


def sides_with_second(cases: TreeCases) -> NDArray[np.bool_]:
    """Return in which contrasts the whole is nearer to what stands after "but" than to what stands before, (M,)."""
    whole, first, second = cases.sentiment.T
    return np.asarray(np.abs(whole - second) < np.abs(whole - first))
