"""A convolutional network over word vectors, for text classification.

Kim (2014), *Convolutional Neural Networks for Sentence Classification*; Zhang and Wallace (2015), *A
Sensitivity Analysis of (and Practitioners' Guide to) CNNs for Sentence Classification*; as in Tixier (2018),
*Notes on Deep Learning for NLP*, sections 5.2 and 5.3. Two deviations: the bias is added before the ReLU, as
in Kim's equation 2 (Tixier's equation 3 adds it after), and windows that reach into padding take no part in
the pooling (a text shorter than a region keeps the one window that starts at its first word).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpviz.models import Architecture, ParameterTerm
from nlpviz.vocabulary import PAD


@dataclass(frozen=True)
class CNNConfig:
    """Sizes of a :class:`CNN`.

    Attributes:
        vocabulary_size: V + 2, the ids of padding and of the unknown word among them.
        dimensions: d, the length of a word vector.
        region_sizes: h of each branch, in words.
        filters: n_f of each branch.
        pooled: k of the k-max pooling; 1 is max-over-time pooling.
        dropout: on the document embedding.
        word_dropout: probability that a whole word's vector is left out, in training only.
        static: whether the word vectors stay as they were initialised.
        classes: 2 gives one sigmoid neuron, more give a softmax.
    """

    vocabulary_size: int
    dimensions: int = 100
    region_sizes: tuple[int, ...] = (1, 2, 3)
    filters: int = 100
    pooled: int = 1
    dropout: float = 0.5
    word_dropout: float = 0.0
    static: bool = False
    classes: int = 2

    def __post_init__(self) -> None:
        """Take the region sizes as a tuple also where they come from JSON."""
        object.__setattr__(self, "region_sizes", tuple(self.region_sizes))


class CNN(nn.Module):
    """Parallel convolutions of several region sizes, ReLU, global k-max pooling, one linear layer."""

    def __init__(self, config: CNNConfig) -> None:
        """Build the network with random weights."""
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary_size, config.dimensions, padding_idx=PAD)
        nn.init.uniform_(self.embedding.weight, -0.25, 0.25)
        self.embedding.weight.data[PAD] = 0
        self.embedding.weight.requires_grad_(not config.static)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(config.dimensions, config.filters, size) for size in config.region_sizes
        )
        self.dropout = nn.Dropout(config.dropout)
        embedding_size = config.filters * config.pooled * len(config.region_sizes)
        self.output = nn.Linear(embedding_size, 1 if config.classes == 2 else config.classes)

    def forward(self, ids: Tensor) -> Tensor:
        """Return logits (B, C) of ``ids`` (B, T), padded with id 0 at the end."""
        return self.classify(self.embed(ids), ids != PAD)

    def embed(self, ids: Tensor) -> Tensor:
        """Return the word vectors, shape (B, T, D)."""
        return self.embedding(ids)

    def classify(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return logits (B, C): the log-odds of the positive class where there are two."""
        if self.training and self.config.word_dropout:
            kept = torch.rand(mask.shape, device=mask.device) >= self.config.word_dropout
            embedded = embedded * kept.unsqueeze(-1)
        return self.output(self.dropout(self.encode(embedded, mask)))

    def encode(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the document embeddings, shape (B, branches * filters * k).

        Only the winning windows reach the output, so only they need a gradient: the feature maps are
        computed without one, and the winners' activations again with it: same function, same gradient, less
        time for each training step (benchmarks/README.md says how much).
        """
        with torch.no_grad():
            winners = [scores.topk(self.config.pooled, dim=2) for scores in self.window_scores(embedded, mask)]
        embedded = self._room(embedded, mask)
        pooled = []
        for convolution, (score, start) in zip(self._branches, winners, strict=True):
            activation = self._activation(convolution, embedded, start)
            # A text with fewer than k windows has no k-th winner: it contributes nothing.
            pooled.append(torch.where(score.isneginf(), 0.0, activation).flatten(1))
        return torch.cat(pooled, dim=1)

    def window_scores(self, embedded: Tensor, mask: Tensor) -> list[Tensor]:
        """Return, for each branch, what its filters answer to each window before the ReLU.

        Shapes (B, F, P); the window at p covers words p to p + h - 1. It is -inf for a window that is not one
        of the text's own.
        """
        embedded = self._room(embedded, mask)
        lengths = mask.sum(dim=1)
        scores = []
        for convolution, size in zip(self._branches, self.config.region_sizes, strict=True):
            answers = convolution(embedded.transpose(1, 2))  # (B, F, P)
            place = torch.arange(answers.shape[2], device=mask.device)
            last = (lengths - size).clamp(min=0)  # a short text keeps its first window
            own = (place <= last.unsqueeze(1)) & (lengths > 0).unsqueeze(1)  # (B, P)
            scores.append(answers.masked_fill(~own.unsqueeze(1), float("-inf")))
        return scores

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms of Tixier (2018), section 5.3, with this model's numbers.

        The embedding has V + 2 rows where the notes have V + 1: the unknown word has one of its own.
        """
        config = self.config
        rows, d, n_f = config.vocabulary_size, config.dimensions, config.filters
        embedding_size, outputs = self.output.in_features, self.output.out_features
        terms = [] if config.static else [ParameterTerm("word embeddings", f"{rows:,} × {d}", rows * d)]
        terms += [
            ParameterTerm(f"convolution, region size {h}", f"{h} × {d} × {n_f} + {n_f}", h * d * n_f + n_f)
            for h in config.region_sizes
        ]
        output = ParameterTerm(
            "output layer", f"{embedding_size} × {outputs} + {outputs}", embedding_size * outputs + outputs
        )
        return (*terms, output)

    @property
    def _branches(self) -> list[nn.Conv1d]:
        return cast("list[nn.Conv1d]", list(self.convolutions))

    def _room(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return ``embedded`` with zero vectors at the end, so that the longest region fits k times.

        The one window of a text shorter than its region reaches into the padding: zeros there, whatever it holds.
        """
        if (mask.sum(dim=1) < max(self.config.region_sizes)).any():
            embedded = embedded * mask.unsqueeze(-1)
        room = max(self.config.region_sizes) + self.config.pooled - 1 - embedded.shape[1]
        return functional.pad(embedded, (0, 0, 0, room)) if room > 0 else embedded

    def _activation(self, convolution: nn.Conv1d, embedded: Tensor, start: Tensor) -> Tensor:
        """Return the ReLU activations (B, F, k) of the windows that begin at ``start`` (B, F, k)."""
        weight, bias = convolution.weight, cast("Tensor", convolution.bias)  # (F, D, h), (F,)
        batch, length, dimensions = embedded.shape
        filters, _, size = weight.shape
        first = torch.arange(batch, device=start.device).unsqueeze(1) * length  # (B, 1)
        # Filters lead, so that each meets its own windows in one matrix product, without a copy.
        place = (first + start.transpose(0, 1)).unsqueeze(-1) + torch.arange(size, device=start.device)  # (F, B, k, h)
        # A look-up in the batch's words: its backward adds rows up in parallel, which indexing does not.
        windows = functional.embedding(place, embedded.reshape(-1, dimensions))  # (F, B, k, h, D)
        patterns = weight.transpose(1, 2).reshape(filters, size * dimensions, 1)
        answers = torch.bmm(windows.view(filters, -1, size * dimensions), patterns).view(filters, batch, -1)
        return torch.relu(answers.transpose(0, 1) + bias.unsqueeze(1))


MODEL = Architecture(
    name="cnn",
    title="Convolutional network",
    source="Kim 2014; Zhang and Wallace 2015; Tixier 2018, section 5",
    config=CNNConfig,
    build=CNN,
)
