"""Networks that read a text word by word and predict the next word: what several architectures have in common.

A word's vector is read and predicted by the same numbers (Inan, Khosravi and Socher 2017; Press and Wolf 2017). Rare
words, which are most of a vocabulary and little of a text, may have fewer numbers each and a projection to the full
length (Baevski and Auli 2019, *Adaptive Input Representations*, section 3, without the clusters of their softmax: the
softmax is over all words).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Protocol, cast

import torch
from torch import Tensor, nn

from nlpviz.cells import Part
from nlpviz.layers import ParameterCount, ParameterTerm, VariationalDropout
from nlpviz.sequences import Unrolled
from nlpviz.text.vocabulary import PAD, UNKNOWN

SHRINK = 4
"""Each band of rarer words has vectors that are so many times shorter than those of the band before."""

ReaderState = dict[str, Tensor]
"""What a network goes on from after some words: tensors with a row for each text."""


class LanguageConfig(Protocol):
    """The settings that every :class:`LanguageNetwork` has."""

    @property
    def vocabulary_size(self) -> int:
        """V, the ids of padding and of the unknown word among them."""

    @property
    def dimensions(self) -> int:
        """D, the length of a word vector."""

    @property
    def cutoffs(self) -> tuple[int, ...]:
        """The ids at which a band of rarer words begins, which have shorter vectors."""

    @property
    def predicts_unknown(self) -> bool:
        """Whether the unknown word is one of those that are predicted."""

    @property
    def input_dropout(self) -> float:
        """On the word vectors that are read, one mask for a text."""

    @property
    def output_dropout(self) -> float:
        """On the vectors that words are predicted from, one mask for a text."""


class WordTable(nn.Module):
    """V vectors of D numbers; with cutoffs, those of rarer words are shorter ones, projected.

    Attributes:
        cutoffs: the ids at which each band begins, and V.
    """

    def __init__(self, size: int, dimensions: int, cutoffs: tuple[int, ...] = ()) -> None:
        """Build it, with random vectors and zero for the padding.

        Args:
            size: V.
            dimensions: D.
            cutoffs: ids at which another band begins, ascending, none of them 0.

        Raises:
            ValueError: if the cutoffs do not ascend.
        """
        super().__init__()
        inner = tuple(cutoff for cutoff in cutoffs if cutoff < size)
        self.cutoffs = (0, *inner, size)
        if any(later <= earlier for earlier, later in pairwise(self.cutoffs)):
            raise ValueError(f"the cutoffs {cutoffs} do not ascend between 0 and {size}")
        self.size, self.dimensions = size, dimensions
        self.bands = nn.ParameterList()
        self.projections = nn.ParameterList()
        for band, (first, end) in enumerate(pairwise(self.cutoffs)):
            width = max(dimensions // SHRINK**band, 1)
            self.bands.append(torch.randn(end - first, width) * dimensions**-0.5)
            if band:
                self.projections.append(torch.randn(width, dimensions) * width**-0.5)
        self.bands[0].data[PAD] = 0

    def vectors(self, ids: Tensor) -> Tensor:
        """Return the vectors (K, D) of ``ids`` (K,), which ascend."""
        ends = torch.searchsorted(ids, torch.tensor(self.cutoffs[1:], device=ids.device)).tolist()
        found = [
            self._projected(band, table[ids[first:end] - start])
            for band, (table, start, first, end) in enumerate(
                zip(self.bands, self.cutoffs, (0, *ends), ends, strict=False)
            )
            if end > first
        ]
        return torch.cat(found) if found else self.bands[0][:0]

    def forward(self, ids: Tensor) -> Tensor:
        """Return the vectors (B, T, D) of ``ids`` (B, T)."""
        if len(self.bands) == 1:
            return cast("Tensor", self.bands[0][ids])
        words, where = torch.unique(ids, return_inverse=True)
        return self.vectors(words)[where]

    def scores(self, states: Tensor, candidates: Tensor | None = None) -> Tensor:
        """Return ``states`` (..., D) times the vectors of all words (..., V), or of ascending ``candidates`` (K,)."""
        if candidates is not None:
            return states @ self.vectors(candidates).T
        found = [states @ self.bands[0].T]
        for table, projection in zip(list(self.bands)[1:], self.projections, strict=True):
            found.append(states @ projection.T @ table.T)
        return torch.cat(found, dim=-1)

    def _projected(self, band: int, rows: Tensor) -> Tensor:
        return rows @ self.projections[band - 1] if band else rows

    def term(self) -> ParameterCount:
        """Return the number of parameters."""
        shapes = [tuple(table.shape) for table in (*self.bands, *self.projections)]
        return ParameterCount(
            " + ".join(f"{rows:,} × {width}" for rows, width in shapes), sum(rows * width for rows, width in shapes)
        )


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
    parts: tuple[Part, ...] = ()
    formula: tuple[str, ...] = ()
    causal = True

    def __init__(self, config: LanguageConfig) -> None:
        """Make the word vectors."""
        super().__init__()
        self.config = config
        self.words = WordTable(config.vocabulary_size, config.dimensions, tuple(config.cutoffs))
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

    def unroll(self, embedded: Tensor, mask: Tensor) -> Unrolled:
        """Return what every layer holds after each word: states (B, T, L, H) and gates by name, as large."""
        raise NotImplementedError

    def encoder_term(self) -> ParameterCount:
        """Return the number of the encoder's parameters."""
        raise NotImplementedError

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        return (
            ParameterTerm("word vectors, read and predicted", *self.words.term()),
            ParameterTerm(self.counted_as, *self.encoder_term()),
            ParameterTerm("output biases", f"{self.config.vocabulary_size:,}", self.config.vocabulary_size),
        )
