"""The gated recurrent unit: two gates, and no cell state besides the hidden state.

Cho et al. (2014), *Learning Phrase Representations using RNN Encoder-Decoder*; Tixier (2018), section 6.4; 001, "LSTM
and GRU". The reset gate is applied after the product, r ∘ (h U), as in PyTorch's, so that a step is one product;
Tixier's equation 12 applies it before (his footnote 13 says that both perform alike). z keeps the state, as in 001.
"""

from __future__ import annotations

import torch
from torch import Tensor

from nlpviz.networks.cells import CellKind, RecurrentCell, State, Stepped, slope_of_sigmoid, slope_of_tanh
from nlpviz.results.states import CellPart


class GRUCell(RecurrentCell):
    """h_t = z_t ∘ h_{t-1} + (1 − z_t) ∘ n_t, with n_t = tanh(x_t W + b + r_t ∘ (h_{t-1} U + b'))."""

    kernel = "gru"
    blocks = 4  # n, r, z, and h U + b' apart from n, for the reset gate comes between
    entering = slice(0, 3)
    recurring = slice(1, 4)
    parts = (
        CellPart("update gate", "z", is_gate=True),
        CellPart("reset gate", "r", is_gate=True),
        CellPart("candidate", "n", is_gate=False),
    )
    formula = (
        r"z_t = \sigma(x_t W_z + h_{t-1} U_z + b_z)",
        r"r_t = \sigma(x_t W_r + h_{t-1} U_r + b_r)",
        r"n_t = \tanh(x_t W_n + b_n + r_t \circ (h_{t-1} U_n + b_n'))",
        r"h_t = z_t \circ h_{t-1} + (1 - z_t) \circ n_t",
    )

    def __init__(self, dimensions: int, units: int, update_bias: float = 0.0) -> None:
        """Build it.

        Args:
            dimensions: D, of an input.
            units: H.
            update_bias: of the update gate before training: positive ones keep the state at first.
        """
        super().__init__(dimensions, units)
        self.bias.data[2 * units : 3 * units] = update_bias

    def equations(self, pre: Tensor, before: State) -> Stepped:
        """Return the state after a step, both gates and the candidate."""
        candidate, reset, update, recurrent = pre.chunk(4, dim=-1)
        reset, update = reset.sigmoid(), update.sigmoid()
        # Cho et al. 2014 apply the reset gate after the product with U; Tixier 2018, equation 12, before it.
        candidate = torch.tanh(candidate + reset * recurrent)
        # Tixier 2018, equation 13.
        state = update * before[0] + (1 - update) * candidate
        return Stepped((state,), {"update gate": update, "reset gate": reset, "candidate": candidate})

    def ahead(self, pre: Tensor, before: State, after: State) -> None:
        """Take the step in place."""
        pre[:, self.units : 3 * self.units].sigmoid_()
        candidate, reset, update, recurrent = pre.chunk(4, dim=1)
        # lerp(n, h, z) = (1 − z) ∘ n + z ∘ h.
        torch.lerp(candidate.addcmul_(reset, recurrent).tanh_(), before[0], update, out=after[0])

    def parts_of(self, activations: Tensor, after: State) -> dict[str, Tensor]:  # noqa: ARG002
        """Return both gates and the candidate."""
        candidate, reset, update, _ = activations.chunk(4, dim=-1)
        return {"update gate": update, "reset gate": reset, "candidate": candidate}

    def slopes(self, activations: Tensor, before: State, after: State) -> State:  # noqa: ARG002
        """Return the derivative of the state by each pre-activation, and by the state before."""
        candidate, reset, update, recurrent = activations.chunk(4, dim=-1)
        by_pre = torch.empty(*candidate.shape[:2], 4, self.units, dtype=candidate.dtype, device=candidate.device)
        by_candidate = torch.mul(1 - update, slope_of_tanh(candidate), out=by_pre[:, :, 0])
        torch.mul(by_candidate * recurrent, slope_of_sigmoid(reset), out=by_pre[:, :, 1])
        torch.mul(before[0] - candidate, slope_of_sigmoid(update), out=by_pre[:, :, 2])
        torch.mul(by_candidate, reset, out=by_pre[:, :, 3])
        return by_pre, update

    def kernel_weights(self, recurrent_weights: Tensor) -> State:
        """Return the weights in PyTorch's order: reset gate, update gate, candidate."""
        candidate, reset, update = self.input_weights.T.chunk(3)
        of_candidate, of_reset, of_update, recurrent = self.bias.chunk(4)
        entering = torch.cat([of_reset, of_update, of_candidate])
        recurring = torch.cat([torch.zeros_like(of_reset), torch.zeros_like(of_update), recurrent])
        return torch.cat([reset, update, candidate]), recurrent_weights.T, entering, recurring


CELL = CellKind(
    name="gru",
    title="GRU",
    source="Cho et al. 2014",
    build=GRUCell,
    settings={"update_bias": 0.0},
)
