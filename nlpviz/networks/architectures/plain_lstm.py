"""An LSTM with an output after every step: its state of fixed size is its only memory.

Hochreiter and Schmidhuber (1997); beside the neural Turing machine as in Graves, Wayne and Danihelka (2014), section 4.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture, ParameterTerm


@dataclass(frozen=True)
class PlainLstmConfig:
    """Sizes of a :class:`PlainLstm`.

    Attributes:
        inputs: bits of a step, D.
        outputs: bits of an answer, K.
        units: of each layer, H.
        layers: stacked.
    """

    inputs: int
    outputs: int
    units: int = 256
    layers: int = 1


class PlainLstm(nn.Module):
    """LSTM layers and a linear layer over the last layer's state."""

    def __init__(self, config: PlainLstmConfig) -> None:
        """Build the network with random weights."""
        super().__init__()
        self.config = config
        self.lstm = nn.LSTM(config.inputs, config.units, config.layers, batch_first=True)
        self.output = nn.Linear(config.units, config.outputs)

    def answer(self, inputs: Tensor) -> Tensor:
        """Return the logits (B, T, K) of the output bits after each step of ``inputs`` (B, T, D)."""
        return self.output(self.lstm(inputs)[0])

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        config, units = self.config, self.config.units
        sizes = [config.inputs, *[units] * (config.layers - 1)]
        formula = " + ".join(f"4 × ({units} × ({size} + {units}) + 2 × {units})" for size in sizes)
        counted = sum(weight.numel() for weight in self.lstm.parameters())
        output = (config.outputs, units, config.outputs)
        return (
            ParameterTerm("LSTM", formula, counted),
            ParameterTerm("output layer", "{} × {} + {}".format(*output), output[0] * output[1] + output[2]),
        )


TRANSDUCER = Architecture(
    name="plain-lstm",
    title="LSTM",
    source="Hochreiter and Schmidhuber 1997",
    config=PlainLstmConfig,
    build=PlainLstm,
)
