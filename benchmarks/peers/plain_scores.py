"""The network that a user of Captum has: the same weights in plain PyTorch modules, from embedded words to scores.

Convolutions, ReLU and max pooling over time, as most would write them; autograd goes through the whole feature maps.
"""

from __future__ import annotations

from copy import deepcopy

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpviz.networks.architectures import class_scores
from nlpviz.networks.architectures.cnn import CNN


class PlainScores(nn.Module):
    """Convolutions of several region sizes, ReLU, maximum over time, one linear layer."""

    def __init__(self, network: CNN) -> None:
        """Copy the weights of ``network``, which pools one winner a filter."""
        super().__init__()
        self.convolutions, self.output = deepcopy(network.convolutions), deepcopy(network.output)

    def forward(self, embedded: Tensor) -> Tensor:
        """Return the class scores (B, K) of ``embedded`` (B, T, D), texts without padding."""
        words = embedded.transpose(1, 2)  # (B, D, T)
        maps = [convolution(words).relu() for convolution in self.convolutions]
        pooled = [functional.max_pool1d(each, each.shape[2]).squeeze(2) for each in maps]
        return class_scores(self.output(torch.cat(pooled, dim=1)))
