"""The peers of our recurrent networks with attention: the same as most would write them over ``nn.GRU``.

Texts of different lengths are packed; the sentences of a text are read one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class _Pooling(nn.Module):
    """Attention by a trained context vector."""

    def __init__(self, size: int, units: int) -> None:
        """Build it over annotations of ``size`` numbers."""
        super().__init__()
        self.hidden, self.context = nn.Linear(size, units), nn.Linear(units, 1, bias=False)

    def forward(self, annotations: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the weighted sum (B, H) of ``annotations`` (B, T, H)."""
        scores = self.context(torch.tanh(self.hidden(annotations)))[..., 0]
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        summed: Tensor = (scores.softmax(dim=1).unsqueeze(1) @ annotations)[:, 0]
        return summed


class PlainBiGRU(nn.Module):
    """Frozen word vectors, a bidirectional GRU over packed texts, attention, dropout, one sigmoid neuron."""

    def __init__(self, words: int, dimensions: int, units: int, attention: int) -> None:
        """Build the network with random weights."""
        super().__init__()
        self.embedding = nn.Embedding(words, dimensions, padding_idx=0).requires_grad_(False)
        self.gru = nn.GRU(dimensions, units, batch_first=True, bidirectional=True)
        self.pooling = _Pooling(2 * units, attention)
        self.dropout, self.output = nn.Dropout(0.5), nn.Linear(2 * units, 1)

    def forward(self, ids: Tensor) -> Tensor:
        """Return the log-odds (B,) of ``ids`` (B, T)."""
        lengths = (ids != 0).sum(dim=1)
        packed = pack_padded_sequence(self.embedding(ids), lengths, batch_first=True, enforce_sorted=False)
        annotations, _ = pad_packed_sequence(self.gru(packed)[0], batch_first=True)
        pooled = self.pooling(annotations, (ids != 0)[:, : annotations.shape[1]])
        scores: Tensor = self.output(self.dropout(pooled))
        return scores[:, 0]


class PlainHAN(nn.Module):
    """A GRU and attention over the words of each sentence in turn, then over the sentences, one sigmoid neuron."""

    def __init__(self, words: int, dimensions: int, units: int, attention: int) -> None:
        """Build the network with random weights."""
        super().__init__()
        self.embedding = nn.Embedding(words, dimensions, padding_idx=0)
        self.word_gru = nn.GRU(dimensions, units, batch_first=True, bidirectional=True)
        self.sentence_gru = nn.GRU(2 * units, units, batch_first=True, bidirectional=True)
        self.of_words, self.of_sentences = _Pooling(2 * units, attention), _Pooling(2 * units, attention)
        self.output = nn.Linear(2 * units, 1)

    def forward(self, sentences: Sequence[Tensor]) -> Tensor:
        """Return the log-odds (1,) of a text, the ids (T,) of each of its sentences."""
        read = [self.of_words(self.word_gru(self.embedding(ids)[None])[0]) for ids in sentences]
        scores: Tensor = self.output(self.of_sentences(self.sentence_gru(torch.stack(read, dim=1))[0]))
        return scores[:, 0]
