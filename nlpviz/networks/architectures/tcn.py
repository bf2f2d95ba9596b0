"""A temporal convolutional network: causal convolutions whose dilation doubles with each block.

Bai, Kolter and Koltun (2018), *An Empirical Evaluation of Generic Convolutional and Recurrent Networks for Sequence
Modeling*, section 3; 001, "Temporal Convolutions". Causal, dilated and residual as there; no weight normalisation. It
has no state that it goes on from: a word is forgotten as soon as it leaves the receptive field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.layers import Dropout, ParameterCount
from nlpviz.networks.sequences import SequenceClassifier, SequenceEncoder, Unrolled


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


class LookBack(torch.autograd.Function):
    """y_t = b + Σ_j x_{t − δj} W_j: a causal convolution as one product per tap, over all steps, and its gradients.

    Steps come first, so that what a tap reads is a slice, and no padded copy of the inputs is made.
    """

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weights: Tensor, bias: Tensor, dilation: int) -> Tensor:  # noqa: ANN401
        """Return the outputs (T, B, H) of ``inputs`` (T, B, D), ``weights`` (k, D, H) and ``bias`` (H,)."""
        ctx.save_for_backward(inputs, weights)
        steps, rows, _ = inputs.shape
        # Steps are flattened with the batch, so that a lag of one step is B rows.
        ctx.lags = [rows * min(dilation * tap, steps) for tap in range(len(weights))]
        outputs = inputs.new_empty(steps, rows, len(bias))
        flat, filled = inputs.flatten(0, 1), outputs.flatten(0, 1)
        torch.addmm(bias, flat, weights[0], out=filled)
        for lag, of_tap in zip(ctx.lags[1:], weights[1:], strict=True):
            filled[lag:].addmm_(flat[: len(flat) - lag], of_tap)
        return outputs

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401
        """Return the gradients by inputs, weights and bias, from those by the outputs (T, B, H)."""
        inputs, weights = ctx.saved_tensors
        flat = inputs.flatten(0, 1)
        by_output = gradient.reshape(len(flat), weights.shape[2])  # many gradients at once cannot be flattened
        by_input = by_output @ weights[0].T
        for lag, of_tap in zip(ctx.lags[1:], weights[1:], strict=True):
            by_input[: len(flat) - lag] += by_output[lag:] @ of_tap.T
        if not ctx.needs_input_grad[1]:
            return by_input.view_as(inputs), None, None, None
        by_weights = torch.stack([flat[: len(flat) - lag].T @ by_output[lag:] for lag in ctx.lags])
        return by_input.view_as(inputs), by_weights, by_output.sum(dim=0), None


class CausalConvolution(nn.Conv1d):
    """A convolution that reads no later step, with the weights of PyTorch's: (H, D, k), the last tap that of the step.

    There is no padding: what would be read before the first step is left out.
    """

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002
        """Return the convolution (T, B, H) of ``input`` (T, B, D)."""
        # PyTorch’s last tap reads the step itself; in LookBack that is the first.
        taps = self.weight.permute(2, 1, 0).flip(0)
        return LookBack.apply(input, taps, self.bias, self.dilation[0])  # type: ignore[no-untyped-call]


class TemporalBlock(nn.Module):
    """ReLU(x + F(x)): F is two causal convolutions with a ReLU each; x is projected where sizes differ."""

    def __init__(self, inputs: int, units: int, kernel: int, dilation: int, dropout: float) -> None:
        """Build it, with He's initial weights."""
        super().__init__()
        self.first = CausalConvolution(inputs, units, kernel, dilation=dilation)
        self.second = CausalConvolution(units, units, kernel, dilation=dilation)
        self.skip = nn.Linear(inputs, units) if inputs != units else nn.Identity()
        self.dropout = Dropout(dropout)
        for convolution in (self.first, self.second):
            nn.init.kaiming_normal_(convolution.weight, nonlinearity="relu")
            convolution.bias.data.zero_()  # type: ignore[union-attr]

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the block's activations (T, B, H) of ``inputs`` (T, B, D)."""
        hidden = inputs
        for convolution in (self.first, self.second):
            hidden = torch.relu_(convolution(hidden))
            if self.training:  # whole channels of a text
                hidden = hidden * self.dropout(hidden.new_ones(hidden.shape[1:]))
        return torch.relu(self.skip(inputs) + hidden)


class TemporalConvolutions(SequenceEncoder):
    """L blocks; the state of a word is the last block's output, from the words in its receptive field."""

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
        # Each block adds 2 (k − 1) 2^l words: two convolutions with dilation 2^l.
        self.receptive_field = 1 + 2 * (kernel - 1) * (2**layers - 1)

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:  # noqa: ARG002
        """Return the last block's states (B, T, H) of ``inputs`` (B, T, D)."""
        hidden = inputs.transpose(0, 1).contiguous()
        for block in self.blocks:
            hidden = block(hidden)
        return hidden.transpose(0, 1)

    def unroll(self, inputs: Tensor, lengths: Tensor) -> Unrolled:  # noqa: ARG002
        """Return every block's state of each word; there are no gates."""
        hidden, columns = inputs.transpose(0, 1).contiguous(), []
        for block in self.blocks:
            hidden = block(hidden)
            columns.append(hidden.transpose(0, 1))
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
