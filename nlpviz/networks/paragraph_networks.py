r"""What networks of paragraph vectors share: a vector for each text, learnt by predicting the words of that text.

Le and Mikolov (2014), *Distributed Representations of Sentences and Documents*. A text's vector is no function of its
words that a network computes in one go: it is what gradient descent finds. For a text that training did not see, the
word vectors stay as they are and the same descent is taken for its own vector alone, which the paper calls inference
(section 2.2). A logistic regression over the vectors predicts the class, as in its section 3.

The noise words of negative sampling (Mikolov, Sutskever et al. 2013) are drawn by a seed, and so is where the descent
begins. With the seed everything is fixed: a text has the same vector each time, whatever texts it is asked with.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import NamedTuple, Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpviz.networks.layers import ParameterTerm
from nlpviz.text.vocabulary import UNKNOWN

_AT_ONCE = 1 << 24
"""Numbers of word vectors in memory at a time while texts are inferred."""
_LEAST = 1e-8


class ParagraphConfig(Protocol):
    """What the config of every such network has."""

    @property
    def vocabulary_size(self) -> int:
        """Ids, those of padding and of the unknown word among them."""
        ...

    @property
    def dimensions(self) -> int:
        """Of a vector, E."""
        ...

    @property
    def classes(self) -> int:
        """How many the regression tells apart: 2 have one log-odds."""
        ...

    @property
    def negative(self) -> int:
        """Noise words that a prediction counts for."""
        ...

    @property
    def steps(self) -> int:
        """Of the descent to a new text's vector."""
        ...

    @property
    def rate(self) -> float:
        """Of its first step; it falls linearly to nothing."""
        ...

    @property
    def drawn(self) -> int:
        """Noise words that are drawn for each step."""
        ...


class LookedUp(NamedTuple):
    """Rows of words, each of one text, with what a network looks up of them once.

    Attributes:
        words: (C, S), ids.
        weights: (C, S), how much each prediction counts; 0 where there is no word.
        predicted: (C, S, E), the words' output vectors.
        near: (C, S, S), which words stand in each word's window; None where no order is read.
        around: (C, S, E), the sum of the input vectors of these; None likewise.
        sizes: (C, S, 1), how many they are, and the text's own vector; None likewise.
    """

    words: Tensor
    weights: Tensor
    predicted: Tensor
    near: Tensor | None = None
    around: Tensor | None = None
    sizes: Tensor | None = None


class SparseRows(NamedTuple):
    """Some rows of a table: which (n,), the loss's gradient by each (n, E), and a bound of its curvature there (n,)."""

    rows: Tensor
    gradients: Tensor
    curvatures: Tensor


class ParagraphStep(NamedTuple):
    """The gradients of one step.

    Attributes:
        documents: (C, E), of the loss with respect to each row's text.
        curvatures: gives a bound of the loss's curvature by each row's text, (C,).
        tables: gives, by the name of a table of words, the gradients of its rows.
        loss: gives the loss, in nats summed over the predictions.
    """

    documents: Tensor
    curvatures: Callable[[], Tensor]
    tables: Callable[[], dict[str, tuple[SparseRows, ...]]]
    loss: Callable[[], Tensor]


