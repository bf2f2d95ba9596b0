"""Networks that read a text word by word and predict the next word: what several architectures have in common.

A word's vector is read and predicted by the same numbers (Inan, Khosravi and Socher 2017; Press and Wolf 2017). The
softmax is over all words.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

from nlpviz.networks.layers import ParameterCount, ParameterTerm, VariationalDropout
from nlpviz.networks.sequences import Unrolled
from nlpviz.networks.word_tables import Banded, WordTable
from nlpviz.results.states import CellPart
from nlpviz.text.vocabulary import PAD, UNKNOWN

ReaderState = dict[str, Tensor]
"""What a network goes on from after some words: tensors with a row for each text."""
LOGITS_AT_ONCE = 2**19
"""Logits that are computed at once where none are kept: two mebibytes, which stay in the processor's cache."""


class LanguageConfig(Banded):
    """The settings that every :class:`LanguageNetwork` has; what derives from it is a dataclass of these and its own.

    Attributes:
        vocabulary_size: V, the ids of padding and of the unknown word among them.
        dimensions: D, the length of a word vector.
        predicts_unknown: whether the unknown word is one of those that are predicted.
        input_dropout: on the word vectors that are read, one mask for a text.
        output_dropout: on the vectors that words are predicted from, one mask for a text.
    """

    vocabulary_size: int
    dimensions: int
    predicts_unknown: bool
    input_dropout: float
    output_dropout: float


class LanguageNetwork(nn.Module):
    """Word vectors, an encoder that goes on from a state, and the probability of each next word.

    Attributes:
        words: the vectors that are read and predicted.
        predicted: the ids that are predicted.
        counted_as: what the encoder's parameters are called.
        parts: what the encoder's equations name.
        formula: the equations in TeX, a line each.
        causal: no state depends on a later word.
    """

    config: Any
    counted_as: str
    parts: tuple[CellPart, ...] = ()
    formula: tuple[str, ...] = ()
    causal = True

    def __init__(self, config: LanguageConfig) -> None:
        """Make the word vectors."""
        super().__init__()
        self.config = config
        self.words = WordTable(config.vocabulary_size, config.dimensions, config.cutoffs)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.input_dropout = VariationalDropout(config.input_dropout)
        self.output_dropout = VariationalDropout(config.output_dropout)
        self.predicted = range(UNKNOWN if config.predicts_unknown else UNKNOWN + 1, config.vocabulary_size)

    def forward(self, ids: Tensor) -> Tensor:
        """Return logits (B, T, V) of what follows each of ``ids`` (B, T) in texts that begin there."""
        return self.predict(self.read_on(self.embed(ids), self.start(len(ids)))[0])

    def embed(self, ids: Tensor) -> Tensor:
        """Return the word vectors (B, T, D) of ``ids`` (B, T)."""
        return self.words(ids)  # type: ignore[no-any-return]

    def mask(self, ids: Tensor) -> Tensor:
        """Return where ``ids`` (B, T) are words."""
        return ids != PAD

    def start(self, rows: int) -> ReaderState:
        """Return the state of ``rows`` texts before their first word."""
        raise NotImplementedError

    def read_on(self, embedded: Tensor, state: ReaderState) -> tuple[Tensor, ReaderState]:
        """Return what the next word is predicted from after each word (B, T, D), and the state after the last one.

        Args:
            embedded: word vectors (B, T, D), without padding between words.
            state: after the words before them. No gradient goes back beyond it.
        """
        raise NotImplementedError

    def predict(self, hidden: Tensor, candidates: Tensor | None = None) -> Tensor:
        """Return logits (..., V) of the next word from ``hidden`` (..., D), or (..., K) of ``candidates`` (K,).

        Candidates ascend, and are none of the ids that are never predicted; of all ids, those have minus infinity.
        """
        if candidates is not None:
            return self.words.scores(hidden, candidates) + self.bias[candidates]
        logits = self.words.scores(hidden) + self.bias
        logits[..., : self.predicted.start] = -torch.inf
        return logits

    @torch.no_grad()
    def log_probabilities(self, hidden: Tensor, words: Tensor) -> Tensor:
        """Return the log-probability of each of ``words`` (N,) by ``hidden`` (N, D): a softmax taken piece by piece.

        The logits of all words are never side by side, and all of them pass through the same memory: getting new memory
        takes longer than computing them.
        """
        right, sums = hidden.new_full((len(words),), -torch.inf), []
        at_once = max(LOGITS_AT_ONCE // max(len(hidden), 1), 1)
        memory = hidden.new_empty(2, len(hidden) * at_once)
        bands = zip(pairwise(self.words.cutoffs), self.words.by_band(hidden), strict=True)
        for (first, end), (brought, table) in bands:
            lowest = max(self.predicted.start, first)
            if lowest >= end:
                continue  # a band of what is never predicted
            inside = ((words >= lowest) & (words < end)).nonzero()[:, 0]
            ids = words[inside]
            right[inside] = (brought[inside] * table[ids - first]).sum(dim=1) + self.bias[ids]
            pieces = (torch.split(one, at_once) for one in (table[lowest - first :], self.bias[lowest:end]))
            for weights, bias in zip(*pieces, strict=True):
                logits, logs = memory[:, : len(hidden) * len(bias)].view(2, len(hidden), len(bias))
                torch.addmm(bias, brought, weights.T, out=logits)
                torch.log_softmax(logits, dim=1, out=logs)  # half the time of logsumexp
                sums.append(logits[:, 0] - logs[:, 0])
        return (right - torch.stack(sums).logsumexp(dim=0)).clamp_(max=0)

    def unroll(self, embedded: Tensor, mask: Tensor) -> Unrolled:
        """Return what every layer holds after each word: states (B, T, L, H) and gates by name, as large."""
        raise NotImplementedError

    def shown(self, states: Tensor) -> Tensor:
        """Return what words are predicted from, (..., D), of a layer's states (..., H) as :meth:`unroll` has them.

        Of the last layer it is what the network predicts from. Of one below it is what the output words make of a state
        that they were not trained on (nostalgebraist 2020, "the logit lens").
        """
        raise NotImplementedError

    def encoder_term(self) -> ParameterCount:
        """Return the number of the encoder's parameters."""
        raise NotImplementedError

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        return (
            ParameterTerm("word vectors, tied input and output", *self.words.term()),
            ParameterTerm(self.counted_as, *self.encoder_term()),
            ParameterTerm("output biases", f"{self.config.vocabulary_size:,}", self.config.vocabulary_size),
        )
