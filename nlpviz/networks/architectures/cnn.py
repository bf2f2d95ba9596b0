"""A convolutional network over word vectors, for text classification.

Kim (2014), *Convolutional Neural Networks for Sentence Classification*; Zhang and Wallace (2015), *A
Sensitivity Analysis of (and Practitioners' Guide to) CNNs for Sentence Classification*; as in Tixier (2018),
*Notes on Deep Learning for NLP*, sections 5.2 and 5.3. Two deviations: the bias is added before the ReLU, as
in Kim's equation 2 (Tixier's equation 3 adds it after), and windows that reach into padding take no part in
the pooling (a text shorter than a region keeps the one window that starts at its first word).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.autograd.function import FunctionCtx, once_differentiable
from torch.nn import functional

from nlpviz.networks.architectures import Architecture, ParameterTerm
from nlpviz.networks.layers import WordClassifier


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


class CNN(WordClassifier):
    """Parallel convolutions of several region sizes, ReLU, global k-max pooling, one linear layer."""

    config: CNNConfig

    def __init__(self, config: CNNConfig) -> None:
        """Build the network with random weights."""
        super().__init__(config)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(config.dimensions, config.filters, size) for size in config.region_sizes
        )
        self.end_with(config.filters * config.pooled * len(config.region_sizes))

    def encode(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the document embeddings, shape (B, branches * filters * k).

        A text with fewer than k windows has no k-th winner: it contributes nothing.
        """
        # ReLU after the pooling: it is monotonic, so the same windows win, and it runs on k answers instead of P.
        return torch.cat([torch.relu(answers).flatten(1) for answers in self._winners(embedded, mask)], dim=1)

    def classify_scaled(self, embedded: Tensor, mask: Tensor, alphas: Tensor) -> Tensor:
        """Return the logits (S, C) of one text (1, T, D) whose word vectors are multiplied by each of ``alphas`` (S,).

        Without its bias, a window's answer is linear in the share, so that the same windows win for every share
        above zero: one convolution serves them all.
        """
        pooled = []
        for convolution, answers in zip(self._branches, self._winners(embedded, mask), strict=True):
            bias = cast("Tensor", convolution.bias).unsqueeze(1)  # (F, 1)
            scaled = torch.relu(alphas.view(-1, 1, 1) * (answers - bias) + bias)  # (S, F, k)
            pooled.append(torch.where(answers.isneginf(), 0.0, scaled).flatten(1))
        return self.output(torch.cat(pooled, dim=1))

    def classify_occluded(self, embedded: Tensor, mask: Tensor, kept: Tensor) -> Tensor:
        """Return the logits (S, C) of one text (1, T, D) with zero vectors where ``kept`` (S, T) is False.

        A window's answer is the sum of what its words are worth at their places in it, so that each word is multiplied
        by the filters once, and what is left of a window is a sum of h products.
        """
        words, own = self._room(embedded, mask)[0], int(mask.sum())  # (T', D)
        room = functional.pad(kept.to(words.dtype), (0, len(words) - kept.shape[1]))  # (S, T')
        pooled = []
        for convolution, size in zip(self._branches, self.config.region_sizes, strict=True):
            count = max(own - size + 1, 1) if own else 0  # P, windows of the text's own
            worth = torch.einsum("td,fdh->htf", words, convolution.weight)  # (h, T', F)
            worth = torch.stack([worth[place, place : place + count] for place in range(size)], dim=1)  # (P, h, F)
            places = room.T.unfold(0, size, 1)[:count]  # (P, S, h)
            k = min(self.config.pooled, count)
            answers = places @ worth  # (P, S, F)
            # The bias is the same for every window, so that it is added to the k winners only.
            largest = answers.amax(dim=0, keepdim=True) if k == 1 else answers.topk(k, dim=0)[0]
            active = torch.relu(largest + cast("Tensor", convolution.bias)).permute(1, 2, 0)  # (S, F, k)
            pooled.append(functional.pad(active, (0, self.config.pooled - k)).flatten(1))
        return self.output(torch.cat(pooled, dim=1))

    def window_scores(self, embedded: Tensor, mask: Tensor) -> list[Tensor]:
        """Return, for each branch, its filters' output at each window before the ReLU.

        Shapes (B, F, P); the window at p covers words p to p + h - 1. It is -inf for a window that is not one
        of the text's own.
        """
        return self._window_scores(self._room(embedded, mask), mask)

    @property
    def region_sizes(self) -> tuple[int, ...]:
        """The size h of each branch, in words."""
        return self.config.region_sizes

    @property
    def pooled(self) -> int:
        """k: how many regions each filter's pooling takes."""
        return self.config.pooled

    def filter_weights(self) -> list[Tensor]:
        """Return the filters of each branch, (F, D, h)."""
        return [branch.weight for branch in self._branches]

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms of Tixier (2018), section 5.3, with this model's numbers.

        The embedding has V + 2 rows where the notes have V + 1: the unknown word has one of its own.
        """
        config, d, n_f = self.config, self.config.dimensions, self.config.filters
        terms = [] if config.static else [ParameterTerm("word embeddings", *self.term_of_vectors())]
        terms += [
            ParameterTerm(f"convolution, region size {h}", f"{h} × {d} × {n_f} + {n_f}", h * d * n_f + n_f)
            for h in config.region_sizes
        ]
        return (*terms, ParameterTerm("output layer", *self.term_of_output()))

    @property
    def _branches(self) -> list[nn.Conv1d]:
        return cast("list[nn.Conv1d]", list(self.convolutions))

    def _winners(self, embedded: Tensor, mask: Tensor) -> list[Tensor]:
        """Return the k largest window scores of each filter, (B, F, k) for each branch; -inf where there are fewer."""
        embedded = self._room(embedded, mask)
        with torch.no_grad():
            scores = self._window_scores(embedded, mask)
        apply = cast("Callable[..., Tensor]", _Winners.apply)
        return [
            apply(embedded, convolution.weight, convolution.bias, answers, self.config.pooled)
            for convolution, answers in zip(self._branches, scores, strict=True)
        ]

    def _window_scores(self, embedded: Tensor, mask: Tensor) -> list[Tensor]:
        """Return :meth:`window_scores` of ``embedded`` with room for the longest region."""
        words = embedded.transpose(1, 2)  # (B, D, T)
        # Tixier 2018, equation 2, with the bias already added.
        scores = [convolution(words) for convolution in self._branches]  # (B, F, P)
        if mask.is_cpu and embedded.shape[1] == mask.shape[1] and mask.all():
            return scores  # nothing is padded; a GPU would be waited for, to say so
        lengths = mask.sum(dim=1)
        for branch, (answers, size) in enumerate(zip(scores, self.config.region_sizes, strict=True)):
            position = torch.arange(answers.shape[2], device=mask.device)
            last = (lengths - size).clamp(min=0)  # a short text keeps its first window
            own = (position <= last.unsqueeze(1)) & (lengths > 0).unsqueeze(1)  # (B, P)
            scores[branch] = answers.masked_fill(~own.unsqueeze(1), float("-inf"))
        return scores

    def _room(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return ``embedded`` with zero vectors at the end, so that the longest region fits k times.

        The one window of a text shorter than its region reaches into the padding: zeros there, whatever it holds.
        """
        if not mask.is_cpu or (mask.sum(dim=1) < max(self.config.region_sizes)).any():
            embedded = embedded * mask.unsqueeze(-1)
        room = max(self.config.region_sizes) + self.config.pooled - 1 - embedded.shape[1]
        return functional.pad(embedded, (0, 0, 0, room)) if room > 0 else embedded


