"""A binary Tree-LSTM in plain PyTorch, as tutorials write one: a function that calls itself for both children."""

from __future__ import annotations

import torch
from torch import Tensor, nn

Nested = int | tuple["Nested", "Nested"]
"""A word's id, or the trees on the left and on the right."""


class PlainTreeLSTM(nn.Module):
    """Tai, Socher and Manning (2015), section 3.2, a node at a time."""

    def __init__(self, vectors: Tensor, word: nn.Linear, pair: nn.Linear, output: nn.Linear) -> None:
        """Take words' vectors (V, D) and layers, so that its answers can be compared."""
        super().__init__()
        self.vectors, self.word, self.pair, self.output = vectors, word, pair, output

    def forward(self, tree: Nested) -> Tensor:
        """Return the logits of every node of a tree, children before their parents, (2n - 1, K)."""
        logits: list[Tensor] = []
        self._state(tree, logits)
        return torch.stack(logits)

    def _state(self, tree: Nested, logits: list[Tensor]) -> tuple[Tensor, Tensor]:
        if isinstance(tree, int):
            i, o, u = self.word(self.vectors[tree]).chunk(3)
            c = torch.sigmoid(i) * torch.tanh(u)
        else:
            (h_left, c_left), (h_right, c_right) = (self._state(child, logits) for child in tree)
            i, o, u, f_left, f_right = self.pair(torch.cat([h_left, h_right])).chunk(5)
            c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(f_left) * c_left + torch.sigmoid(f_right) * c_right
        h = torch.sigmoid(o) * torch.tanh(c)
        logits.append(self.output(h))
        return h, c
