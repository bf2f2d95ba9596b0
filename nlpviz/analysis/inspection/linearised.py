"""The Jacobian matrices of a recurrent network's steps, with respect to the previous state and to the word.

A step is a product and then equations in which each unit has a part of its own, so that their derivatives are
diagonals: autograd differentiates :meth:`nlpviz.networks.cells.RecurrentCell.equations` for all units and words at
once, and the products are put together here. A network that is none of those known here is differentiated number by
number of its state, which takes ten times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor

from nlpviz.analysis.inspection.slopes import Slopes
from nlpviz.networks.architectures import Recurrent
from nlpviz.networks.architectures.qrnn import QuasiRecurrentCell, QuasiRecurrentNetwork
from nlpviz.networks.cells import RecurrentCell
from nlpviz.networks.recurrence import RecurrentNetwork
from nlpviz.networks.skip_rnn import SkipCell


def linearised(module: Recurrent, inputs: Tensor, before: Tensor) -> Slopes:
    """Return the Jacobian matrices of C independent steps of ``module``.

    Args:
        module: whose parameters take no gradient.
        inputs: (C, D), the word vectors.
        before: (C, S), the states before.
    """
    encoder: Any = getattr(module, "encoder", None)
    with torch.enable_grad():
        if isinstance(encoder, RecurrentNetwork):
            layers: Sequence[Any] = list(encoder.onward)
            own = before.chunk(len(layers), dim=1)
        elif isinstance(encoder, QuasiRecurrentNetwork):
            layers = list(encoder.cells)
            sizes = [c + x for c, x in zip(encoder.sizes[::2], encoder.sizes[1::2], strict=True)]
            own = torch.split(before, sizes, dim=1)
        else:
            return _by_autograd(module, inputs, before)
        return _stacked([_of(layer) for layer in layers], inputs, own)


def _of(layer: object) -> Callable[[Tensor, Tensor], Slopes]:
    """Return what differentiates a layer of this kind."""
    if isinstance(layer, SkipCell):
        return lambda inputs, before: _skip(layer, inputs, before)
    if isinstance(layer, QuasiRecurrentCell):
        return lambda inputs, before: _quasi(layer, inputs, before)
    return lambda inputs, before: _cell(cast("RecurrentCell", layer), inputs, before)


def _stacked(layers: Sequence[Callable[[Tensor, Tensor], Slopes]], inputs: Tensor, own: Sequence[Tensor]) -> Slopes:
    """Return the derivatives of layers, each of which reads what the one below shows, by their states together."""
    below = layers[0](inputs, own[0])
    for layer, before in zip(layers[1:], own[1:], strict=True):
        above = layer(below.shown, before)
        by_below, shown = above.by_input @ below.shown_by_state, above.shown_by_input @ below.shown_by_state
        apart = inputs.new_zeros(len(inputs), below.by_state.shape[1], before.shape[1])
        below = Slopes(
            torch.cat([torch.cat([below.by_state, apart], 2), torch.cat([by_below, above.by_state], 2)], 1),
            torch.cat([below.by_input, above.by_input @ below.shown_by_input], 1),
            torch.cat([shown, above.shown_by_state], 2),
            above.shown_by_input @ below.shown_by_input,
            above.shown,
        )
    return below


class _Diagonals(NamedTuple):
    """Derivatives of outputs (C, H) that depend, unit by unit, on pre-activations and on what is carried over."""

    values: tuple[Tensor, ...]
    by_pre: list[Tensor]  # (C, G, H) for each output
    by_carried: list[list[Tensor]]  # (C, H) for each output, for each tensor carried over


def _diagonals(
    equations: Callable[[Tensor, tuple[Tensor, ...]], tuple[Tensor, ...]], pre: Tensor, carried: Sequence[Tensor]
) -> _Diagonals:
    """Return them: the gradient of an output's sum is its diagonal, for no unit depends on another one's."""
    leaves = [one.detach().requires_grad_() for one in (pre, *carried)]
    values = equations(leaves[0], tuple(leaves[1:]))
    by_pre, by_carried = [], []
    for value in values:
        own, *others = torch.autograd.grad(value.sum(), leaves, retain_graph=True, materialize_grads=True)
        by_pre.append(own.view(len(own), -1, value.shape[1]))
        by_carried.append(others)
    return _Diagonals(tuple(value.detach() for value in values), by_pre, by_carried)


def _product(by_pre: Tensor, weights: Tensor) -> Tensor:
    """Return Σ_g diag(by_pre[:, g]) W_g', (C, H, D), of ``weights`` (D, G * H)."""
    if by_pre.shape[1] == 1:  # a product of matrices of one column is slow
        return by_pre[:, 0].unsqueeze(2) * weights.T
    return torch.einsum("cgh,dgh->chd", by_pre, weights.view(-1, *by_pre.shape[1:]))


