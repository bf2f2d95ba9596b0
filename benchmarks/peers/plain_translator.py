"""The peer of a translator's training and search: the same network as most would write it in PyTorch.

Batches are drawn at random and padded, the encoder reads them packed, the softmax is over all words, Adam is torch's
own. Greedy search takes one word at a time.
"""

from __future__ import annotations

from time import perf_counter

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class PlainTranslator(nn.Module):
    """A bidirectional GRU, a GRU, general attention, an output layer that reads the target's word vectors."""

    def __init__(self, source: int, target: int, dimensions: int, units: int) -> None:
        """Build the network with random weights."""
        super().__init__()
        self.source, self.target = nn.Embedding(source, dimensions), nn.Embedding(target, dimensions)
        self.encoder = nn.GRU(dimensions, units // 2, batch_first=True, bidirectional=True)
        self.decoder = nn.GRU(dimensions, units, batch_first=True)
        self.score = nn.Linear(units, units, bias=False)
        self.combine = nn.Linear(2 * units, dimensions, bias=False)
        self.dropout = nn.Dropout(0.4)
        self.bias = nn.Parameter(torch.zeros(target))

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Return the annotations (B, S, H) and the last state (1, B, H) of ``source`` (B, S)."""
        packed = pack_padded_sequence(
            self.dropout(self.source(source)), (source > 0).sum(dim=1), batch_first=True, enforce_sorted=False
        )
        outputs, last = self.encoder(packed)
        annotations, _ = pad_packed_sequence(outputs, batch_first=True, total_length=source.shape[1])
        return annotations, torch.cat([last[0], last[1]], dim=1).unsqueeze(0)

    def decode(self, words: Tensor, annotations: Tensor, mask: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits (B, T, V) after each of ``words`` (B, T), and the last state."""
        outputs, state = self.decoder(self.target(words), state)
        scores = outputs @ self.score(annotations).transpose(1, 2)
        weights = scores.masked_fill(~mask.unsqueeze(1), -torch.inf).softmax(dim=2)
        attended = torch.tanh(self.combine(torch.cat([weights @ annotations, outputs], dim=2)))
        return self.dropout(attended) @ self.target.weight.T + self.bias, state


def seconds_of_training(model: PlainTranslator, batches: list[tuple[Tensor, Tensor, Tensor]]) -> float:
    """Return the seconds of one pass over batches of source, words before and words after, padded."""
    optimizer = torch.optim.Adam(model.parameters())
    started = perf_counter()
    for source, before, after in batches:
        optimizer.zero_grad()
        annotations, state = model.encode(source)
        logits, _ = model.decode(before, annotations, source > 0, state)
        torch.autograd.backward(functional.cross_entropy(logits.flatten(0, 1), after.flatten(), ignore_index=0))
        optimizer.step()
    return perf_counter() - started


@torch.inference_mode()
def greedily(model: PlainTranslator, source: Tensor, words: int) -> list[int]:
    """Return ``words`` words, each the most probable one, after reading ``source`` (1, S)."""
    annotations, state = model.encode(source)
    written = [2]
    for _ in range(words):
        logits, state = model.decode(torch.tensor([written[-1:]]), annotations, source > 0, state)
        written.append(int(logits[0, -1].argmax()))
    return written[1:]
