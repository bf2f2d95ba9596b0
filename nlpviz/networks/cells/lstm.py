"""Long short-term memory: an additive cell state, and three gates that control what enters, stays and leaves.

Hochreiter and Schmidhuber (1997), *Long Short-Term Memory*, with the forget gate of Gers, Schmidhuber and Cummins
(2000); Tixier (2018), section 6.3; 001, "LSTM and GRU", in the form of Jozefowicz et al. (2015), without peepholes.
"""

from __future__ import annotations

import torch
from torch import Tensor

from nlpviz.networks.cells import CellKind, RecurrentCell, State, Stepped, slope_of_sigmoid, slope_of_tanh
from nlpviz.results.states import CellPart


class LSTMCell(RecurrentCell):
    """c_t = f_t ∘ c_{t-1} + i_t ∘ g_t and h_t = o_t ∘ tanh(c_t)."""

    kernel = "lstm"
    blocks = 4  # g, i, f, o: the sigmoids are neighbours, and so is what the cell state depends on
    states = 2
    parts = (
        CellPart("forget gate", "f", is_gate=True),
        CellPart("input gate", "i", is_gate=True),
        CellPart("output gate", "o", is_gate=True),
        CellPart("candidate", "g", is_gate=False),
        CellPart("cell state", "c", is_gate=False),
    )
    formula = (
        r"f_t = \sigma(x_t W_f + h_{t-1} U_f + b_f)",
        r"i_t = \sigma(x_t W_i + h_{t-1} U_i + b_i)",
        r"o_t = \sigma(x_t W_o + h_{t-1} U_o + b_o)",
        r"g_t = \tanh(x_t W_g + h_{t-1} U_g + b_g)",
        r"c_t = f_t \circ c_{t-1} + i_t \circ g_t",
        r"h_t = o_t \circ \tanh(c_t)",
    )

    def __init__(self, dimensions: int, units: int, forget_bias: float = 1.0) -> None:
        """Build it.

        Args:
            dimensions: D, of an input.
            units: H.
            forget_bias: of the forget gate before training (Gers et al. 2000): at 1, it keeps three quarters at first.
        """
        super().__init__(dimensions, units)
        self.bias.data[2 * units : 3 * units] = forget_bias

    def equations(self, pre: Tensor, before: State) -> Stepped:
        """Return hidden and cell state after a step, the gates and the candidate."""
        candidate, enter, forget, leave = pre.chunk(4, dim=-1)
        candidate, enter, forget, leave = candidate.tanh(), enter.sigmoid(), forget.sigmoid(), leave.sigmoid()
        # Tixier 2018, equations 9 and 10.
        cell = forget * before[1] + enter * candidate
        return Stepped((leave * cell.tanh(), cell), self._named(candidate, enter, forget, leave, cell))

    def ahead(self, pre: Tensor, before: State, after: State) -> None:
        """Take the step in place."""
        hidden, cell = after
        pre[:, self.units :].sigmoid_()
        # The activations stay in pre: the step back reads them there.
        candidate, enter, forget, leave = pre.chunk(4, dim=1)
        torch.mul(forget, before[1], out=cell).addcmul_(enter, candidate.tanh_())
        torch.tanh(cell, out=hidden).mul_(leave)

    def parts_of(self, activations: Tensor, after: State) -> dict[str, Tensor]:
        """Return the gates, the candidate and the cell state."""
        candidate, enter, forget, leave = activations.chunk(4, dim=-1)
        return self._named(candidate, enter, forget, leave, after[1])

    def slopes(self, activations: Tensor, before: State, after: State) -> State:
        """Return the factors of the gradient: at each pre-activation, from h to c, and from c to c."""
        candidate, enter, forget, leave = activations.chunk(4, dim=-1)
        squashed = torch.tanh(after[1])
        by_pre = torch.empty(*candidate.shape[:2], 4, self.units, dtype=candidate.dtype, device=candidate.device)
        torch.mul(enter, slope_of_tanh(candidate), out=by_pre[:, :, 0])
        torch.mul(candidate, slope_of_sigmoid(enter), out=by_pre[:, :, 1])
        torch.mul(before[1], slope_of_sigmoid(forget), out=by_pre[:, :, 2])
        torch.mul(squashed, slope_of_sigmoid(leave), out=by_pre[:, :, 3])
        return by_pre, slope_of_tanh(squashed).mul_(leave), forget

    def back(self, slopes: State, after: list[Tensor], pre: Tensor) -> list[Tensor]:
        """Take one step back: the cell state's gradient is multiplied by the forget gate alone, by no matrix."""
        by_pre, to_cell, forget = slopes
        hidden, cell = after
        cell.addcmul_(hidden, to_cell)
        torch.mul(by_pre[:, :3], cell.unsqueeze(1), out=pre[:, :3])
        torch.mul(by_pre[:, 3], hidden, out=pre[:, 3])
        return [hidden.zero_(), cell.mul_(forget)]

    def kernel_weights(self, recurrent_weights: Tensor) -> State:
        """Return the weights in PyTorch's order: input gate, forget gate, candidate, output gate."""
        weights = self.input_weights.T, recurrent_weights.T, self.bias
        blocks = [one.chunk(4) for one in weights]
        onto, over, bias = (torch.cat([enter, forget, candidate, leave]) for candidate, enter, forget, leave in blocks)
        return onto, over, bias, torch.zeros_like(bias)

    def _named(
        self, candidate: Tensor, enter: Tensor, forget: Tensor, leave: Tensor, cell: Tensor
    ) -> dict[str, Tensor]:
        """Return the parts by name."""
        return dict(zip((part.name for part in self.parts), (forget, enter, leave, candidate, cell), strict=True))


CELL = CellKind(
    name="lstm",
    title="LSTM",
    source="Hochreiter and Schmidhuber 1997; Gers et al. 2000",
    build=LSTMCell,
    settings={"forget_bias": 1.0},
)
