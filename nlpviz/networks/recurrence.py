"""Cells taken through a sequence: forwards in place, backwards by hand, stacked, and in both directions.

Backpropagation through time (Werbos 1988; 003, "Backpropagation through time"): the gradient goes back step by step
through the state, and what it is for the weights is one product over all steps. Autograd would keep a graph of a dozen
nodes a step and add to the weights' gradient at each; written out, an epoch takes about as long on a CPU as with
PyTorch's fused modules (``benchmarks/recurrence.py``), and what every gate held is there to be looked at. On a GPU a
step's launches take longer than its arithmetic: there :mod:`nlpviz.networks.fused` reads, unless gates are wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from nlpviz.networks.cells import RecurrentCell, State
from nlpviz.networks.fused import is_fused, read_fused
from nlpviz.networks.layers import Dropout, ParameterCount, VariationalDropout, turned
from nlpviz.networks.sequences import SequenceEncoder, Unrolled

STEPS = 16
"""Slopes are computed for so many steps at once: few enough to stay in the processor's cache."""
FUSED_FROM = 32
"""Steps from which PyTorch's kernel is faster than ours on a CPU, for all that it takes to lay out the weights."""


class Tape(NamedTuple):
    """What a cell left on its way through T steps of B rows.

    Attributes:
        activations: (T, B, G * H).
        states: of hidden and cell state each (T + 1, B, H); the first is before the first step.
    """

    activations: Tensor
    states: State

    def after(self, start: int = 0, stop: int | None = None) -> State:
        """Return the states after the steps from ``start`` to ``stop``, (S, B, H) each."""
        stop = len(self.activations) if stop is None else stop
        return tuple(state[start + 1 : stop + 1] for state in self.states)

    def before(self, start: int, stop: int) -> State:
        """Return the states before these steps, (S, B, H) each."""
        return tuple(state[start:stop] for state in self.states)


def run(cell: RecurrentCell, inputs: Tensor, start: State = (), recurrent_weights: Tensor | None = None) -> Tape:
    """Return what ``cell`` makes of ``inputs`` (T, B, D), step by step; no graph is kept.

    Args:
        cell: whose equations they are.
        inputs: of T steps.
        start: the state before the first one, each (B, H); zero where there is none.
        recurrent_weights: at every step, in place of the cell's own.
    """
    with torch.no_grad():
        activations = cell.enter(inputs)
        steps, rows, _ = inputs.shape
        states = tuple(inputs.new_empty(steps + 1, rows, cell.units) for _ in range(cell.states))
        for position, state in enumerate(states):
            state[0] = start[position] if start else 0
        weights = cell.recurrent_weights if recurrent_weights is None else recurrent_weights
        recurring = activations[..., cell.columns(cell.recurring)]
        before = tuple(state[0] for state in states)
        for pre, enters, *after in zip(activations, recurring, *(state[1:] for state in states), strict=True):
            enters.addmm_(before[0], weights)
            cell.ahead(pre, before, tuple(after))
            before = tuple(after)
        return Tape(activations, states)


class ThroughTime(torch.autograd.Function):
    """All hidden states of a cell, (T, B, H), and their gradients by its inputs and weights, not by its first state."""

    @staticmethod
    def forward(ctx: Any, cell: RecurrentCell, start: State, inputs: Tensor, *weights: Tensor) -> State:  # noqa: ANN401
        """Return the hidden states of ``cell``, and the state after the last step, which has no gradient.

        Its own ``weights`` are named so that autograd knows of them; the recurrent ones may be others.
        """
        recurrent_weights = weights[1]
        tape = run(cell, inputs, start, recurrent_weights)
        ctx.cell = cell
        ctx.save_for_backward(recurrent_weights, inputs, tape.activations, *tape.states)
        after = tuple(state[-1].clone() for state in tape.states)
        ctx.mark_non_differentiable(*after)
        return tape.states[0][1:], *after

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor, *_: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401
        """Return the gradients by the inputs and the weights, from those by the hidden states (T, B, H)."""
        cell, (recurrent_weights, inputs, activations, *states) = ctx.cell, ctx.saved_tensors
        tape = Tape(activations, tuple(states))
        pre, before = backwards(cell, tape, gradient, recurrent_weights), tape.states[0][:-1]
        return None, None, *of_inputs_and_weights(cell, inputs, before, pre, of_inputs=ctx.needs_input_grad[2])


