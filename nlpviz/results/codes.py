"""The codes of an autoencoder of documents: of a text, between two texts, unit by unit, over classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class WordShare(NamedTuple):
    """A word under a code.

    Attributes:
        word: as the vocabulary spells it.
        probability: of the word under the code.
        lift: by how much its logarithm, in nats, is above that under the code of zeros, the prior's mean.
        times: how often it stands in the text; 0 where nobody asked.
    """

    word: str
    probability: float
    lift: float
    times: int = 0


@dataclass(frozen=True)
class TextCode:
    """One text's code and its reconstruction.

    Attributes:
        run: whose network.
        epoch: of its weights.
        words: of the text that are in the vocabulary, each occurrence counted.
        tokens: that were read.
        cut: tokens beyond the maximum length, which were not.
        mean: (Z,), the code; of a variational autoencoder the mean of q(z | x).
        deviation: (Z,), the standard deviations of q(z | x); None where the code is no distribution.
        divergence: (Z,), KL(q(z | x) || p(z)) of each unit, in nats; None likewise.
        reconstruction: -log p of the text's words, in nats, by its code; over drawn codes on average.
        by_frequency: the same by the words' frequencies in training, which no code tells.
        returned: the words that are likeliest under the code.
        read: the text's own words with their probabilities under the code, the commonest in the text first.
    """

    run: str
    epoch: int
    words: int
    tokens: int
    cut: int
    mean: NDArray[np.float32]
    deviation: NDArray[np.float32] | None
    divergence: NDArray[np.float32] | None
    reconstruction: float
    by_frequency: float
    returned: tuple[WordShare, ...]
    read: tuple[WordShare, ...]

    @property
    def perplexity(self) -> float:
        """Of the text's words by its code, exp of -log p a word: what the code costs left out."""
        return float(np.exp(self.reconstruction / self.words)) if self.words else float("nan")

    @property
    def bound(self) -> float:
        """The perplexity bound of the text, KL and all; NaN where there is none."""
        if self.divergence is None or not self.words:
            return float("nan")
        return float(np.exp((self.reconstruction + float(self.divergence.sum())) / self.words))

    @property
    def frequency_perplexity(self) -> float:
        """Of the text's words by their frequencies in training."""
        return float(np.exp(self.by_frequency / self.words)) if self.words else float("nan")


class Nearest(NamedTuple):
    """The test document nearest to a code.

    Attributes:
        id: how the corpus calls it.
        label: its class.
        distance: Euclidean, of the two codes.
    """

    id: str
    label: str
    distance: float


@dataclass(frozen=True)
class CodeWalk:
    """Codes on the straight line between those of two texts, decoded.

    Attributes:
        run: whose network.
        epoch: of its weights.
        ends: what the two texts are called.
        shares: (S,), 0 at the first text and 1 at the second.
        codes: (S, Z).
        words: the words that are followed, likely somewhere on the way.
        probabilities: (S, M) of these words.
        likeliest: of each step, the likeliest words.
        nearest: of each step.
        between: (S,), what neighbours have: distance of a step to its nearest document, over the mean distance of a
            document to its own nearest one.
    """

    run: str
    epoch: int
    ends: tuple[str, str]
    shares: NDArray[np.float32]
    codes: NDArray[np.float32]
    words: tuple[str, ...]
    probabilities: NDArray[np.float32]
    likeliest: tuple[tuple[WordShare, ...], ...]
    nearest: tuple[Nearest, ...]
    between: NDArray[np.float32]

    @property
    def length(self) -> float:
        """The Euclidean distance of the two codes; 0 for two texts with equal bags."""
        return float(np.linalg.norm(self.codes[-1] - self.codes[0]))


class UnitTopic(NamedTuple):
    """The effect of one unit of a code on the words, up and down.

    Attributes:
        unit: from 0.
        mean: of its codes over the test documents.
        deviation: of its codes over the test documents, which is how far it is moved.
        active: whether the variance of its codes is above 0.01.
        divergence: its mean KL divergence over the documents, in nats; None where there is none.
        up: words whose logits rise most as the unit goes from its mean one deviation up, with the change in nats.
        down: the same one deviation down.
    """

    unit: int
    mean: float
    deviation: float
    active: bool
    divergence: float | None
    up: tuple[tuple[str, float], ...]
    down: tuple[tuple[str, float], ...]


def ranked_units(topics: Sequence[UnitTopic]) -> list[UnitTopic]:
    """Return units by how much they say: by their KL divergence, or else by how far they differ between documents."""
    return sorted(topics, key=lambda topic: -(topic.deviation if topic.divergence is None else topic.divergence))


@dataclass(frozen=True)
class UnitClasses:
    """How well each single unit of a code separates one class from all others.

    Attributes:
        run: whose codes.
        epoch: of its weights.
        classes: K names.
        auc: (Z, K), the chance that a document of the class has the larger number of two documents, 0.5 for none.
        threshold: |AUC - 0.5| that the best of all pairs of a unit and a class stays below in 95% of the redraws in
            which the labels are shuffled.
        redraws: how often.
        documents: over how many.
    """

    run: str
    epoch: int
    classes: tuple[str, ...]
    auc: NDArray[np.float32]
    threshold: float
    redraws: int
    documents: int

    def follows(self, unit: int) -> list[int]:
        """Return the classes that a unit tells apart by more than chance finds, the best first."""
        strength = np.abs(self.auc[unit] - 0.5)
        return [int(label) for label in np.argsort(-strength, kind="stable") if strength[label] > self.threshold]
