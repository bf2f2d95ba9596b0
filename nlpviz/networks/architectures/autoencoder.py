"""A plain autoencoder of bags of words: code and reconstruction, nothing else (004, "Autoencoders").

Bourlard and Kamp (1988), *Auto-association by multilayer perceptrons and singular value decomposition*; Hinton and
Salakhutdinov (2006), *Reducing the Dimensionality of Data with Neural Networks*, for documents.
"""

from __future__ import annotations

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.autoencoders import Autoencoder, AutoencoderConfig


class PlainAutoencoder(Autoencoder):
    """Encoder and decoder only."""

    config: AutoencoderConfig
    formula = (
        r"\mathbf{y} = \tanh(W \mathbf{x} + \mathbf{b})",
        r"\mathbf{p} = \mathrm{softmax}(W' \mathbf{y} + \mathbf{b}')",
        r"\ell = -\sum_w n_w \log p_w",
    )


MODEL = Architecture(
    name="autoencoder",
    title="Autoencoder",
    source="Bourlard and Kamp 1988; Hinton and Salakhutdinov 2006",
    config=AutoencoderConfig,
    build=PlainAutoencoder,
)
