"""A temporal convolutional network: convolutions that look back only, twice as far in each block.

Bai, Kolter and Koltun (2018), *An Empirical Evaluation of Generic Convolutional and Recurrent Networks for Sequence
Modeling*, section 3; 001, "Temporal Convolutions". Causal, dilated and residual as there; no weight normalisation. It
has no state that it goes on from: a word is forgotten as soon as it leaves the receptive field.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpviz.layers import ParameterCount
from nlpviz.models import Architecture
from nlpviz.sequences import SequenceClassifier, SequenceEncoder, Unrolled


@dataclass(frozen=True)
class TCNConfig:
    """Sizes of a :class:`TCN`.

    Attributes:
        vocabulary_size: V + 2, the ids of padding and of the unknown word among them.
        dimensions: d, the length of a word vector.
        units: channels of a block.
        layers: blocks of two convolutions; the dilation of block l is 2^l.
        kernel: words that a filter reads.
        reading: ``"last"``, ``"mean"`` or ``"max"`` of the states.
        dropout: on the document embedding.
        block_dropout: after each convolution, whole channels.
        word_dropout: probability that a whole word's vector is left out, in training only.
        static: whether the word vectors stay as they were initialised.
        classes: 2 gives one sigmoid neuron, more give a softmax.
    """

    vocabulary_size: int
    dimensions: int = 100
    units: int = 32
    layers: int = 4
    kernel: int = 3
    reading: str = "last"
    dropout: float = 0.5
    block_dropout: float = 0.1
    word_dropout: float = 0.0
    static: bool = False
    classes: int = 2


class TemporalBlock(nn.Module):
    """ReLU(x + F(x)): F is two causal convolutions with a ReLU each; x is projected where sizes differ."""

    def __init__(self, inputs: int, units: int, kernel: int, dilation: int, dropout: float) -> None:
        """Build it, with He's initial weights."""
        super().__init__()
        self.back = (kernel - 1) * dilation
        self.first = nn.Conv1d(inputs, units, kernel, dilation=dilation)
        self.second = nn.Conv1d(units, units, kernel, dilation=dilation)
        self.skip = nn.Conv1d(inputs, units, 1) if inputs != units else nn.Identity()
        self.dropout = nn.Dropout1d(dropout)
        for convolution in (self.first, self.second):
            nn.init.kaiming_normal_(convolution.weight, nonlinearity="relu")
            convolution.bias.data.zero_()  # type: ignore[union-attr]

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the block's activations (B, H, T) of ``inputs`` (B, D, T)."""
        hidden = inputs
        for convolution in (self.first, self.second):
            hidden = self.dropout(torch.relu_(convolution(functional.pad(hidden, (self.back, 0)))))
        return torch.relu(self.skip(inputs) + hidden)


class TemporalConvolutions(SequenceEncoder):
    """L blocks; the state of a word is what the last one makes of it and of the words in its receptive field."""

    formula = (
        r"u^l_t = \mathrm{ReLU}\bigl(\sum_j h^{l-1}_{t - 2^l j} W^l_j + b^l\bigr)",
        r"v^l_t = \mathrm{ReLU}\bigl(\sum_j u^l_{t - 2^l j} V^l_j + c^l\bigr)",
        r"h^l_t = \mathrm{ReLU}(h^{l-1}_t + v^l_t)",
    )

    def __init__(self, dimensions: int, units: int, layers: int = 4, kernel: int = 3, *, dropout: float = 0.0) -> None:
        """Build it.

        Args:
            dimensions: D, of an input.
            units: H, channels of a block.
            layers: L.
            kernel: inputs that a filter reads.
            dropout: after each convolution, in training only.
        """
        super().__init__(units, layers)
        inputs = [dimensions, *[units] * (layers - 1)]
        self.blocks = nn.ModuleList(
            TemporalBlock(size, units, kernel, 2**level, dropout) for level, size in enumerate(inputs)
        )
        self.receptive_field = 1 + 2 * (kernel - 1) * (2**layers - 1)

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:  # noqa: ARG002
        """Return the last block's states (B, T, H) of ``inputs`` (B, T, D)."""
        hidden = inputs.transpose(1, 2)
        for block in self.blocks:
            hidden = block(hidden)
        return hidden.transpose(1, 2)

    def unroll(self, inputs: Tensor, lengths: Tensor) -> Unrolled:  # noqa: ARG002
        """Return what every block holds of each word; it has no gates."""
        hidden, columns = inputs.transpose(1, 2), []
        for block in self.blocks:
            hidden = block(hidden)
            columns.append(hidden.transpose(1, 2))
        return Unrolled(torch.stack(columns, dim=2), {})

    def term(self) -> ParameterCount:
        """Return the number of parameters."""
        sizes = [sum(weight.numel() for weight in block.parameters()) for block in self.blocks]
        return ParameterCount(" + ".join(f"{size:,}" for size in sizes), sum(sizes))


class TCN(SequenceClassifier):
    """Temporal convolutions over word vectors, a reading of their states, one linear layer."""

    counted_as = "temporal blocks"

    def __init__(self, config: TCNConfig) -> None:
        """Build the network with random weights."""
        encoder = TemporalConvolutions(
            config.dimensions, config.units, config.layers, config.kernel, dropout=config.block_dropout
        )
        super().__init__(config, encoder)


MODEL = Architecture(
    name="tcn",
    title="Temporal convolutional network",
    source="Bai et al. 2018",
    config=TCNConfig,
    build=TCN,
)
