"""The perplexity of language models on a test text: alone, with a cache, mixed with another model, with fewer words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class MeasuredModel:
    """One model on the test text of its corpus.

    Attributes:
        title: what it is called beside others.
        loss: the mean of −log p, in nats per token.
        nats_per_character: the same loss, for each character of the text.
        tokens: that were predicted.
        vocabulary: ids that had a probability, and those of padding and of the unknown word.
        settings: of a cache or a mixture, as people read them; empty for a model alone.
    """

    title: str
    loss: float
    nats_per_character: float
    tokens: int
    vocabulary: int
    settings: str = ""

    @property
    def perplexity(self) -> float:
        """Exp of the loss."""
        return float(np.exp(self.loss))

    @property
    def bits_per_character(self) -> float:
        """The loss for each character, in bits."""
        return self.nats_per_character / float(np.log(2))


@dataclass(frozen=True)
class SmallerVocabulary:
    """The same n-grams counted again with fewer words, all others being the unknown one, in training and test text.

    Attributes:
        vocabulary: tokens that are predicted, the unknown one among them.
        unknown: share of the test tokens that are the unknown one.
        loss: the mean of −log p, in nats per token.
    """

    vocabulary: int
    unknown: float
    loss: float

    @property
    def perplexity(self) -> float:
        """Exp of the loss."""
        return float(np.exp(self.loss))


@dataclass(frozen=True)
class ValidationCourse:
    """How well a network predicted its validation text, by epoch.

    Attributes:
        title: of the run.
        epochs: from 0, before training.
        losses: nats per token, as many.
        best: the epoch with the smallest one.
    """

    title: str
    epochs: tuple[int, ...]
    losses: tuple[float, ...]
    best: int
