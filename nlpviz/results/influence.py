"""Which training documents shaped a prediction: sketches of their gradients, and the traced influence.

Pruthi, Liu, Kale and Sundararajan (2020), *Estimating Training Data Influence by Tracing Gradient Descent* (TracInCP,
equation 4), at the word vectors (Yeh et al. 2022, *First is Better Than Last for Language Data Influence*).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import EncodedText

SHOWN = 10
"""Training documents of each sign that are shown at first."""


@dataclass(frozen=True)
class Sketches:
    """A few numbers for each of the N documents that were trained on, whose dot products estimate influence.

    Attributes:
        run: whose training documents they are.
        epochs: (K,), whose gradients are in them.
        weights: (K,), by which an epoch's dot product counts: the word vectors' learning rate.
        ids: of the documents, as the corpus calls them.
        labels: int16 (N,), the classes that they were trained on as.
        values: int8 (N, S).
        scales: float32 (N,), of a unit of ``values``.
        selves: float32 (N,), the exact influence of each document on its own loss.
        basis: float32 (M, S), by which a sketch of M hashed numbers becomes one of S.
    """

    run: str
    epochs: tuple[int, ...]
    weights: tuple[float, ...]
    ids: tuple[str, ...]
    labels: NDArray[np.int16]
    values: NDArray[np.int8]
    scales: NDArray[np.float32]
    selves: NDArray[np.float32]
    basis: NDArray[np.float32]

    def estimates(self, hashed: NDArray[np.floating]) -> NDArray[np.float32]:
        """Return the estimated influence (N,) of each document on a text, from the M hashed numbers of its gradient."""
        return np.asarray((self.values @ (hashed.astype(np.float32) @ self.basis)) * self.scales)


@dataclass(frozen=True)
class Influence:
    """How C training documents changed the loss of one class of a text.

    Attributes:
        run: whose training it was.
        epochs: (K,), at which gradients were compared.
        encoded: the text as the network reads it.
        class_names: of the run.
        target: the class whose loss is explained.
        probability: of that class at the last of the epochs.
        documents: N, among which the C were found.
        ids: of the C documents.
        labels: int16 (C,), what they were trained on as.
        estimates: float32 (C,), by their sketches.
        words: the W different words of the text, in the vocabulary's spelling.
        through: float32 (K, C, W), the exact influence by epoch and word; None where the corpus is not available.
    """

    run: str
    epochs: tuple[int, ...]
    encoded: EncodedText
    class_names: tuple[str, ...]
    target: int
    probability: float
    documents: int
    ids: tuple[str, ...]
    labels: NDArray[np.int16]
    estimates: NDArray[np.float32]
    words: tuple[str, ...]
    through: NDArray[np.float32] | None

    @property
    def scores(self) -> NDArray[np.float32]:
        """The influence of each document (C,): exact where it was computed, else estimated."""
        return self.estimates if self.through is None else self.through.sum(axis=(0, 2))

    @property
    def by_epoch(self) -> NDArray[np.float32]:
        """The influence of each document at each epoch, (K, C); of no epoch where it was only estimated."""
        return np.zeros((0, len(self.ids)), np.float32) if self.through is None else self.through.sum(axis=2)

    @property
    def by_word(self) -> NDArray[np.float32]:
        """The influence of each document through each word of the text, (C, W), over all epochs."""
        return np.zeros((len(self.ids), 0), np.float32) if self.through is None else self.through.sum(axis=0)

    def helpful(self, count: int = SHOWN) -> NDArray[np.intp]:
        """Return the positions of the documents that lowered the loss most, the strongest first."""
        order = np.argsort(-self.scores, kind="stable")[:count]
        return order[self.scores[order] > 0]

    def harmful(self, count: int = SHOWN) -> NDArray[np.intp]:
        """Return the positions of the documents that raised the loss most, the strongest first."""
        order = np.argsort(self.scores, kind="stable")[:count]
        return order[self.scores[order] < 0]

    def strongest_words(self, position: int, count: int) -> list[tuple[str, float]]:
        """Return the words through which a document acted most, either way, with the influence through each."""
        row = self.by_word[position]
        order = np.argsort(-np.abs(row), kind="stable")[:count]
        return [(self.words[place], float(row[place])) for place in order if row[place]]