def _cell(cell: RecurrentCell, inputs: Tensor, before: Tensor) -> Slopes:
    """Return the derivatives of a cell whose state ``before`` (C, n * H) has n parts, the hidden state first."""
    units, parts = cell.units, before.chunk(cell.states, dim=1)
    with torch.no_grad():
        pre = cell.enter(inputs)
        pre[:, cell.columns(cell.recurring)] += parts[0] @ cell.recurrent_weights
    found = _diagonals(lambda own, carried: cell.equations(own, carried).state, pre, parts)
    by_state, by_input = inputs.new_empty(len(inputs), *[before.shape[1]] * 2), []
    for row, (by_pre, by_carried) in enumerate(zip(found.by_pre, found.by_carried, strict=True)):
        rows = by_state[:, row * units : (row + 1) * units]
        rows[:, :, units:] = 0
        rows[:, :, :units] = _product(by_pre[:, cell.recurring], cell.recurrent_weights)
        for column, own in enumerate(by_carried):
            rows[:, :, column * units : (column + 1) * units].diagonal(dim1=1, dim2=2).add_(own)
        by_input.append(_product(by_pre[:, cell.entering], cell.input_weights))
    whole = torch.cat(by_input, dim=1)
    carried = torch.stack([one[1] for one in found.by_carried], dim=1) if cell.states == 2 else None
    return Slopes(by_state, whole, by_state[:, :units], whole[:, :units], found.values[0], carried)


def _skip(skip: SkipCell, inputs: Tensor, before: Tensor) -> Slopes:
    """Return the derivatives of a cell with an update gate, whether it is open taken as it is.

    What it goes on from ends with 1 − ũ, as :meth:`nlpviz.networks.architectures.skip_rnn.SkipNetwork.advance` has it.
    """
    held, due = before[:, :-1], 1 - before[:, -1:]
    update = (due > 0.5).to(due.dtype)
    slopes = _cell(skip.cell, inputs, held)
    open_, size = update.unsqueeze(2), held.shape[1]
    by_state, by_input = (
        inputs.new_zeros(len(inputs), size + 1, size + 1),
        inputs.new_zeros(len(inputs), size + 1, inputs.shape[1]),
    )
    by_state[:, :size, :size] = slopes.by_state * open_
    by_state[:, :size, :size].diagonal(dim1=1, dim2=2).add_(1 - update)
    by_input[:, :size] = slopes.by_input * open_
    shown = update * slopes.shown + (1 - update) * held[:, : skip.units]
    more = torch.sigmoid(shown @ skip.gate_weights + skip.gate_bias)
    growing = (1 - update) * (due + more < 1)
    through = ((update + growing) * more * (1 - more)).unsqueeze(1) * skip.gate_weights.T  # (C, 1, H)
    by_state[:, size:, :size] = -(through @ by_state[:, : skip.units, :size])
    by_state[:, size, size] = growing[:, 0]
    by_input[:, size:] = -(through @ by_input[:, : skip.units])
    return Slopes(by_state, by_input, by_state[:, : skip.units], by_input[:, : skip.units], shown)


def _quasi(cell: QuasiRecurrentCell, inputs: Tensor, before: Tensor) -> Slopes:
    """Return the derivatives of a quasi-recurrent layer, which goes on from its cell state and from its input."""
    units, dimensions = cell.units, inputs.shape[1]
    carried, earlier = before[:, :units], before[:, units:]

    def equations(pre: Tensor, state: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        candidate, forget, leave = pre.chunk(3, dim=1)
        after = forget.sigmoid() * state[0] + (1 - forget.sigmoid()) * candidate.tanh()
        return after, leave.sigmoid() * after

    found = _diagonals(equations, earlier @ cell.earlier + inputs @ cell.weights + cell.bias, [carried])
    outputs = []
    for by_pre, (own,) in zip(found.by_pre, found.by_carried, strict=True):
        by_state = torch.cat([torch.diag_embed(own), _product(by_pre, cell.earlier)], dim=2)
        outputs.append((by_state, _product(by_pre, cell.weights)))
    (after, after_input), (shown, shown_input) = outputs
    still = torch.zeros(len(inputs), dimensions, before.shape[1], dtype=inputs.dtype)
    itself = torch.eye(dimensions, dtype=inputs.dtype).expand(len(inputs), -1, -1)
    return Slopes(
        torch.cat([after, still], dim=1), torch.cat([after_input, itself], dim=1), shown, shown_input, found.values[1]
    )


def _by_autograd(module: Recurrent, inputs: Tensor, before: Tensor) -> Slopes:
    """Return the derivatives of any network that can be taken step by step."""
    leaves = [one.detach().requires_grad_() for one in (before, inputs)]
    after, shown = module.advance(leaves[1], leaves[0])
    found = []
    for value in (after, shown):
        rows = torch.eye(value.shape[1], dtype=value.dtype).unsqueeze(1).expand(-1, len(value), -1)
        slopes = torch.autograd.grad(
            value, leaves, rows, retain_graph=True, is_grads_batched=True, materialize_grads=True
        )
        found += [one.transpose(0, 1) for one in slopes]
    by_state, by_input, shown_by_state, shown_by_input = found
    return Slopes(by_state, by_input, shown_by_state, shown_by_input, shown.detach())
