"""A contractive autoencoder: its code changes little when the bag changes.

Rifai et al. (2011), *Contractive Auto-Encoders: Explicit Invariance During Feature Extraction*, equation 1: the squared
Frobenius norm of the Jacobian of the code is added to the cost. Section 5.1 has it in closed form for the sigmoid; that
of tanh is Σ_j (1 - y_j²)² Σ_w W_jw². It is taken with respect to the scaled bag.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.autoencoders import Autoencoder, AutoencoderConfig, Cost, reconstruction


@dataclass(frozen=True)
class ContractiveConfig(AutoencoderConfig):
    """Sizes of a :class:`ContractiveAutoencoder`; see :class:`nlpviz.networks.autoencoders.AutoencoderConfig`.

    Attributes:
        contraction: λ, nats for each unit of the Jacobian's squared norm.
    """

    contraction: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a hidden layer before the code: the Jacobian is that of one layer."""
        if self.hidden:
            raise ValueError("a contractive autoencoder cannot have a hidden layer")


class ContractiveAutoencoder(Autoencoder):
    """An autoencoder with the norm of its code's Jacobian in the cost."""

    config: ContractiveConfig
    penalised = "λ‖J‖²"
    formula = (
        r"\mathbf{y} = \tanh(W \mathbf{x} + \mathbf{b})",
        r"\mathbf{p} = \mathrm{softmax}(W' \mathbf{y} + \mathbf{b}')",
        r"\ell = -\sum_w n_w \log p_w + \lambda \sum_j (1 - y_j^2)^2 \sum_w W_{jw}^2",
    )

    def cost(self, bags: Tensor) -> Cost:
        """Return the training cost of each of ``bags`` (B, W)."""
        codes = self.encode(bags)
        return Cost(reconstruction(bags, self.decode(codes)), self.config.contraction * self.contraction(codes))

    def contraction(self, codes: Tensor) -> Tensor:
        """Return ‖∂y/∂x‖² (B,), the squared Frobenius norm of the Jacobian, where the code is ``codes`` (B, Z)."""
        # ∂y_j / ∂x_w = (1 − y_j²) W_jw for a tanh, so that the squared norm is a sum over j.
        return (1 - codes.square()).square() @ self.code.weight.square().sum(dim=1)


MODEL = Architecture(
    name="contractive-autoencoder",
    title="Contractive autoencoder",
    source="Rifai et al. 2011",
    config=ContractiveConfig,
    build=ContractiveAutoencoder,
)
