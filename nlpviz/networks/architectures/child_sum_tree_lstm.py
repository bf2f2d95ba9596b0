"""A child-sum Tree-LSTM: gates are computed from the sum of the children's states, a forget gate from each child's own.

Tai, Socher and Manning (2015), section 3.1. They use it over dependency trees; here it composes the same constituency
trees as its kin, so that the two children may be swapped at any node without changing anything.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.layers import ParameterCount
from nlpviz.networks.tree_networks import TreeConfig, TreeNetwork, layer_term


@dataclass(frozen=True)
class ChildSumTreeLSTMConfig(TreeConfig):
    """Sizes of a :class:`ChildSumTreeLSTM`."""

    units: int = 150


class ChildSumTreeLSTM(TreeNetwork):
    """Equations 2 to 8 of the paper; a state is h, then c."""

    formula = (
        r"\tilde h = h_l + h_r, \quad i, o = \sigma(U \tilde h + b), \quad u = \tanh(U \tilde h + b)",
        r"f_l = \sigma(U_f h_l + b_f), \quad f_r = \sigma(U_f h_r + b_f)",
        r"c = i \circ u + f_l \circ c_l + f_r \circ c_r, \quad h = o \circ \tanh(c)",
    )

    def __init__(self, config: ChildSumTreeLSTMConfig) -> None:
        """Make it; the forget gates begin open."""
        super().__init__(config)
        self.word = nn.Linear(self.width, 3 * config.units)
        self.sum = nn.Linear(config.units, 3 * config.units)
        self.forget = nn.Linear(config.units, config.units)
        nn.init.ones_(self.forget.bias)

    def leaf(self, words: Tensor) -> Tensor:
        """Return h and c of leaves."""
        entered, let_out, candidate = self.word(words).chunk(3, dim=1)
        cell = entered.sigmoid() * candidate.tanh()
        return torch.cat([let_out.sigmoid() * cell.tanh(), cell], dim=1)

    def join(self, left: Tensor, right: Tensor) -> Tensor:
        """Return h and c of inner nodes."""
        (h_left, c_left), (h_right, c_right) = left.chunk(2, dim=1), right.chunk(2, dim=1)
        entered, let_out, candidate = self.sum(h_left + h_right).chunk(3, dim=1)
        # A forget gate for each child, with shared weights: a subtree can be dropped alone.
        kept = self.forget(h_left).sigmoid() * c_left + self.forget(h_right).sigmoid() * c_right
        cell = entered.sigmoid() * candidate.tanh() + kept
        return torch.cat([let_out.sigmoid() * cell.tanh(), cell], dim=1)

    def term(self) -> ParameterCount:
        """Return the number of parameters of the three layers."""
        return layer_term(self.word, self.sum, self.forget)


MODEL = Architecture(
    name="child-sum-tree-lstm",
    title="Child-sum Tree-LSTM",
    source="Tai, Socher and Manning 2015",
    config=ChildSumTreeLSTMConfig,
    build=ChildSumTreeLSTM,
)
