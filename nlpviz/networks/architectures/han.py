"""The hierarchical attention network: attention over the words of each sentence, then over the sentences.

Yang, Yang, Dyer, He, Smola and Hovy (2016), *Hierarchical Attention Networks for Document Classification*, equations 1
to 10; Tixier (2018), *Notes on Deep Learning for NLP*, section 7.2.2. A word's weight in the document embedding is its
weight within its sentence times the sentence's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from nlpviz.networks.architectures import Architecture, ParameterTerm
from nlpviz.networks.layers import Attention, BothWays, WordClassifier, weighted_sum
from nlpviz.text.vocabulary import PAD, SENTENCE

_WORD = SENTENCE - 1  # the bits of the word in what the model takes of it
_ALIKE = 0.5  # sentences are read together that have at least this share of the longest one's words


@dataclass(frozen=True)
class HANConfig:
    """Sizes of a :class:`HAN`.

    Attributes:
        vocabulary_size: V + 2, the ids of padding and of the unknown word among them.
        dimensions: d, the length of a word vector.
        units: of the state of one direction, at both levels.
        attention: length of what is compared with the context vectors, at both levels.
        dropout: on the sentence vectors and on the document embedding.
        word_dropout: probability that a whole word's vector is left out, in training only.
        static: whether the word vectors stay as they were initialised.
        classes: 2 gives one sigmoid neuron, more give a softmax.
    """

    vocabulary_size: int
    dimensions: int = 100
    units: int = 50
    attention: int = 100
    dropout: float = 0.5
    word_dropout: float = 0.0
    static: bool = False
    classes: int = 2


class _Attended(NamedTuple):
    """Document embeddings (B, 2 * units), and the weights of words (B, T) and sentences (B, S) that make them."""

    documents: Tensor
    words: Tensor
    sentences: Tensor


class HAN(WordClassifier):
    """Recurrent annotations of words, pooled by attention to sentences; of sentences, pooled to the document."""

    config: HANConfig

    def __init__(self, config: HANConfig) -> None:
        """Build the network with random weights."""
        super().__init__(config)
        self.word_recurrent = BothWays("gru", config.dimensions, config.units)
        self.word_attention = Attention(2 * config.units, config.attention)
        self.sentence_recurrent = BothWays("gru", 2 * config.units, config.units)
        self.sentence_attention = Attention(2 * config.units, config.attention)
        self.end_with(2 * config.units)

    def embed(self, ids: Tensor) -> Tensor:
        """Return the word vectors (B, T, D) of ``ids`` (B, T), which carry their sentences."""
        return super().embed(ids & _WORD)

    def mask(self, ids: Tensor) -> Tensor:
        """Return the number of each word's sentence from 1, zero where ``ids`` (B, T) is padding."""
        return torch.where(ids & _WORD == PAD, 0, ids // SENTENCE + 1)

    def encode(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the document embeddings v, the weighted sums of the sentences' annotations, (B, 2 * units)."""
        return self._attended(embedded, mask).documents

    def attend(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the weight of each word in the document embedding (B, T): in its sentence times the sentence's."""
        words, sentences = self.attend_levels(embedded, mask)
        return words * _of_words(sentences, mask)

    def attend_levels(self, embedded: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the weight of each word within its sentence (B, T) and that of each sentence (B, S)."""
        attended = self._attended(embedded, mask)
        return attended.words, attended.sentences

    def classify_attending(
        self, embedded: Tensor, mask: Tensor, weights: Tensor, sentences: Tensor | None = None
    ) -> Tensor:
        """Return the logits (B, C) with other weights in place of the model's attention weights.

        With ``sentences`` (B, S), ``weights`` (B, T) are those within the sentences. Without, they are those in the
        document embedding, so that a sentence's weight is the sum of its words'; the vector of a sentence without
        weight is zero.
        """
        if sentences is None:
            sentences = _sums(weights, mask)
            alphas = weights / _of_words(sentences, mask)
            weights = torch.where(weights == 0, 0.0, alphas)
        return self.output(self._attended(embedded, mask, (weights, sentences)).documents)

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        terms = [] if self.config.static else [ParameterTerm("word embeddings", *self.term_of_vectors())]
        return (
            *terms,
            ParameterTerm("bidirectional GRU over words", *self.word_recurrent.term()),
            ParameterTerm("attention over words", *self.word_attention.term()),
            ParameterTerm("bidirectional GRU over sentences", *self.sentence_recurrent.term()),
            ParameterTerm("attention over sentences", *self.sentence_attention.term()),
            ParameterTerm("output layer", *self.term_of_output()),
        )

    def _attended(self, embedded: Tensor, mask: Tensor, given: tuple[Tensor, Tensor] | None = None) -> _Attended:
        """Return the document embeddings by the model's own weights, or by ``given`` ones of both levels."""
        batch, length, _ = embedded.shape
        counts = _sums(mask > 0, mask)  # (B, S): words of each sentence
        vectors, words = self._sentence_vectors(embedded, counts, None if given is None else given[0])
        held = counts > 0
        # A sentence without words, which deletion may leave, is none: the others move together.
        position = (held.cumsum(dim=1) - 1).clamp(min=0)  # (B, S)
        order = torch.argsort(~held, dim=1, stable=True).unsqueeze(-1)
        vectors = self.dropout(vectors.take_along_dim(order, dim=1))
        annotations = self.sentence_recurrent(vectors, held.sum(dim=1))
        there = torch.arange(counts.shape[1], device=mask.device) < held.sum(dim=1, keepdim=True)
        if given is None:
            own = self.sentence_attention(annotations, there)
            sentences = own.take_along_dim(position, dim=1) * held
        else:
            sentences = given[1]
            own = sentences.take_along_dim(order.squeeze(-1), dim=1) * there
        return _Attended(weighted_sum(own, annotations), words.view(batch, length), sentences)

    def _sentence_vectors(self, embedded: Tensor, counts: Tensor, given: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return the vectors of all sentences (B, S, 2 * units), and the weights of the words in them (B * T,)."""
        words = embedded.flatten(0, 1)  # (B * T, D)
        vectors = words.new_zeros(counts.numel(), 2 * self.config.units)
        weights = words.new_zeros(len(words))
        for rows in _rows(counts, embedded.shape[1]):
            own = rows.words >= 0
            # The backward of a look-up adds rows up in parallel, which indexing does not.
            looked_up = functional.embedding(rows.words.clamp(min=0), words)  # (R, L, D)
            annotations = self.word_recurrent(looked_up, own.sum(dim=1))
            if given is None:
                attended = self.word_attention(annotations, own)
            else:
                attended = given.flatten()[rows.words.clamp(min=0)] * own
            # s of Tixier 2018, equation 23: first over the words of a sentence, below over sentences.
            vectors = vectors.index_copy(0, rows.sentences, weighted_sum(attended, annotations))
            weights = weights.index_copy(0, rows.words[own], attended[own])
        return vectors.view(*counts.shape, vectors.shape[1]), weights


class _Rows(NamedTuple):
    """R sentences that are read together: their positions in (B * S,), and those of their words in (B * T,).

    ``words`` is (R, L), -1 behind a sentence's last word.
    """

    sentences: Tensor
    words: Tensor


def _rows(counts: Tensor, length: int) -> Iterator[_Rows]:
    """Yield the sentences of a batch, those of like length together, so that little padding is computed.

    Args:
        counts: words of each sentence, (B, S); a text's words stand in the order of its sentences, padding last.
        length: T, of a text's row.
    """
    texts = torch.arange(len(counts), device=counts.device).unsqueeze(1)
    first = (texts * length + counts.cumsum(dim=1) - counts).flatten()
    lengths, order = counts.flatten().sort(descending=True, stable=True)
    sizes = lengths.tolist()
    start = 0
    while start < len(sizes) and sizes[start]:
        longest = sizes[start]
        end = start
        while end < len(sizes) and sizes[end] and sizes[end] >= _ALIKE * longest:
            end += 1
        position = torch.arange(longest, device=counts.device)
        own = position < lengths[start:end].unsqueeze(1)
        yield _Rows(order[start:end], torch.where(own, first[order[start:end]].unsqueeze(1) + position, -1))
        start = end


def _sums(values: Tensor, mask: Tensor) -> Tensor:
    """Return the sum of ``values`` (B, T) over the words of each sentence, (B, S)."""
    most = int(mask.max()) if mask.numel() else 0
    kind = torch.long if values.dtype == torch.bool else values.dtype
    sums = torch.zeros(len(mask), most + 1, dtype=kind, device=mask.device)
    return sums.scatter_add(1, mask.long(), values.to(kind))[:, 1:]


def _of_words(sentences: Tensor, mask: Tensor) -> Tensor:
    """Return for each word what its sentence has in ``sentences`` (B, S), shape (B, T); zero at padding."""
    return functional.pad(sentences, (1, 0)).take_along_dim(mask.long(), dim=1)


MODEL = Architecture(
    name="han",
    title="Hierarchical attention network",
    source="Yang et al. 2016; Tixier 2018, section 7.2.2",
    config=HANConfig,
    build=HAN,
    reads_sentences=True,
)