def backwards(cell: RecurrentCell, tape: Tape, gradient: Tensor, recurrent_weights: Tensor) -> Tensor:
    """Return the gradients of the pre-activations, (T, B, G * H), where ``recurrent_weights`` made the ``tape``."""
    steps, rows, units = gradient.shape
    pre = torch.empty_like(tape.activations)
    by_block, recurring = pre.view(steps, rows, cell.blocks, units), pre[..., cell.columns(cell.recurring)]
    turned = recurrent_weights.T.contiguous()
    after = [gradient.new_zeros(rows, units) for _ in range(cell.states)]
    for stop in range(steps, 0, -STEPS):
        start = max(stop - STEPS, 0)
        slopes = cell.slopes(tape.activations[start:stop], tape.before(start, stop), tape.after(start, stop))
        for step in reversed(range(start, stop)):
            after[0] += gradient[step]
            before = cell.back(tuple(slope[step - start] for slope in slopes), after, by_block[step])
            before[0].addmm_(recurring[step], turned)
            after = before
    return pre


def of_inputs_and_weights(
    cell: RecurrentCell, inputs: Tensor, before: Tensor, pre: Tensor, *, of_inputs: bool
) -> tuple[Tensor | None, Tensor, Tensor, Tensor]:
    """Return the gradients of inputs, input weights, recurrent weights and bias: of all steps by a product each.

    Args:
        cell: whose weights they are.
        inputs: (T, B, D).
        before: hidden states before each step, (T, B, H).
        pre: the gradients of the pre-activations, (T, B, G * H).
        of_inputs: whether the inputs' gradient is wanted.
    """
    flat = pre.flatten(0, 1)
    entering, recurring = flat[:, cell.columns(cell.entering)], flat[:, cell.columns(cell.recurring)]
    by_inputs = (entering @ cell.input_weights.T).view_as(inputs) if of_inputs else None
    by_weights, by_recurrent = inputs.flatten(0, 1).T @ entering, before.flatten(0, 1).T @ recurring
    return by_inputs, by_weights, by_recurrent, flat.sum(dim=0)


def through_time(
    cell: RecurrentCell, inputs: Tensor, start: State = (), recurrent_weights: Tensor | None = None
) -> tuple[Tensor, State]:
    """Return all hidden states (T, B, H) of ``cell`` over ``inputs`` (T, B, D), and its state after them, (B, H) each.

    ``start`` is the state before them, zero where there is none. Neither state has a gradient: backpropagation through
    time is truncated where a text is cut (Williams and Peng 1990). ``recurrent_weights`` take the place of the cell's.
    On a GPU PyTorch's kernel reads, if it has one.
    """
    recurrent_weights = cell.recurrent_weights if recurrent_weights is None else recurrent_weights
    if is_fused(cell, inputs):
        return read_fused(cell, inputs, start, recurrent_weights)
    weights = cell.input_weights, recurrent_weights, cell.bias
    states, *after = ThroughTime.apply(cell, start, inputs, *weights)  # type: ignore[no-untyped-call]
    return states, tuple(after)


