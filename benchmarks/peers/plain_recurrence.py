"""The peer of our recurrent networks: PyTorch's fused LSTM, as most would use it.

Texts are padded, for a packed LSTM takes ten times as long on a processor (``attention.py``).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class PlainLSTM(nn.Module):
    """Frozen word vectors, ``nn.LSTM``, dropout on its last state, one sigmoid neuron."""

    def __init__(self, words: int, dimensions: int, units: int) -> None:
        """Build the network with random weights."""
        super().__init__()
        self.embedding = nn.Embedding(words, dimensions, padding_idx=0).requires_grad_(False)
        self.lstm = nn.LSTM(dimensions, units, batch_first=True)
        self.dropout, self.output = nn.Dropout(0.5), nn.Linear(units, 1)

    def forward(self, ids: Tensor) -> Tensor:
        """Return the log-odds (B,) of ``ids`` (B, T), padded with id 0 at the end."""
        states = self.lstm(self.embedding(ids))[0]
        last = (ids != 0).sum(dim=1) - 1
        scores: Tensor = self.output(self.dropout(states[torch.arange(len(ids)), last]))
        return scores[:, 0]
