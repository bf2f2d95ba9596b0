"""A tag for each word from the word alone: what a tagger must beat (Brants 2000)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture, ParameterTerm


@dataclass(frozen=True)
class WordTaggerConfig:
    """Sizes of a :class:`WordTagger`."""

    vocabulary_size: int
    tags: int = 3


class WordTagger(nn.Module):
    """Gives each word a tag."""

    def __init__(self, config: WordTaggerConfig) -> None:
        """Build it with random weights."""
        super().__init__()
        self.config = config
        self.scores = nn.Embedding(config.vocabulary_size, config.tags)

    def tag(self, ids: Tensor) -> Tensor:
        """Return logits (B, T, K) of the tag of each of ``ids`` (B, T)."""
        return torch.as_tensor(self.scores(ids))

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        words, tags = self.config.vocabulary_size, self.config.tags
        return (ParameterTerm("scores of the tags", f"{words} × {tags}", words * tags),)


MODEL = Architecture("toy-word-tagger", "Word tagger", "Brants 2000", WordTaggerConfig, WordTagger)
