"""Autoencoders of documents: a bag of words becomes a code, a code becomes a distribution over words again.

004, "Autoencoders": an encoder y = tanh(W x + b), a decoder with weights of its own, and a cost of reconstruction. It
differs in two points. A bag x has counts, so that it is scaled first; and the decoder is a softmax over words, so that
the cost of reconstruction is the cross-entropy -Σ n_w log p_w of the words of a document, as for a model of topics.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpviz.networks.layers import ParameterTerm
from nlpviz.text.vocabulary import SPECIALS

LENGTH = 10.0
"""Of a scaled bag: its entries are about as large as those of a text of a hundred different words."""


@dataclass(frozen=True)
class AutoencoderConfig:
    """The settings that every :class:`Autoencoder` has.

    Attributes:
        vocabulary_size: W + 2, the ids of padding and of the unknown word among them.
        latent: Z, numbers in a code.
        hidden: units of a layer between bag and code; 0 for none.
        decoder_hidden: units of a layer between code and words; 0 for none, so that logits are linear in the code.
        dropout: on the hidden layer of the encoder.
    """

    vocabulary_size: int
    latent: int = 32
    hidden: int = 0
    decoder_hidden: int = 0
    dropout: float = 0.0


class Cost(NamedTuple):
    """What training makes small, in nats a document: (B,) each.

    Attributes:
        reconstruction: -log p of the document's words.
        penalty: what the architecture asks besides; (B, Z) where each unit of the code has its own.
    """

    reconstruction: Tensor
    penalty: Tensor


class Autoencoder(nn.Module):
    """A bag's way to a code and back.

    Attributes:
        formula: its equations in TeX, a line each.
        penalised: what its penalty is called; empty where it has none.
    """

    config: Any
    formula: tuple[str, ...] = ()
    penalised: str = ""

    def __init__(self, config: AutoencoderConfig) -> None:
        """Build encoder and decoder with random weights."""
        super().__init__()
        self.config = config
        words = config.vocabulary_size - len(SPECIALS)
        self.hidden = _layer(words, config.hidden) if config.hidden else None
        self.code = _layer(config.hidden or words, config.latent)
        self.decoder_hidden = _layer(config.latent, config.decoder_hidden) if config.decoder_hidden else None
        self.output = _layer(config.decoder_hidden or config.latent, words)
        self.dropout = nn.Dropout(config.dropout)

    @property
    def words(self) -> int:
        """W, how many words a bag may hold."""
        return self.output.out_features

    def bags(self, ids: Tensor) -> Tensor:
        """Return the bags (B, W) of ``ids`` (B, T): how often each word stands in each row."""
        counts = ids.new_zeros(len(ids), self.words + len(SPECIALS), dtype=torch.float32)
        counts.scatter_add_(1, ids, torch.ones_like(ids, dtype=torch.float32))
        return counts[:, len(SPECIALS) :]

    def encode(self, bags: Tensor) -> Tensor:
        """Return the code (B, Z) of each of ``bags`` (B, W)."""
        return torch.tanh(self.code(self.features(bags)))

    def features(self, bags: Tensor) -> Tensor:
        """Return what codes are computed from: the scaled bags, or the hidden layer over them."""
        return self._above(self.corrupted(scaled(bags)))

    def _above(self, inputs: Tensor) -> Tensor:
        return inputs if self.hidden is None else self.dropout(torch.relu(self.hidden(inputs)))

    def corrupted(self, inputs: Tensor) -> Tensor:
        """Return what is read of scaled bags in training, by default all of it."""
        return inputs

    def decode(self, codes: Tensor) -> Tensor:
        """Return log p of each word (B, W) under each of ``codes`` (B, Z)."""
        return torch.log_softmax(self.logits(codes), dim=-1)

    def logits(self, codes: Tensor) -> Tensor:
        """Return the logits (B, W) of the words under each of ``codes`` (B, Z)."""
        logits: Tensor = self.output(codes if self.decoder_hidden is None else torch.tanh(self.decoder_hidden(codes)))
        return logits

    def cost(self, bags: Tensor) -> Cost:
        """Return what training makes small for each of ``bags`` (B, W)."""
        codes = self.encode(bags)
        return Cost(reconstruction(bags, self.decode(codes)), codes.new_zeros(len(bags)))

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        named = {
            "encoder, hidden layer": self.hidden,
            "encoder, code": self.code,
            "decoder, hidden layer": self.decoder_hidden,
            "decoder, words": self.output,
        }
        return tuple(term(name, layer) for name, layer in named.items() if layer is not None)


def scaled(bags: Tensor) -> Tensor:
    """Return x (B, W) of bags n (B, W): log(1 + n), scaled to the length :data:`LENGTH`; zero for an empty bag."""
    return LENGTH * functional.normalize(torch.log1p(bags.float()), dim=-1)


def reconstruction(bags: Tensor, log_probabilities: Tensor) -> Tensor:
    """Return -Σ n_w log p_w (B,) of bags n (B, W), in nats."""
    return -(bags * log_probabilities).sum(dim=-1)


def term(name: str, layer: nn.Linear) -> ParameterTerm:
    """Return how many parameters a layer with biases has."""
    inputs, outputs = layer.in_features, layer.out_features
    return ParameterTerm(name, f"{inputs:,} × {outputs:,} + {outputs:,}", (inputs + 1) * outputs)


def _layer(inputs: int, outputs: int) -> nn.Linear:
    """Return a layer with weights as PyTorch draws them; over no words at all, which is asked for its shape alone."""
    if inputs and outputs:
        return nn.Linear(inputs, outputs)
    layer = nn.Linear(max(inputs, 1), max(outputs, 1))
    layer.in_features, layer.out_features = inputs, outputs
    layer.weight, layer.bias = nn.Parameter(torch.zeros(outputs, inputs)), nn.Parameter(torch.zeros(outputs))
    return layer
