"""A denoising autoencoder: it reads a corrupted bag and reconstructs the whole one (004, "Denoising Autoencoders").

Vincent et al. (2008), *Extracting and Composing Robust Features with Denoising Autoencoders*; Vincent et al. (2010),
section 3.3, masking noise: each entry of the input is set to zero with the same probability, "as many as half of them"
in 004. Nothing is corrupted where a trained network reads.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.autoencoders import Autoencoder, AutoencoderConfig


@dataclass(frozen=True)
class DenoisingConfig(AutoencoderConfig):
    """Sizes of a :class:`DenoisingAutoencoder`; see :class:`nlpviz.networks.autoencoders.AutoencoderConfig`.

    Attributes:
        noise: the share of a bag's words that are set to zero in training.
    """

    noise: float = 0.5


class DenoisingAutoencoder(Autoencoder):
    """An autoencoder that has to reconstruct the masked words."""

    config: DenoisingConfig
    formula = (
        r"\tilde{x}_w = x_w \cdot \epsilon_w, \quad P(\epsilon_w = 0) = \nu",
        r"\mathbf{y} = \tanh(W \tilde{\mathbf{x}} + \mathbf{b})",
        r"\mathbf{p} = \mathrm{softmax}(W' \mathbf{y} + \mathbf{b}')",
        r"\ell = -\sum_w n_w \log p_w",
    )

    def corrupted(self, inputs: Tensor) -> Tensor:
        """Return scaled bags with some entries set to zero in training, all of them otherwise."""
        return inputs * (torch.rand_like(inputs) >= self.config.noise) if self.training else inputs


MODEL = Architecture(
    name="denoising-autoencoder",
    title="Denoising autoencoder",
    source="Vincent et al. 2008; Vincent et al. 2010",
    config=DenoisingConfig,
    build=DenoisingAutoencoder,
)
