"""The peer of our training loop: the same network as most would write it in PyTorch.

Every text is padded to the maximum length, autograd goes through the whole feature maps, Adam is torch's own.
"""

from __future__ import annotations

from time import perf_counter

import torch
from torch import Tensor, nn
from torch.nn import functional


class PlainCNN(nn.Module):
    """Embedding, convolutions of several region sizes, ReLU, maximum over time, dropout, one sigmoid neuron."""

    def __init__(self, words: int, dimensions: int, region_sizes: tuple[int, ...], filters: int) -> None:
        """Build the network with random weights."""
        super().__init__()
        self.embedding = nn.Embedding(words, dimensions, padding_idx=0)
        self.convolutions = nn.ModuleList(nn.Conv1d(dimensions, filters, size) for size in region_sizes)
        self.dropout = nn.Dropout(0.5)
        self.output = nn.Linear(filters * len(region_sizes), 1)

    def forward(self, ids: Tensor) -> Tensor:
        """Return the log-odds (B,) of ``ids`` (B, T)."""
        embedded = self.embedding(ids).transpose(1, 2)  # (B, D, T)
        pooled = [convolution(embedded).relu().amax(dim=2) for convolution in self.convolutions]
        scores: Tensor = self.output(self.dropout(torch.cat(pooled, dim=1)))
        return scores[:, 0]


class PlainLoop:
    """The network and its optimizer, ready to be timed."""

    def __init__(self, model: nn.Module, learning_rate: float) -> None:
        """Take a model."""
        self.model = model.train()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)

    def seconds(self, ids: Tensor, labels: Tensor, batch_size: int) -> float:
        """Return the seconds of one pass over ``ids`` (N, T) and ``labels`` (N,)."""
        started = perf_counter()
        for batch, truth in zip(torch.split(ids, batch_size), torch.split(labels, batch_size), strict=True):
            self.optimizer.zero_grad()
            loss = functional.binary_cross_entropy_with_logits(self.model(batch), truth)
            torch.autograd.backward(loss)
            self.optimizer.step()
        return perf_counter() - started
