"""A semi-supervised recursive autoencoder: a node's vector has to predict its label and its children's vectors.

Socher, Pennington, Huang, Ng and Manning (2011), *Semi-Supervised Recursive Autoencoders for Predicting Sentiment
Distributions*, sections 2.3 to 3. There the tree is built greedily by the reconstruction error; here it is given, as
their first autoencoder's is, and a leaf is a layer over its word's vector.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.layers import ParameterCount
from nlpviz.networks.tree_networks import Forest, TreeConfig, TreeNetwork, layer_term, start_at_the_mean


@dataclass(frozen=True)
class RecursiveAutoencoderConfig(TreeConfig):
    """Sizes of a :class:`RecursiveAutoencoder`.

    Attributes:
        reconstruction: α, the share of the reconstruction in the loss; the label has the rest.
    """

    units: int = 50
    reconstruction: float = 0.2


class RecursiveAutoencoder(TreeNetwork):
    """p = tanh(W [a; b] + bias) / its length; [a'; b'] = W' p + bias' should be [a; b] (equations 3, 4 and 9)."""

    formula = (
        r"p = \tanh(W [a; b] + \beta), \quad p \leftarrow p / \lVert p \rVert",
        r"[a'; b'] = W' p + \beta'",
        r"E = \frac{n_a}{n_a + n_b} \lVert a - a' \rVert^2 + \frac{n_b}{n_a + n_b} \lVert b - b' \rVert^2",
    )

    def __init__(self, config: RecursiveAutoencoderConfig) -> None:
        """Make it; a node begins near the mean of its children."""
        super().__init__(config)
        self.word = nn.Linear(self.width, config.units)
        self.pair = nn.Linear(2 * config.units, config.units)
        self.back = nn.Linear(config.units, 2 * config.units)
        start_at_the_mean(self.pair)

    def leaf(self, words: Tensor) -> Tensor:
        """Return the vectors of leaves."""
        return nn.functional.normalize(torch.tanh(self.word(words)), dim=1)

    def join(self, left: Tensor, right: Tensor) -> Tensor:
        """Return the vectors of inner nodes, of length 1, so that none is easy to rebuild by being short."""
        return nn.functional.normalize(torch.tanh(self.pair(torch.cat([left, right], dim=1))), dim=1)

    def reconstruction(self, trees: Forest, states: Tensor) -> Tensor:
        """Return the error E of each inner node, (N - L,), by its number."""
        if not trees.levels:
            return states.new_zeros(0)
        sides = [torch.cat([level[side] for level in trees.levels]) for side in (0, 1)]
        rebuilt = self.back(states[len(trees.ids) :]).chunk(2, dim=1)
        shares = [trees.lengths[side] / trees.lengths[len(trees.ids) :] for side in sides]
        errors = [(states[side] - again).square().sum(dim=1) for side, again in zip(sides, rebuilt, strict=True)]
        # Each child counts by the number of words below it.
        return shares[0] * errors[0] + shares[1] * errors[1]

    def penalty(self, trees: Forest, states: Tensor) -> Tensor:
        """Return what reconstruction adds to the loss beside a label's: α / (1 - α) of the error."""
        alpha = self.config.reconstruction
        return alpha / (1 - alpha) * self.reconstruction(trees, states)

    def term(self) -> ParameterCount:
        """Return the number of parameters of the three layers."""
        return layer_term(self.word, self.pair, self.back)


MODEL = Architecture(
    name="recursive-autoencoder",
    title="Recursive autoencoder",
    source="Socher et al. 2011",
    config=RecursiveAutoencoderConfig,
    build=RecursiveAutoencoder,
)
