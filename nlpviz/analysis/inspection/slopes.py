"""The steps of a recurrent network to first order: Jacobian matrices, and gradients backpropagated through them."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Slopes(NamedTuple):
    """The derivatives of C steps of a network, or of one of its layers.

    Attributes:
        by_state: (C, S, S), of the state after a step by that before it.
        by_input: (C, S, D), of the state after a step by its input.
        shown_by_state: (C, H, S), likewise of what the step shows, the hidden state.
        shown_by_input: (C, H, D).
        shown: (C, H), the hidden state itself.
        carried: (C, 2, H) where the state is a hidden and a cell state: the diagonals of the last H columns of
            ``by_state``, whose other numbers are zero. None of any other state.
    """

    by_state: Tensor
    by_input: Tensor
    shown_by_state: Tensor
    shown_by_input: Tensor
    shown: Tensor
    carried: Tensor | None = None

    def of(self, step: int) -> Slopes:
        """Return the derivatives of one of the C steps."""
        return Slopes(*(None if one is None else one[step] for one in self))  # type: ignore[arg-type]

    def before(self, after: Tensor, out: Tensor) -> None:
        """Fill ``out`` (N, S) with the gradients by the state before this one step, of those ``after`` it (N, S)."""
        if self.carried is None:
            torch.mm(after, self.by_state, out=out)
            return
        units = self.carried.shape[1]  # an LSTM's cell state needs no product
        torch.mm(after, self.by_state[:, :units], out=out[:, :units])
        torch.mul(after[:, :units], self.carried[0], out=out[:, units:])
        out[:, units:].addcmul_(after[:, units:], self.carried[1])
