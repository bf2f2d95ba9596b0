"""The peer of our recurrent networks: PyTorch's fused LSTM, as most would use it."""

from __future__ import annotations

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
        """Return the log-odds (B,) of ``ids`` (B, T), all of one length."""
        states = self.lstm(self.embedding(ids))[0]
        scores: Tensor = self.output(self.dropout(states[:, -1]))
        return scores[:, 0]
