"""Whether a sentiment classifier meets the expectation of a minimal pair of texts, and how often.

Ribeiro, Wu, Guestrin and Singh (2020), *Beyond Accuracy: Behavioral Testing of NLP Models with CheckList*: capabilities
are tested by texts made for it, of three kinds (section 2.2). Minimum functionality: the labels of the texts are known.
Invariance: a change must leave the prediction as it is. Directional expectation: it must move one way. Deviations:
every case is a pair here, and of minimum functionality both texts must be right, so that who does not see what they
differ in fails; a prediction that must stay may move by less than :data:`MARGIN`; a direction has no margin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.minimal_pairs import EXPECTATIONS, HIGHER, LABELS, SAME, MinimalPair
from nlpviz.stats.significance import Interval, wilson

MARGIN = 0.1
"""By less than this a probability may move that should stay."""
MORE_OFTEN_THAN_NOT = 0.5
_COIN = 0.5  # of a direction; of two labels its square


class Rate(NamedTuple):
    """Of how many pairs how many pass.

    Attributes:
        passed: pairs.
        pairs: all of them.
    """

    passed: int
    pairs: int

    @property
    def share(self) -> float:
        """The share that passes; of none it is not a number."""
        return self.passed / self.pairs if self.pairs else float("nan")

    @property
    def interval(self) -> Interval:
        """Wilson's 95% interval of the share, with pairs taken as independent of each other."""
        return wilson(self.passed / max(self.pairs, 1), self.pairs)


@dataclass(frozen=True)
class Probed:
    """The predictions of one epoch of a run for M pairs.

    Attributes:
        run: its name.
        title: what people call it.
        epoch: of its weights; None of a run without epochs.
        positive: the probability of *positive* of both texts, float32 (M, 2).
        known: which pairs hold no word that the run does not know, or only the misspelt ones; bool (M,).
    """

    run: str
    title: str
    epoch: int | None
    positive: NDArray[np.float32]
    known: NDArray[np.bool_]

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        self.positive.setflags(write=False)
        self.known.setflags(write=False)


def shortfalls(pairs: Sequence[MinimalPair], positive: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return by how much probability each pair fails, (M,); below zero it passes.

    With two labels it is what the worse of both texts lacks of one half.

    Args:
        pairs: M of them.
        positive: the probability of *positive* of both texts, (M, 2).
    """
    first, second = positive.astype(np.float64).T
    result = np.zeros(len(pairs))
    expected = np.array([pair.expected for pair in pairs])
    for name in EXPECTATIONS:
        here = expected == name
        if name in LABELS:
            of_first, of_second = (
                own if is_positive else 1 - own for own, is_positive in zip((first, second), LABELS[name], strict=True)
            )
            lacking = 0.5 - np.minimum(of_first, of_second)
        elif name == SAME:
            lacking = np.abs(second - first) - MARGIN
        else:
            lacking = first - second if name == HIGHER else second - first
        result[here] = lacking[here]
    return result


def passes(pairs: Sequence[MinimalPair], positive: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Return which of M pairs pass, (M,); the arguments are those of :func:`shortfalls`."""
    return np.asarray(shortfalls(pairs, positive) < 0)


def rates(pairs: Sequence[MinimalPair], probed: Probed, *, by_template: bool = False) -> dict[str, Rate]:
    """Return how many pairs pass, by capability in the order of the pairs, those with unknown words left out.

    Args:
        pairs: that were probed.
        probed: what a run makes of them.
        by_template: whether by template instead.
    """
    right = passes(pairs, probed.positive)
    names = [pair.template if by_template else pair.capability for pair in pairs]
    result = dict.fromkeys(names, Rate(0, 0))
    for name, passed, known in zip(names, right.tolist(), probed.known.tolist(), strict=True):
        if known:
            result[name] = Rate(result[name].passed + passed, result[name].pairs + 1)
    return result


def failures(pairs: Sequence[MinimalPair], probed: Probed) -> list[int]:
    """Return which of the known pairs fail, the worst first."""
    lacking = shortfalls(pairs, probed.positive)
    order = np.argsort(-lacking, kind="stable")
    return [int(at) for at in order if lacking[at] >= 0 and probed.known[at]]


def chance(pairs: Sequence[MinimalPair]) -> float | None:
    """Return which share passes where each text is answered at random; None where a pair must leave an answer as it is.

    A classifier without any opinion leaves every answer as it is.
    """
    if not pairs or any(pair.expected == SAME for pair in pairs):
        return None
    return float(np.mean([_COIN**2 if pair.expected in LABELS else _COIN for pair in pairs]))


def emerged(by_epoch: Mapping[int, Rate]) -> int | None:
    """Return the first kept epoch from which on pairs pass more often than not, by the interval; None if there is none.

    Args:
        by_epoch: how many pass at each kept epoch.
    """
    found = None
    for epoch in sorted(by_epoch, reverse=True):
        if by_epoch[epoch].interval.low <= MORE_OFTEN_THAN_NOT:
            break
        found = epoch
    return found
