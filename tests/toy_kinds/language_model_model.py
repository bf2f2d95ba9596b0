"""A word's vector and one linear layer: the next word from this one alone (Bengio et al. 2003, with one word)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture, ParameterTerm


@dataclass(frozen=True)
class BigramConfig:
    """Sizes of a :class:`Bigram`."""

    vocabulary_size: int
    dimensions: int = 8


class Bigram(nn.Module):
    """Predicts the next word."""

    def __init__(self, config: BigramConfig) -> None:
        """Build it with random weights."""
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary_size, config.dimensions)
        self.output = nn.Linear(config.dimensions, config.vocabulary_size)

    def next_words(self, ids: Tensor) -> Tensor:
        """Return logits (B, T, V) of the word that follows each of ``ids`` (B, T)."""
        return torch.as_tensor(self.output(self.embedding(ids)))

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        words, dimensions = self.config.vocabulary_size, self.config.dimensions
        return (
            ParameterTerm("word vectors", f"{words} × {dimensions}", words * dimensions),
            ParameterTerm("output layer", f"{dimensions} × {words} + {words}", dimensions * words + words),
        )


MODEL = Architecture("toy-bigram", "Bigram", "Bengio et al. 2003", BigramConfig, Bigram)
