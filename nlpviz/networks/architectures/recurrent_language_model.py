"""A recurrent language model: after each word or character, the probability of every next one.

Mikolov et al. (2010), *Recurrent neural network based language model*; Zaremba et al. (2014), *Recurrent Neural Network
Regularization*, for stacked LSTMs; 003, "Recurrent language models"; 002 for characters. Input and output share the
word vectors (Press and Wolf 2017; Inan et al. 2017), and dropout draws one mask for a whole text (Gal and Ghahramani
2016). Weight drop is that of Merity, Keskar and Socher (2018), *Regularizing and Optimizing LSTM Language Models*.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.cells import cell_named
from nlpviz.networks.language_networks import LanguageConfig, LanguageNetwork, ReaderState
from nlpviz.networks.layers import ParameterCount
from nlpviz.networks.recurrence import RecurrentNetwork
from nlpviz.networks.sequences import Unrolled

_STATE = "state"


@dataclass(frozen=True)
class RecurrentLanguageConfig(LanguageConfig):
    """Sizes of a :class:`RecurrentLanguageModel`.

    Attributes:
        vocabulary_size: V, the ids of padding and of the unknown word among them.
        dimensions: D, the length of a word vector.
        cell: a name of :func:`nlpviz.networks.cells.cells`.
        settings: of the cell, for example ``{"forget_bias": 1.0}``.
        units: H, of a layer.
        layers: each over the states of the one below.
        cutoffs: the ids at which a band of rarer words begins, which have shorter vectors.
        predicts_unknown: whether the unknown word is one of those that are predicted.
        input_dropout: on the word vectors, one mask for a text.
        dropout: between two layers, one mask for a text.
        output_dropout: on the last layer's states, one mask for a text.
        weight_drop: on the recurrent weights, one mask for all texts and steps that are read at once.
    """

    vocabulary_size: int
    dimensions: int = 256
    cell: str = "lstm"
    settings: dict[str, Any] = field(default_factory=dict)
    units: int = 256
    layers: int = 1
    cutoffs: tuple[int, ...] = ()
    predicts_unknown: bool = True
    input_dropout: float = 0.3
    dropout: float = 0.3
    output_dropout: float = 0.3
    weight_drop: float = 0.0


class RecurrentLanguageModel(LanguageNetwork):
    """Recurrent layers over word vectors; where the units are not as many as dimensions, a projection to these."""

    config: RecurrentLanguageConfig

    def __init__(self, config: RecurrentLanguageConfig) -> None:
        """Build the network with random weights.

        Raises:
            ValueError: if there is no such cell, or it has no such setting.
        """
        kind = cell_named(config.cell, config.settings)
        super().__init__(config)
        self.encoder = RecurrentNetwork(
            partial(kind.build, **config.settings),
            config.dimensions,
            config.units,
            config.layers,
            dropout=config.dropout,
            variational=True,
            weight_drop=config.weight_drop,
        )
        self.project = nn.Linear(config.units, config.dimensions) if config.units != config.dimensions else None
        self.parts, self.formula = self.encoder.parts, self.encoder.formula
        self.counted_as = f"recurrent layers ({kind.title})"

    def start(self, rows: int) -> ReaderState:
        """Return hidden and cell states of zeros."""
        return {_STATE: self.bias.new_zeros(rows, self.encoder.state_size)}

    def read_on(self, embedded: Tensor, state: ReaderState) -> tuple[Tensor, ReaderState]:
        """Return the output vectors after each word (B, T, D), from which the next is predicted, and the last state."""
        if not embedded.shape[1]:
            return embedded, state
        hidden, after = self.encoder.read_on(self.input_dropout(embedded), state[_STATE])
        return self.shown(self.output_dropout(hidden)), {_STATE: after}

    def shown(self, hidden: Tensor) -> Tensor:
        """Return what words are predicted from, (..., D), of a layer's hidden states (..., H)."""
        return hidden if self.project is None else self.project(hidden)

    def unroll(self, embedded: Tensor, mask: Tensor) -> Unrolled:
        """Return every layer's states after each word, (B, T, L, H), and its gates by name, in the same shape."""
        if not embedded.shape[1]:
            nothing = embedded.new_zeros(len(embedded), 0, self.encoder.layers, self.encoder.size)
            return Unrolled(nothing, {part.name: nothing for part in self.parts})
        with torch.no_grad():
            return self.encoder.unroll(embedded, mask.sum(dim=1))

    @property
    def state_size(self) -> int:
        """S, of all that it goes on from after a word."""
        return self.encoder.state_size

    def advance(self, embedded: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return the state (..., S) after a word (..., D) is read in ``state`` (..., S), and what it shows (..., H)."""
        return self.encoder.advance(embedded, state)

    def encoder_term(self) -> ParameterCount:
        """Return the number of parameters of the recurrent layers and of the projection."""
        formula, value = self.encoder.term()
        if self.project is None:
            return ParameterCount(formula, value)
        d, units = self.project.weight.shape
        return ParameterCount(f"{formula} + {units} × {d} + {d}", value + units * d + d)


MODEL = Architecture(
    name="recurrent-language-model",
    title="Recurrent language model",
    source="Mikolov et al. 2010; Zaremba et al. 2014; Press and Wolf 2017",
    config=RecurrentLanguageConfig,
    build=RecurrentLanguageModel,
)
