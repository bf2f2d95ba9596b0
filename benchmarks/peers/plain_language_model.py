"""The peer of our recurrent language model: ``nn.LSTM`` and a softmax over all words, as most would write it.

Every word has a vector of full length, by which it is read and predicted; dropout is drawn anew at every step.
"""

from __future__ import annotations

from time import perf_counter

import torch
from torch import Tensor, nn
from torch.nn import functional

Both = tuple[Tensor, Tensor]
"""Hidden and cell states of all layers, each (L, B, H)."""


class PlainLanguageModel(nn.Module):
    """Word vectors, stacked LSTMs, a projection to the length of a word vector, the same vectors again."""

    def __init__(self, words: int, dimensions: int, units: int, layers: int) -> None:
        """Build the network with random weights."""
        super().__init__()
        self.embedding = nn.Embedding(words, dimensions)
        self.lstm = nn.LSTM(dimensions, units, layers, dropout=0.3, batch_first=True)
        self.project, self.dropout = nn.Linear(units, dimensions), nn.Dropout(0.3)
        self.bias = nn.Parameter(torch.zeros(words))

    def forward(self, ids: Tensor, state: Both | None) -> tuple[Tensor, Both]:
        """Return logits (B, T, V) of what follows each of ``ids`` (B, T), and the state after the last one."""
        states, after = self.lstm(self.dropout(self.embedding(ids)), state)
        return self.project(self.dropout(states)) @ self.embedding.weight.T + self.bias, after


def seconds_of_reading(model: PlainLanguageModel, rows: Tensor, steps: int) -> float:
    """Return the seconds of training on ``rows`` (B, T + 1), so many ``steps`` at a time, with truncated gradients."""
    optimizer = torch.optim.AdamW(model.parameters())
    state: Both | None = None
    started = perf_counter()
    for first in range(0, rows.shape[1] - steps, steps):
        optimizer.zero_grad()
        read, came = rows[:, first : first + steps], rows[:, first + 1 : first + steps + 1]
        logits, (hidden, cell) = model(read, state)
        state = hidden.detach(), cell.detach()
        torch.autograd.backward(functional.cross_entropy(logits.flatten(0, 1), came.flatten()))
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return perf_counter() - started


@torch.inference_mode()
def plain_surprisal(model: PlainLanguageModel, ids: Tensor) -> Tensor:
    """Return −log p of each of ``ids`` (T,) but the first."""
    logits, _ = model(ids[None, :-1], None)
    return functional.cross_entropy(logits[0], ids[1:], reduction="none")


@torch.inference_mode()
def plain_next(model: PlainLanguageModel, state: Both, word: Tensor) -> Tensor:
    """Return the ids (10,) of the likeliest words after ``word`` (), read in ``state``."""
    logits, _ = model(word.view(1, 1), state)
    return logits[0, -1].softmax(dim=0).topk(10).indices


@torch.inference_mode()
def plain_sample(model: PlainLanguageModel, ids: Tensor, words: int) -> list[int]:
    """Return ``words`` words that are drawn one after the other after ``ids`` (T,)."""
    logits, state = model(ids[None, :], None)
    written = []
    for _ in range(words):
        written.append(int(torch.multinomial(logits[0, -1].softmax(dim=0), 1)))
        logits, state = model(torch.tensor([written[-1:]]), state)
    return written
