"""Predictions of networks for trees: the classes of every node, and how many are correct."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.trees import Tree

NEUTRAL = 2
"""The middle one of the five classes: two negative ones stand before it, two positive ones after."""
FINE, BINARY = "fine", "binary"
MEASURES = {FINE: "five classes", BINARY: "two classes"}
ROOTS, INNER, NON_NEUTRAL = "roots", "inner", "non_neutral"
GROUPS = {ROOTS: "roots", INNER: "inner nodes", NON_NEUTRAL: "non-neutral nodes"}
"""The nodes that accuracies are measured on. More than two thirds of all nodes are neutral, most of them single words:
an accuracy over all nodes would hardly tell a network from the answer "neutral"."""


@dataclass(frozen=True)
class TreeEpoch:
    """What one epoch of a tree network cost and reached.

    Attributes:
        epoch: its number; 0 is before training.
        train_loss: nats a node, on as many training trees as there are validation trees.
        validation_loss: the same on the validation trees.
        train_fine: share of right roots among five classes, on the same training trees.
        validation_fine: the same on the validation trees.
        validation_binary: share of roots on the right side, of those that are not neutral.
        validation_nodes: the same of all nodes that are not neutral.
        gradient_norm: the mean over its steps before clipping.
        seconds: of its pass.
    """

    epoch: int
    train_loss: float
    validation_loss: float
    train_fine: float
    validation_fine: float
    validation_binary: float
    validation_nodes: float
    gradient_norm: float
    seconds: float


class Accuracy(NamedTuple):
    """How many of some nodes are right."""

    right: int
    nodes: int

    @property
    def share(self) -> float:
        """The accuracy; NaN of no nodes."""
        return self.right / self.nodes if self.nodes else float("nan")


class LengthAccuracy(NamedTuple):
    """How many nodes of a group with ``shortest`` to ``longest`` words an epoch has right by a measure."""

    epoch: int
    group: str
    measure: str
    shortest: int
    longest: int
    right: int
    nodes: int

    @property
    def accuracy(self) -> Accuracy:
        """The two counts."""
        return Accuracy(self.right, self.nodes)

    @property
    def lengths(self) -> str:
        """The lengths as they are written: ``"3–4"``, ``"21 or more"``."""
        if self.shortest == self.longest:
            return str(self.shortest)
        return f"{self.shortest} or more" if self.longest >= 1_000 else f"{self.shortest}–{self.longest}"


class LabelledNodes(NamedTuple):
    """The nodes of many trees, one after the other.

    Attributes:
        labels: int (N,).
        lengths: how many words each node has, (N,).
        roots: which nodes are roots, bool (N,).
    """

    labels: NDArray[np.integer]
    lengths: NDArray[np.integer]
    roots: NDArray[np.bool_]

    def group(self, name: str) -> NDArray[np.bool_]:
        """Return which nodes a name in :data:`GROUPS` stands for; inner nodes are those below the root."""
        if name == ROOTS:
            return self.roots
        return np.asarray(self.labels != NEUTRAL if name == NON_NEUTRAL else (self.lengths > 1) & ~self.roots)


@dataclass(frozen=True)
class NodeAnswers:
    """What an epoch of a network makes of the nodes of a tree.

    Attributes:
        run: the run's name.
        title: what people call it.
        epoch: of its weights.
        tree: what was composed.
        probabilities: of the five classes at every node, (2n - 1, 5).
        known: whether the network knows each word, (n,).
    """

    run: str
    title: str
    epoch: int
    tree: Tree
    probabilities: NDArray[np.float32]
    known: tuple[bool, ...]

    @property
    def classes(self) -> NDArray[np.int64]:
        """The likeliest class of every node, (2n - 1,)."""
        return np.asarray(self.probabilities.argmax(axis=1))

    @property
    def sentiment(self) -> NDArray[np.float64]:
        """The expected class of every node from -2, very negative, to 2, very positive, (2n - 1,)."""
        return expected(self.probabilities)


def expected(probabilities: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the expected class of ``probabilities`` (..., 5), from -2 to 2."""
    return np.asarray(probabilities.astype(np.float64) @ np.arange(-2.0, 3.0))


def says_positive(probabilities: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Return whether the two positive classes are together likelier than the two negative ones, (...,)."""
    return np.asarray(probabilities[..., 3:].sum(axis=-1) > probabilities[..., :2].sum(axis=-1))


def right(probabilities: NDArray[np.floating], labels: NDArray[np.integer], measure: str) -> NDArray[np.bool_]:
    """Return which nodes are right, (N,): of five classes (``"fine"``), or on the right side (``"binary"``)."""
    if measure == FINE:
        return np.asarray(probabilities.argmax(axis=1) == labels)
    return np.asarray((says_positive(probabilities) == (labels > NEUTRAL)) & (labels != NEUTRAL))


def accuracies(probabilities: NDArray[np.floating], nodes: LabelledNodes) -> dict[tuple[str, str], Accuracy]:
    """Return how many nodes of each group are right by each measure; neutral ones have no side and are left out."""
    result = {}
    for measure in (FINE, BINARY):
        hits = right(probabilities, nodes.labels, measure)
        counted = nodes.labels != NEUTRAL if measure == BINARY else np.ones(len(hits), dtype=bool)
        for group in GROUPS:
            chosen = nodes.group(group) & counted
            result[group, measure] = Accuracy(int(hits[chosen].sum()), int(chosen.sum()))
    return result
