"""A plain recursive network: a node's vector is one layer over those of its two children.

Goller and Küchler (1996); Socher, Perelygin, Wu, Chuang, Manning, Ng and Potts (2013), section 4.1. There a leaf is its
word's vector; here it is a layer over it, since word vectors come from another run and have other dimensions.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.layers import ParameterCount
from nlpviz.networks.tree_networks import TreeConfig, TreeNetwork, layer_term, start_at_the_mean


@dataclass(frozen=True)
class RecursiveConfig(TreeConfig):
    """Sizes of a :class:`RecursiveNetwork`."""

    units: int = 50


class RecursiveNetwork(TreeNetwork):
    """p = tanh(W [a; b] + bias)."""

    formula = (r"p = \tanh(W [a; b] + \beta)",)

    def __init__(self, config: RecursiveConfig) -> None:
        """Make it; a node begins near the mean of its children."""
        super().__init__(config)
        self.word = nn.Linear(self.width, config.units)
        self.pair = nn.Linear(2 * config.units, config.units)
        start_at_the_mean(self.pair)

    def leaf(self, words: Tensor) -> Tensor:
        """Return the vectors of leaves."""
        return torch.tanh(self.word(words))

    def join(self, left: Tensor, right: Tensor) -> Tensor:
        """Return the vectors of inner nodes."""
        return torch.tanh(self.pair(torch.cat([left, right], dim=1)))

    def term(self) -> ParameterCount:
        """Return the number of parameters of both layers."""
        return layer_term(self.word, self.pair)


MODEL = Architecture(
    name="recursive-network",
    title="Recursive network",
    source="Socher et al. 2013",
    config=RecursiveConfig,
    build=RecursiveNetwork,
)
