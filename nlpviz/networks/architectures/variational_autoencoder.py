"""A variational autoencoder of bags of words: a document's code is a Gaussian with a KL penalty.

Kingma and Welling (2014), *Auto-Encoding Variational Bayes*; for bags of words the neural variational document model of
Miao, Yu and Blunsom (2016), section 3.1: a network gives mean and log-variance of q(z | x), the prior is a standard
Gaussian, and the decoder is a softmax whose logits are linear in z unless it has a hidden layer. It reads bags scaled,
with some words left out in training. 004 ("Variational Autoencoders") writes z = mean + exp(log-variance) · ε; the
standard deviation is exp(log-variance / 2), as here.

``mean_scale`` fixes how far the means of a batch spread in every unit, by batch normalisation without parameters (Zhu
et al. 2020, *A Batch Normalized Inference Network Keeps the KL Vanishing Away*): the mean KL divergence of a unit over
the batch is then at least mean_scale² / 2, so that no unit can collapse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.autoencoders import Autoencoder, AutoencoderConfig, Cost, reconstruction, term
from nlpviz.networks.layers import ParameterTerm


@dataclass(frozen=True)
class VariationalConfig(AutoencoderConfig):
    """Sizes of a :class:`VariationalAutoencoder`; see :class:`nlpviz.networks.autoencoders.AutoencoderConfig`.

    Attributes:
        word_dropout: the share of a bag's words that the encoder is not shown in training.
        mean_scale: the standard deviation of the means in each unit over a batch; 0 leaves them as they are.
    """

    hidden: int = 64
    dropout: float = 0.1
    word_dropout: float = 0.3
    mean_scale: float = 0.0


class Posterior(NamedTuple):
    """q(z | x), a Gaussian with independent units: mean and log-variance (B, Z)."""

    mean: Tensor
    log_variance: Tensor

    def divergence(self) -> Tensor:
        """Return KL(q(z | x) || p(z)) of each unit (B, Z), in nats, p a standard Gaussian."""
        return 0.5 * (self.mean.square() + self.log_variance.exp() - 1 - self.log_variance)

    def sample(self, noise: Tensor) -> Tensor:
        """Return z = mean + deviation · noise, in the shape of ``noise`` (..., B, Z)."""
        # The reparameterisation trick: the gradient passes through mean and deviation, not through the noise.
        return self.mean + (0.5 * self.log_variance).exp() * noise


class VariationalAutoencoder(Autoencoder):
    """An autoencoder whose code is a distribution."""

    config: VariationalConfig
    penalised = "KL"
    formula = (
        r"q(\mathbf{z} \mid \mathbf{x}) = \mathcal{N}(\boldsymbol\mu(\mathbf{x}), \boldsymbol\sigma^2(\mathbf{x}))",
        r"p(w \mid \mathbf{z}) = \mathrm{softmax}(W \mathbf{z} + \mathbf{b})_w",
        r"\mathrm{ELBO} = \mathbb{E}_{q} \sum_w n_w \log p(w \mid \mathbf{z}) - \mathrm{KL}(q \,\|\, p)",
    )

    def __init__(self, config: VariationalConfig) -> None:
        """Build the network with random weights; the log-variance begins at zero, that of the prior."""
        super().__init__(config)
        self.log_variance = nn.Linear(self.code.in_features, config.latent)
        nn.init.zeros_(self.log_variance.weight)
        nn.init.zeros_(self.log_variance.bias)
        self.spread = nn.BatchNorm1d(config.latent, affine=False) if config.mean_scale else None

    def corrupted(self, inputs: Tensor) -> Tensor:
        """Return scaled bags, in training with some words left out."""
        return inputs * (torch.rand_like(inputs) >= self.config.word_dropout) if self.training else inputs

    def posterior(self, bags: Tensor) -> Posterior:
        """Return q(z | x) of each of ``bags`` (B, W)."""
        features = self.features(bags)
        mean = self.code(features)
        if self.spread is not None:
            mean = self.config.mean_scale * self.spread(mean)
        return Posterior(mean, self.log_variance(features))

    def encode(self, bags: Tensor) -> Tensor:
        """Return the mean of q(z | x) (B, Z) of each of ``bags`` (B, W)."""
        return self.posterior(bags).mean

    def cost(self, bags: Tensor) -> Cost:
        """Return -log p(x | z) (B,) at one z drawn of each document's posterior, and the KL divergences (B, Z)."""
        posterior = self.posterior(bags)
        # One sample per document estimates the expectation in the ELBO.
        codes = posterior.sample(torch.randn_like(posterior.mean))
        return Cost(reconstruction(bags, self.decode(codes)), posterior.divergence())

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        return (*super().parameter_terms(), term("encoder, log-variance", self.log_variance))


MODEL = Architecture(
    name="variational-autoencoder",
    title="Variational autoencoder",
    source="Kingma and Welling 2014; Miao et al. 2016",
    config=VariationalConfig,
    build=VariationalAutoencoder,
)