class ParagraphNetwork(nn.Module):
    """Output vectors of the words, what is drawn against them, and a regression over the vectors of texts."""

    share: Tensor
    kept: Tensor

    def __init__(self, config: ParagraphConfig) -> None:
        """Begin with small random word vectors.

        Output vectors are random as well: those of word2vec, which are zero, would give all texts one vector.
        """
        super().__init__()
        self.config = config
        shape = config.vocabulary_size, config.dimensions
        self.output = nn.Parameter((torch.rand(shape) - 0.5) / config.dimensions)
        self.judge = nn.Linear(config.dimensions, 1 if config.classes == 2 else config.classes)
        words = (torch.arange(config.vocabulary_size) > UNKNOWN).float()
        self.register_buffer("share", words)  # (V,), how often each word is drawn as noise, 1 in the mean
        self.register_buffer("kept", words.clone())  # (V,), the share of each word's occurrences that counts

    @property
    def embedding_size(self) -> int:
        """The numbers of a text's vector."""
        return self.config.dimensions

    def forward(self, ids: Tensor) -> Tensor:
        """Return logits (B, C) of ``ids`` (B, T), padded with id 0 at the end."""
        return self.represent(ids)[1]

    def represent(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """Return the vectors (B, E) of texts with ``ids`` (B, T), by seed 0, and what the regression says of them."""
        vectors = self.infer(ids)
        return vectors, self.judge(vectors)

    def infer(self, ids: Tensor, seed: int = 0) -> Tensor:
        """Return the vectors (B, E) that descent finds for ``ids`` (B, T).

        Each step takes the gradient of the mean loss over the text's words. Its length is the rate times the gradient
        over the root of the mean squares so far, summed (AdaGrad, one number a text), as in training. A text without a
        known word stays where the descent begins.

        Args:
            ids: padded with id 0 at the end.
            seed: of where the descent begins and of the noise words, which all texts share.
        """
        config, generator = self.config, torch.Generator().manual_seed(seed)
        begin = (torch.rand(config.dimensions, generator=generator) - 0.5) / config.dimensions
        uniform = torch.rand(config.steps, config.drawn, generator=generator).to(ids.device)
        noise = drawn(self.share, uniform)  # (steps, drawn)
        if not ids.shape[1]:
            return begin.to(ids.device).expand(len(ids), -1)
        at_once = max(1, _AT_ONCE // (ids.shape[1] * config.dimensions))
        return torch.cat([self._descend(rows, begin.to(ids.device), noise) for rows in torch.split(ids, at_once)])

    def _descend(self, ids: Tensor, begin: Tensor, noise: Tensor) -> Tensor:
        weights = self.kept[ids] * (ids > UNKNOWN)  # (B, T)
        weights = weights / weights.sum(dim=1, keepdim=True).clamp(min=_LEAST)
        passage, vectors = self.look_up(ids, weights), begin.expand(len(ids), -1)
        total = torch.zeros(len(ids), 1, device=ids.device)
        for number, words in enumerate(noise):
            gradient = self.step(vectors, passage, words.unsqueeze(0)).documents
            total = total + gradient.square().mean(dim=1, keepdim=True)
            rate = self.config.rate * (1 - number / len(noise))
            vectors = vectors - rate * gradient / (total + _LEAST).sqrt()
        return vectors

    @abstractmethod
    def look_up(self, words: Tensor, weights: Tensor) -> LookedUp:
        """Return rows of ``words`` (C, S) with their vectors; ``weights`` (C, S) is 0 where there is none."""

    @abstractmethod
    def step(self, documents: Tensor, passage: LookedUp, noise: Tensor) -> ParagraphStep:
        """Return the gradients of the loss of C rows of words, whose texts have the vectors ``documents`` (C, E).

        ``noise`` (G, K) are the ids of the noise words of G groups of rows, C / G each.
        """

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of; texts' vectors are none of them."""
        size, dimensions = self.config.vocabulary_size, self.config.dimensions
        tables = [name for name, weight in self.named_parameters(recurse=False) if weight.dim() == 2]
        outputs, inputs = self.judge.weight.shape
        return (
            *(ParameterTerm(f"{name} vectors", f"{size:,} × {dimensions}", size * dimensions) for name in tables),
            ParameterTerm("logistic regression", f"{inputs} × {outputs} + {outputs}", inputs * outputs + outputs),
        )


def drawn(share: Tensor, uniform: Tensor) -> Tensor:
    """Return the ids of noise words that even numbers ``uniform`` (...) from 0 to 1 draw by their ``share`` (V,)."""
    cumulated = share.double().cumsum(0)
    return torch.searchsorted(cumulated / cumulated[-1], uniform.double(), right=True).clamp_(max=len(share) - 1)


def squares(vectors: Tensor) -> Tensor:
    """Return the squared lengths (...) of vectors (..., E)."""
    result: Tensor = torch.linalg.vecdot(vectors, vectors)
    return result


class ScoredWords(NamedTuple):
    """How words are distinguished from noise: products, and derivatives of the loss by each.

    Attributes:
        true: (C, S), of each prediction with its word.
        false: of the predictions with the noise words, (C, K) where those of a row are all alike, else (C, S, K).
        weights: of the true ones.
        against: of the false ones, in a shape that goes with theirs.
    """

    true: Tensor
    false: Tensor
    weights: Tensor
    against: Tensor

    def slopes(self) -> tuple[Tensor, Tensor]:
        """Return the first derivatives of -log sigmoid(true) - log sigmoid(-false), each times its weight."""
        return (torch.sigmoid(self.true) - 1) * self.weights, torch.sigmoid(self.false) * self.against

    def bends(self) -> tuple[Tensor, Tensor]:
        """Return the second derivatives likewise."""
        true, false = torch.sigmoid(self.true), torch.sigmoid(self.false)
        return true * (1 - true) * self.weights, false * (1 - false) * self.against

    def loss(self) -> Tensor:
        """Return the loss, in nats summed over the predictions."""
        positive = (functional.softplus(-self.true) * self.weights).sum()
        return positive + (functional.softplus(self.false) * self.against).sum()
