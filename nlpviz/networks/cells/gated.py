"""The gated recurrent unit as 001 builds it on Elman's network: each unit keeps a share of its previous value.

Fleuret (2018), *EE-559 – Deep learning*, lecture 11, "Gating": one forget gate, a full update through a ReLU.
"""

from __future__ import annotations

import torch
from torch import Tensor

from nlpviz.networks.cells import CellKind, RecurrentCell, State, Stepped, slope_of_sigmoid
from nlpviz.results.states import CellPart


class GatedCell(RecurrentCell):
    """h_t = z_t ∘ h_{t-1} + (1 − z_t) ∘ h̄_t, with h̄_t = ReLU(…) and z_t = σ(…) of the word and the state before."""

    blocks = 2  # z, h̄
    parts = (CellPart("forget gate", "z", is_gate=True), CellPart("full update", r"\bar h", is_gate=False))
    formula = (
        r"\bar h_t = \mathrm{ReLU}(x_t W_h + h_{t-1} U_h + b_h)",
        r"z_t = \sigma(x_t W_z + h_{t-1} U_z + b_z)",
        r"h_t = z_t \circ h_{t-1} + (1 - z_t) \circ \bar h_t",
    )

    def __init__(self, dimensions: int, units: int, forget_bias: float = 0.0) -> None:
        """Build it.

        Args:
            dimensions: D, of an input.
            units: H.
            forget_bias: of the forget gate before training: positive ones keep the state at first.
        """
        super().__init__(dimensions, units)
        self.bias.data[:units] = forget_bias

    def equations(self, pre: Tensor, before: State) -> Stepped:
        """Return the state after a step, the forget gate and the full update."""
        forget, update = pre.chunk(2, dim=-1)
        forget, update = torch.sigmoid(forget), torch.relu(update)
        state = forget * before[0] + (1 - forget) * update
        return Stepped((state,), {"forget gate": forget, "full update": update})

    def ahead(self, pre: Tensor, before: State, after: State) -> None:
        """Take the step in place."""
        forget, update = pre.chunk(2, dim=1)
        # lerp(h̄, h, z) = (1 − z) ∘ h̄ + z ∘ h.
        torch.lerp(update.relu_(), before[0], forget.sigmoid_(), out=after[0])

    def parts_of(self, activations: Tensor, after: State) -> dict[str, Tensor]:  # noqa: ARG002
        """Return the forget gate and the full update."""
        forget, update = activations.chunk(2, dim=-1)
        return {"forget gate": forget, "full update": update}

    def slopes(self, activations: Tensor, before: State, after: State) -> State:  # noqa: ARG002
        """Return the derivative of the state by both pre-activations, and by the state before."""
        forget, update = activations.chunk(2, dim=-1)
        by_forget = (before[0] - update).mul_(slope_of_sigmoid(forget))
        return torch.stack([by_forget, (1 - forget) * (update > 0)], dim=2), forget


CELL = CellKind(
    name="gated",
    title="Gated unit",
    source="Fleuret 2018",
    build=GatedCell,
    settings={"forget_bias": 0.0},
)
