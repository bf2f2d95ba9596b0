"""The quasi-recurrent network: all gates at once by convolution, and a recurrence without a matrix.

Bradbury, Merity, Xiong and Socher (2016), *Quasi-Recurrent Neural Networks*, section 2, with fo-pooling and filters of
two words; 003, "Quasi RNN". The state is multiplied by the forget gate alone, so that what a unit remembers is the
product of its gates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.layers import Dropout, ParameterCount
from nlpviz.networks.sequences import SequenceEncoder, StepwiseClassifier, Unrolled
from nlpviz.results.states import CellPart


@dataclass(frozen=True)
class QRNNConfig:
    """Sizes of a :class:`QRNN`.

    Attributes:
        vocabulary_size: V + 2, the ids of padding and of the unknown word among them.
        dimensions: d, the length of a word vector.
        units: of a layer.
        layers: each over the states of the one below.
        reading: ``"last"``, ``"mean"`` or ``"max"`` of the states.
        dropout: between layers and on the document embedding.
        word_dropout: probability that a whole word's vector is left out, in training only.
        static: whether the word vectors stay as they were initialised.
        classes: 2 gives one sigmoid neuron, more give a softmax.
    """

    vocabulary_size: int
    dimensions: int = 100
    units: int = 64
    layers: int = 1
    reading: str = "max"
    dropout: float = 0.5
    word_dropout: float = 0.0
    static: bool = False
    classes: int = 2


class ForgetPooling(torch.autograd.Function):
    """c_t = f_t ∘ c_{t-1} + (1 − f_t) ∘ z_t from c_0 = 0, for all T steps, and its gradients."""

    @staticmethod
    def forward(ctx: Any, candidate: Tensor, forget: Tensor) -> Tensor:  # noqa: ANN401
        """Return the cell states (T, B, H) of candidates and forget gates, (T, B, H) each."""
        cell = torch.empty_like(candidate)
        before = torch.zeros_like(candidate[0])
        for new, kept, after in zip(candidate, forget, cell, strict=True):
            # lerp(z, c, f) = (1 − f) ∘ z + f ∘ c, written into the row of c_t.
            before = torch.lerp(new, before, kept, out=after)
        ctx.save_for_backward(candidate, forget, cell)
        return cell

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:  # noqa: ANN401
        """Return the gradients by candidates and forget gates, from those by the cell states (T, B, H)."""
        candidate, forget, cell = ctx.saved_tensors
        total = gradient.clone()  # by c_t, all later steps included
        steps = total.unbind()
        for now, before, kept in zip(steps[:0:-1], steps[-2::-1], forget.unbind()[:0:-1], strict=True):
            # ∂c_t / ∂c_{t-1} = f_t: the later gradient, times the gate, is added to the earlier one in place.
            before.addcmul_(now, kept)
        by_forget = torch.neg(candidate)
        by_forget[1:] += cell[:-1]
        return total.addcmul(total, forget, value=-1), by_forget.mul_(total)


class QuasiRecurrentCell(nn.Module):
    """One layer: candidate z, forget gate f and output gate o of two successive inputs, then h_t = o_t ∘ c_t."""

    def __init__(self, dimensions: int, units: int) -> None:
        """Build it with Glorot's weights."""
        super().__init__()
        self.units = units
        self.earlier = nn.Parameter(torch.empty(dimensions, 3 * units))
        self.weights = nn.Parameter(torch.empty(dimensions, 3 * units))
        self.bias = nn.Parameter(torch.zeros(3 * units))
        for weights in (self.earlier, self.weights):
            for block in weights.data.chunk(3, dim=1):
                nn.init.xavier_uniform_(block)

    def gates(self, earlier: Tensor, inputs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return candidate, forget and output gate, (..., H) each, of the inputs before and these, (..., D) each."""
        weights = torch.cat([self.earlier, self.weights])
        pre = functional.linear(torch.cat([earlier, inputs], dim=-1), weights.T, self.bias)
        candidate, forget, leave = pre.chunk(3, dim=-1)
        return candidate.tanh(), forget.sigmoid(), leave.sigmoid()

    def forward(self, inputs: Tensor) -> tuple[Tensor, ...]:
        """Return hidden states, forget and output gates, candidates, cell states, (T, B, H) each, of (T, B, D)."""
        # x_{t-1} of every step: the inputs shifted by one, with zeros before the first.
        earlier = torch.cat([torch.zeros_like(inputs[:1]), inputs[:-1]])
        candidate, forget, leave = self.gates(earlier, inputs)
        cell = cast("Tensor", ForgetPooling.apply(candidate, forget))  # type: ignore[no-untyped-call]
        return leave * cell, forget, leave, candidate, cell


class QuasiRecurrentNetwork(SequenceEncoder):
    """L layers of it."""

    parts = (
        CellPart("forget gate", "f", is_gate=True),
        CellPart("output gate", "o", is_gate=True),
        CellPart("candidate", "z", is_gate=False),
        CellPart("cell state", "c", is_gate=False),
    )
    formula = (
        r"z_t = \tanh(x_{t-1} W_z' + x_t W_z + b_z)",
        r"f_t = \sigma(x_{t-1} W_f' + x_t W_f + b_f)",
        r"o_t = \sigma(x_{t-1} W_o' + x_t W_o + b_o)",
        r"c_t = f_t \circ c_{t-1} + (1 - f_t) \circ z_t",
        r"h_t = o_t \circ c_t",
    )

    def __init__(self, dimensions: int, units: int, layers: int = 1, *, dropout: float = 0.0) -> None:
        """Build it.

        Args:
            dimensions: D, of an input.
            units: of a layer.
            layers: L.
            dropout: between two layers, in training only.
        """
        super().__init__(units, layers)
        inputs = [dimensions, *[units] * (layers - 1)]
        self.cells = nn.ModuleList(QuasiRecurrentCell(size, units) for size in inputs)
        self.between = Dropout(dropout)
        self.sizes = [size for each in inputs for size in (units, each)]  # of a layer's state: c, and the input before

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:  # noqa: ARG002
        """Return the last layer's states (B, T, E) of ``inputs`` (B, T, D)."""
        return self._layers(inputs)[-1][0].transpose(0, 1)

    def unroll(self, inputs: Tensor, lengths: Tensor) -> Unrolled:  # noqa: ARG002
        """Return every layer's states after each step, with its gates."""
        columns = zip(*self._layers(inputs), strict=True)
        states, *parts = (torch.stack(column, dim=2).transpose(0, 1) for column in columns)
        return Unrolled(states, dict(zip((part.name for part in self.parts), parts, strict=True)))

    def _layers(self, inputs: Tensor) -> list[tuple[Tensor, ...]]:
        """Return what each layer computes, (T, B, H) each, of ``inputs`` (B, T, D)."""
        rows = inputs.transpose(0, 1)
        told: list[tuple[Tensor, ...]] = []
        for cell in self.cells:
            told.append(cell(self.between(told[-1][0]) if told else rows))
        return told

    @property
    def state_size(self) -> int:
        """S: of each layer the cell state, and the input before, which the next step reads again."""
        return sum(self.sizes)

    def advance(self, inputs: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return the state (..., S) after ``inputs`` (..., D) are read in ``state`` (..., S), and what it shows.

        That is the last layer's hidden state (..., H).
        """
        after: list[Tensor] = []
        pieces: Sequence[Tensor] = torch.split(state, self.sizes, dim=-1)
        for cell, before, earlier in zip(self.cells, pieces[::2], pieces[1::2], strict=True):
            candidate, forget, leave = cast("QuasiRecurrentCell", cell).gates(earlier, inputs)
            after += [forget * before + (1 - forget) * candidate, inputs]
            inputs = leave * after[-2]
        return torch.cat(after, dim=-1), inputs

    def term(self) -> ParameterCount:
        """Return the number of parameters."""
        shapes = [cast("QuasiRecurrentCell", cell).weights.shape for cell in self.cells]
        formula = " + ".join(f"2 × {d} × {gates} + {gates}" for d, gates in shapes)
        return ParameterCount(formula, sum(2 * d * gates + gates for d, gates in shapes))


class QRNN(StepwiseClassifier):
    """Quasi-recurrent layers over word vectors, a reading of their states, one linear layer."""

    counted_as = "quasi-recurrent layers"

    def __init__(self, config: QRNNConfig) -> None:
        """Build the network with random weights."""
        encoder = QuasiRecurrentNetwork(config.dimensions, config.units, config.layers, dropout=config.dropout)
        super().__init__(config, encoder)


MODEL = Architecture(
    name="qrnn",
    title="Quasi-recurrent network",
    source="Bradbury et al. 2016",
    config=QRNNConfig,
    build=QRNN,
)
