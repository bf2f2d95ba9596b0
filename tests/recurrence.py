"""Recurrent cells for tests: all kinds in double precision, PyTorch's own modules with their weights, a plain loop."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from nlpviz.networks.cells import RecurrentCell, State, cells
from nlpviz.networks.cells.elman import ElmanCell
from nlpviz.networks.cells.gru import GRUCell
from nlpviz.networks.cells.lstm import LSTMCell

KINDS = {
    "elman": ("elman", {"activation": "tanh"}),
    "elman-relu": ("elman", {"activation": "relu"}),
    "gated": ("gated", {"forget_bias": 0.5}),
    "lstm": ("lstm", {"forget_bias": 1.0}),
    "gru": ("gru", {"update_bias": 0.5}),
}
"""Every kind of cell, a name with its settings; the Elman cell with each of its activations."""
WITH_TORCH = tuple(name for name in KINDS if name != "gated")
"""Those that PyTorch has as well."""


def make(kind: str, dimensions: int = 3, units: int = 4) -> RecurrentCell:
    """Return a cell in double precision whose biases, too, are drawn: what is zero hides a mistake."""
    name, settings = KINDS[kind]
    cell = cells()[name].build(dimensions, units, **settings)
    nn.init.normal_(cell.bias, std=0.5)
    if kind == "elman-relu":  # an identity that only adds grows beyond all bounds
        nn.init.normal_(cell.recurrent_weights, std=0.4)
    return cell.double()


def looped(cell: RecurrentCell, inputs: Tensor) -> list[State]:
    """Return the state after each step over ``inputs`` (T, B, D), by the cell's equations alone."""
    state: State = tuple(inputs.new_zeros(inputs.shape[1], cell.units) for _ in range(cell.states))
    after = []
    for words in inputs:
        state = cell.step(words, state).state
        after.append(state)
    return after


def torch_module(cell: RecurrentCell) -> nn.RNNBase:
    """Return PyTorch's module of one layer, time first, without weights of its own."""
    sizes = cell.dimensions, cell.units
    if isinstance(cell, LSTMCell):
        return nn.LSTM(*sizes).double()
    if isinstance(cell, GRUCell):
        return nn.GRU(*sizes).double()
    assert isinstance(cell, ElmanCell)
    return nn.RNN(*sizes, nonlinearity="relu" if cell.relu else "tanh").double()


def copy_weights(cell: RecurrentCell, module: nn.RNNBase, suffix: str = "l0") -> None:
    """Give a layer of PyTorch's ``module`` the weights of ``cell``, in PyTorch's order of the gates.

    LSTM: input, forget, candidate, output. GRU: reset, update, candidate, whose recurrent bias is inside the reset.
    """
    onto, over, bias = cell.input_weights.data.T, cell.recurrent_weights.data.T, cell.bias.data
    zeros = torch.zeros_like(bias)
    if isinstance(cell, LSTMCell):
        order = [1, 2, 0, 3]
        onto, over, bias = (torch.cat([some.chunk(4)[block] for block in order]) for some in (onto, over, bias))
    elif isinstance(cell, GRUCell):
        candidate, reset, update, recurrent = bias.chunk(4)
        onto = torch.cat([onto.chunk(3)[block] for block in (1, 2, 0)])
        bias = torch.cat([reset, update, candidate])
        zeros = torch.cat([torch.zeros_like(reset), torch.zeros_like(update), recurrent])
    named = {"weight_ih": onto, "weight_hh": over, "bias_ih": bias, "bias_hh": zeros}
    for name, weights in named.items():
        getattr(module, f"{name}_{suffix}").data.copy_(weights)
