"""A recursive neural tensor network: children multiply each other before they are added.

Socher, Perelygin, Wu, Chuang, Manning, Ng and Potts (2013), *Recursive Deep Models for Semantic Compositionality Over a
Sentiment Treebank*, section 4.3. There a leaf is its word's vector; here it is a layer over it.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.layers import ParameterCount
from nlpviz.networks.tree_networks import TreeConfig, TreeNetwork, layer_term, start_at_the_mean


@dataclass(frozen=True)
class RNTNConfig(TreeConfig):
    """Sizes of an :class:`RNTN`."""

    units: int = 30


class RNTN(TreeNetwork):
    """p = tanh(x^T V x + W x + bias), with x = [a; b] and a slice of V for each entry of p.

    What is trained is V times 2d. AdaGrad's first steps are as long for every weight: they move all (2d)^2 weights of a
    slice at once, and x^T V x by the sum of these steps, which with V itself saturates every tanh.
    """

    formula = (r"x = [a; b]", r"p_k = \tanh(x^\top V^{[k]} x + W_k x + \beta_k)")

    def __init__(self, config: RNTNConfig) -> None:
        """Make it; a node begins near the mean of its children, for the tensor is small."""
        super().__init__(config)
        self.word = nn.Linear(self.width, config.units)
        self.pair = nn.Linear(2 * config.units, config.units)
        start_at_the_mean(self.pair)
        self.tensor = nn.Parameter(torch.empty(2 * config.units, config.units * 2 * config.units))
        nn.init.uniform_(self.tensor, -0.5, 0.5)

    def leaf(self, words: Tensor) -> Tensor:
        """Return the vectors of leaves."""
        return torch.tanh(self.word(words))

    def join(self, left: Tensor, right: Tensor) -> Tensor:
        """Return the vectors of inner nodes."""
        pair = torch.cat([left, right], dim=1)  # (n, 2d)
        # x^T V for all slices in one product; the tensor holds 2d V (see the class).
        multiplied = (pair @ self.tensor).view(len(pair), -1, pair.shape[1]) / pair.shape[1]  # (n, d, 2d)
        return torch.tanh((multiplied @ pair.unsqueeze(2)).squeeze(2) + self.pair(pair))

    def term(self) -> ParameterCount:
        """Return the number of parameters of the layers and the tensor."""
        layers, d = layer_term(self.word, self.pair), self.config.units
        return ParameterCount(f"{layers.formula} + {d} × {2 * d} × {2 * d}", layers.value + 4 * d**3)


MODEL = Architecture(
    name="rntn", title="Recursive neural tensor network", source="Socher et al. 2013", config=RNTNConfig, build=RNTN
)