class RecurrentNetwork(SequenceEncoder):
    """L layers of one kind of cell, each in one direction or in both (Schuster and Paliwal 1997; 004)."""

    def __init__(
        self,
        make: Callable[[int, int], RecurrentCell],
        dimensions: int,
        units: int,
        layers: int = 1,
        *,
        bidirectional: bool = False,
        dropout: float = 0.0,
        variational: bool = False,
        weight_drop: float = 0.0,
    ) -> None:
        """Build it.

        Args:
            make: makes a cell of so many dimensions and units.
            dimensions: D, of an input.
            units: of the state of one direction.
            layers: L, each over the states of the one below.
            bidirectional: whether each layer has a second cell, which reads the text from its end.
            dropout: between two layers, in training only.
            variational: whether it drops the same units at every step of a text (Gal and Ghahramani 2016).
            weight_drop: share of the recurrent weights that are zero in training, the same ones at every step of all
                texts that are read at once (Merity, Keskar and Socher 2018, section 2).
        """
        directions = 2 if bidirectional else 1
        super().__init__(units * directions, layers, causal=not bidirectional)
        inputs = [dimensions, *[self.size] * (layers - 1)]
        self.onward = nn.ModuleList(make(size, units) for size in inputs)
        self.bidirectional = bidirectional
        self.back = nn.ModuleList(make(size, units) for size in inputs) if bidirectional else nn.ModuleList()
        self.between = VariationalDropout(dropout) if variational else Dropout(dropout)
        self.weight_drop = Dropout(weight_drop)
        self.parts, self.formula = self.cell.parts, self.cell.formula

    @property
    def cell(self) -> RecurrentCell:
        """The first layer's cell, which says what all of them compute."""
        return cast("RecurrentCell", self.onward[0])

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """Return the last layer's states (B, T, E) over the first ``lengths`` (B,) steps of ``inputs`` (B, T, D)."""
        for layer in range(self.layers):
            if layer:
                inputs = self.between(inputs)
            inputs = self.both_ways(layer, inputs, lengths, lambda cell, rows: (self._read(cell, rows)[0],))[0]
        return inputs

    def _read(self, cell: RecurrentCell, inputs: Tensor, start: State = ()) -> tuple[Tensor, State]:
        """Return what :func:`through_time` does, in training without some of the recurrent weights."""
        return through_time(cell, inputs, start, self.weight_drop(cell.recurrent_weights))

    def read_on(self, inputs: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return the last layer's states (B, T, H) of ``inputs`` (B, T, D) read in ``state`` (B, S), and that after.

        For one direction alone. No gradient goes back beyond the first input.
        """
        learns = self.training or torch.is_grad_enabled()
        read = read_fused if self.cell.kernel and inputs.shape[1] >= FUSED_FROM and not learns else self._read
        after: list[Tensor] = []
        inputs = inputs.transpose(0, 1)
        for layer, (cell, before) in enumerate(zip(self.onward, state.chunk(self.layers, dim=1), strict=True)):
            if layer:
                inputs = self.between(inputs.transpose(0, 1)).transpose(0, 1)
            start = before.chunk(self.cell.states, dim=1)
            inputs, states = read(cast("RecurrentCell", cell), inputs.contiguous(), start)
            after += states
        return inputs.transpose(0, 1), torch.cat(after, dim=1)

    def unroll(self, inputs: Tensor, lengths: Tensor) -> Unrolled:
        """Return what every layer holds after each step, with its gates."""
        columns = []
        for layer in range(self.layers):
            columns.append(self.both_ways(layer, inputs, lengths, self.told))
            inputs = columns[-1][0]
        return self._unrolled(columns)

    def unroll_from(self, inputs: Tensor, state: Tensor) -> Unrolled:
        """Return the same of ``inputs`` (B, T, D) that are read on from ``state`` (B, S), in one direction alone."""
        columns = []
        for cell, before in zip(self.onward, state.chunk(self.layers, dim=1), strict=True):
            tape = run(cast("RecurrentCell", cell), inputs.transpose(0, 1), before.chunk(self.cell.states, dim=1))
            columns.append(tuple(one.transpose(0, 1) for one in self._of_tape(cell, tape)))
            inputs = columns[-1][0]
        return self._unrolled(columns)

    def _unrolled(self, columns: Sequence[tuple[Tensor, ...]]) -> Unrolled:
        """Return together what each layer told, (B, T, H) each."""
        states, *parts = (torch.stack(column, dim=2) for column in zip(*columns, strict=True))
        return Unrolled(states, dict(zip((part.name for part in self.parts), parts, strict=True)))

    def told(self, cell: Any, inputs: Tensor) -> tuple[Tensor, ...]:  # noqa: ANN401
        """Return the hidden states, and ``cell``'s parts in their order, over ``inputs`` (T, B, D): (T, B, H) each."""
        return self._of_tape(cell, run(cell, inputs))

    def _of_tape(self, cell: Any, tape: Tape) -> tuple[Tensor, ...]:  # noqa: ANN401
        parts = cell.parts_of(tape.activations, tape.after())
        return tape.after()[0], *(parts[part.name] for part in self.parts)

    def both_ways(
        self, layer: int, inputs: Tensor, lengths: Tensor, told: Callable[[Any, Tensor], tuple[Tensor, ...]]
    ) -> tuple[Tensor, ...]:
        """Return what ``told`` says of a layer's cells over rows (T, B, D), as (B, T, E), both directions in one."""
        onward = [one.transpose(0, 1) for one in told(self.onward[layer], inputs.transpose(0, 1))]
        if not self.bidirectional:
            return tuple(onward)
        rows = turned(inputs, lengths).transpose(0, 1)
        back = [turned(one.transpose(0, 1), lengths) for one in told(self.back[layer], rows)]
        return tuple(torch.cat(pair, dim=-1) for pair in zip(onward, back, strict=True))

    @property
    def state_size(self) -> int:
        """S: hidden and cell states of all layers."""
        return self.layers * self.cell.states * self.cell.units

    def advance(self, inputs: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return the state (..., S) after ``inputs`` (..., D) are read in ``state`` (..., S), and what it shows.

        That is the last layer's hidden state (..., H).
        """
        after: list[Tensor] = []
        for cell, before in zip(self.onward, state.chunk(self.layers, dim=-1), strict=True):
            stepped = cast("RecurrentCell", cell).step(inputs, before.chunk(self.cell.states, dim=-1))
            after += stepped.state
            inputs = stepped.state[0]
        return torch.cat(after, dim=-1), inputs

    def term(self) -> ParameterCount:
        """Return the number of parameters."""
        terms = [cast("RecurrentCell", cell).term() for cell in (*self.onward, *self.back)]
        return ParameterCount(" + ".join(formula for formula, _ in terms), sum(value for _, value in terms))
