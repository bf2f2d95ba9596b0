"""A binary Tree-LSTM: a node has an input gate, an output gate and a forget gate for each of its two children.

Tai, Socher and Manning (2015), *Improved Semantic Representations From Tree-Structured Long Short-Term Memory
Networks*, section 3.2, with N = 2 over constituency trees: words stand at leaves alone, where there are no children.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.layers import ParameterCount
from nlpviz.networks.tree_networks import TreeConfig, TreeNetwork, layer_term


@dataclass(frozen=True)
class BinaryTreeLSTMConfig(TreeConfig):
    """Sizes of a :class:`BinaryTreeLSTM`; a node has as many units in its hidden state as in its memory cell."""

    units: int = 150


class BinaryTreeLSTM(TreeNetwork):
    """Equations 9 to 14 of the paper; a state is h, then c."""

    formula = (
        r"i, o = \sigma(U [h_l; h_r] + b), \quad u = \tanh(U [h_l; h_r] + b)",
        r"f_l = \sigma(U [h_l; h_r] + b_f), \quad f_r = \sigma(U [h_l; h_r] + b_f)",
        r"c = i \circ u + f_l \circ c_l + f_r \circ c_r, \quad h = o \circ \tanh(c)",
    )

    def __init__(self, config: BinaryTreeLSTMConfig) -> None:
        """Make it; the forget gates begin open."""
        super().__init__(config)
        self.word = nn.Linear(self.width, 3 * config.units)
        self.pair = nn.Linear(2 * config.units, 5 * config.units)
        nn.init.constant_(self.pair.bias[3 * config.units :].detach(), 1.0)

    def leaf(self, words: Tensor) -> Tensor:
        """Return h and c of leaves."""
        entered, let_out, candidate = self.word(words).chunk(3, dim=1)
        cell = entered.sigmoid() * candidate.tanh()
        return torch.cat([let_out.sigmoid() * cell.tanh(), cell], dim=1)

    def join(self, left: Tensor, right: Tensor) -> Tensor:
        """Return h and c of inner nodes."""
        (h_left, c_left), (h_right, c_right) = left.chunk(2, dim=1), right.chunk(2, dim=1)
        pre = self.pair(torch.cat([h_left, h_right], dim=1))
        entered, let_out, candidate, keep_left, keep_right = pre.chunk(5, dim=1)
        cell = entered.sigmoid() * candidate.tanh() + keep_left.sigmoid() * c_left + keep_right.sigmoid() * c_right
        return torch.cat([let_out.sigmoid() * cell.tanh(), cell], dim=1)

    def term(self) -> ParameterCount:
        """Return the number of parameters of both layers."""
        return layer_term(self.word, self.pair)


MODEL = Architecture(
    name="binary-tree-lstm",
    title="Binary Tree-LSTM",
    source="Tai, Socher and Manning 2015",
    config=BinaryTreeLSTMConfig,
    build=BinaryTreeLSTM,
)