class _Winners(torch.autograd.Function):
    """The k largest of each filter's answers, differentiated as what they are: answers to k windows.

    Max pooling passes a gradient to the winning windows only, so that neither feature maps nor a gradient of them
    need a graph: same function, same gradient, less time for a training step and for an explanation
    (benchmarks/README.md says how much).
    """

    @staticmethod
    def forward(
        ctx: FunctionCtx,
        embedded: Tensor,
        weight: Tensor,
        bias: Tensor,  # noqa: ARG004 - it is in the answers; here it gets its gradient
        answers: Tensor,
        count: int,
    ) -> Tensor:
        """Return the ``count`` largest of ``answers`` (B, F, P), the filters' outputs on ``embedded`` (B, T, D)."""
        largest, start = answers.max(dim=2, keepdim=True) if count == 1 else answers.topk(count, dim=2)
        ctx.save_for_backward(embedded, weight, start)
        return largest

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401 - torch types it so
        """Return the gradients of ``embedded``, ``weight`` and ``bias`` from that of the winners, (B, F, k)."""
        embedded, weight, start = ctx.saved_tensors
        of_words, of_weight, of_bias, *_ = ctx.needs_input_grad
        (batch, length, dimensions), (filters, _, size) = embedded.shape, weight.shape
        first = torch.arange(batch, device=start.device).unsqueeze(1) * length  # (B, 1)
        # Filters lead, so that each meets its own windows in one matrix product, without a copy.
        position = (first + start.transpose(0, 1)).unsqueeze(-1) + torch.arange(
            size, device=start.device
        )  # (F, B, k, h)
        above = gradient.transpose(0, 1)  # (F, B, k)
        to_words = to_weight = None
        if of_words:
            patterns = weight.transpose(1, 2).reshape(filters, 1, size * dimensions)
            windows = (above.reshape(filters, -1, 1) * patterns).view(*position.shape, dimensions)  # (F, B, k, h, D)
            # The backward of a look-up in the batch's words: it adds rows up in parallel, which indexing does not.
            to_words = torch.ops.aten.embedding_dense_backward(windows, position, batch * length, -1, False)
            to_words = to_words.view_as(embedded)
        if of_weight:
            windows = functional.embedding(position, embedded.reshape(-1, dimensions))
            to_weight = torch.bmm(above.reshape(filters, 1, -1), windows.view(filters, -1, size * dimensions))
            to_weight = to_weight.view(filters, size, dimensions).transpose(1, 2)
        return to_words, to_weight, above.sum(dim=(1, 2)) if of_bias else None, None, None


MODEL = Architecture(
    name="cnn",
    title="Convolutional network",
    source="Kim 2014; Zhang and Wallace 2015; Tixier 2018, section 5",
    config=CNNConfig,
    build=CNN,
)
