"""Elman's network: the state is a squashed weighted sum of the word and the previous state.

Elman (1990), *Finding Structure in Time*; 001, "RNN and backprop through time", which takes a ReLU. With a ReLU the
recurrent weights begin as the identity, so that the state is at first kept as it is (Le, Jaitly and Hinton 2015).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from nlpviz.networks.cells import CellKind, RecurrentCell, State, Stepped, slope_of_tanh

SCALE = 0.01
"""Standard deviation of the input weights beside an identity (Le, Jaitly and Hinton 2015, section 4: 0.001; words are
longer sums than pixels are)."""


class ElmanCell(RecurrentCell):
    """h_t = tanh(x_t W + h_{t-1} U + b), or ReLU of the same."""

    carries = False

    def __init__(self, dimensions: int, units: int, activation: str = "tanh") -> None:
        """Build it.

        Args:
            dimensions: D, of an input.
            units: H.
            activation: ``"tanh"`` or ``"relu"``.

        Raises:
            ValueError: if there is no such activation.
        """
        if activation not in ("tanh", "relu"):
            raise ValueError(f"an Elman cell does not support the activation {activation!r}; choose relu or tanh")
        super().__init__(dimensions, units)
        self.relu = activation == "relu"
        self.kernel = f"rnn_{activation}"
        name = r"\mathrm{ReLU}" if self.relu else r"\tanh"
        self.formula = (rf"h_t = {name}(x_t W + h_{{t-1}} U + b)",)
        if self.relu:
            nn.init.eye_(self.recurrent_weights)

    def equations(self, pre: Tensor, before: State) -> Stepped:  # noqa: ARG002
        """Return the state after a step."""
        # Tixier 2018, equation 6; pre is U x_t + W h_{t-1} + b there.
        return Stepped((torch.relu(pre) if self.relu else torch.tanh(pre),), {})

    def ahead(self, pre: Tensor, before: State, after: State) -> None:  # noqa: ARG002
        """Take the step in place."""
        if self.relu:
            torch.clamp_min(pre, 0, out=after[0])
        else:
            torch.tanh(pre, out=after[0])

    def parts_of(self, activations: Tensor, after: State) -> dict[str, Tensor]:  # noqa: ARG002
        """Return nothing: the state is all there is."""
        return {}

    def slopes(self, activations: Tensor, before: State, after: State) -> State:  # noqa: ARG002
        """Return the derivative of the state by its pre-activation."""
        state = after[0]
        return (((state > 0).to(state.dtype) if self.relu else slope_of_tanh(state)).unsqueeze(2),)

    def kernel_weights(self, recurrent_weights: Tensor) -> State:
        """Return the weights."""
        return self.input_weights.T, recurrent_weights.T, self.bias, torch.zeros_like(self.bias)


CELL = CellKind(
    name="elman",
    title="Elman network",
    source="Elman 1990",
    build=ElmanCell,
    settings={"activation": "tanh"},
)
