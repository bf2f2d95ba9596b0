"""A recurrent cell that skips steps, taken through a sequence: the state after a skipped step is the state before it.

Campos, Jou, Giró-i-Nieto, Torres and Chang (2018), *Skip RNN: Learning to Skip State Updates in Recurrent Neural
Networks*, equations 2 to 6. The gate is a step function, whose derivative is zero wherever it has one. In training it
is taken for that of a line (the straight-through estimator, their section 3.1), so that the gate learns; else the true
one is returned: that of the network with every update as it fell.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from nlpviz.networks.cells import RecurrentCell, State
from nlpviz.networks.recurrence import STEPS, of_inputs_and_weights


class SkipCell(nn.Module):
    """A cell with an update gate: u_t = 1 where ũ_t > ½, s_t = u_t S(s_{t-1}, x_t) + (1 − u_t) s_{t-1}."""

    def __init__(self, cell: RecurrentCell) -> None:
        """Put the gate before ``cell``; it begins open, as there: a bias of 1."""
        super().__init__()
        self.cell = cell
        self.gate_weights = nn.Parameter(torch.randn(cell.units, 1) * cell.units**-0.5)
        self.gate_bias = nn.Parameter(torch.ones(1))
        self.units, self.states = cell.units, cell.states

    def step(self, inputs: Tensor, before: State) -> tuple[State, Tensor]:
        """Return the state after a step, ũ_{t+1} its last entry (..., 1), and u_t (..., 1), which has no derivative."""
        *state, due = before
        update = (due > 0.5).to(due.dtype)
        proposed = self.cell.step(inputs, tuple(state)).state
        after = [update * new + (1 - update) * old for new, old in zip(proposed, state, strict=True)]
        # Δũ_t; then ũ_{t+1} is Δũ_t after an update and min(ũ_t + Δũ_t, 1) after a skip.
        more = torch.sigmoid(after[0] @ self.gate_weights + self.gate_bias)
        return (*after, update * more + (1 - update) * (due + more).clamp_max(1)), update

    def term(self) -> tuple[str, int]:
        """Return the formula of the number of parameters, and the number."""
        formula, value = self.cell.term()
        return f"{formula} + {self.units} + 1", value + self.units + 1


class SkipTape(NamedTuple):
    """What a skip cell computed over T steps of B rows (a plain cell: :class:`nlpviz.networks.recurrence.Tape`).

    Attributes:
        activations: (T, B, G * H).
        states: of hidden and cell state each (T + 1, B, H); the first is before the first step, zero.
        proposed: of each what the cell made of the step, (T, B, H), whether it was taken or not.
        due: ũ, (T + 1, B, 1).
        more: Δũ, (T, B, 1).
        updates: u, (T, B, 1), 1 or 0.
    """

    activations: Tensor
    states: State
    proposed: State
    due: Tensor
    more: Tensor
    updates: Tensor

    @classmethod
    def blank(cls, skip: SkipCell, inputs: Tensor) -> SkipTape:
        """Return a tape with room for the steps over ``inputs`` (T, B, D), with its first state filled in."""
        cell, (steps, rows, _) = skip.cell, inputs.shape
        states = tuple(inputs.new_empty(steps + 1, rows, cell.units) for _ in range(cell.states))
        for state in states:
            state[0] = 0
        proposed = tuple(inputs.new_empty(steps, rows, cell.units) for _ in range(cell.states))
        due, more = inputs.new_ones(steps + 1, rows, 1), inputs.new_empty(steps, rows, 1)
        return cls(cell.enter(inputs), states, proposed, due, more, updates=torch.empty_like(more))

    def tensors(self) -> tuple[Tensor, ...]:
        """Return them all in one row."""
        return (self.activations, *self.states, *self.proposed, self.due, self.more, self.updates)

    @classmethod
    def of(cls, activations: Tensor, *others: Tensor) -> SkipTape:
        """Return the tape of such a row."""
        *kept, due, more, updates = others
        half = len(kept) // 2
        return cls(activations, tuple(kept[:half]), tuple(kept[half:]), due, more, updates)


def run_skipping(skip: SkipCell, inputs: Tensor) -> SkipTape:
    """Return what ``skip`` makes of ``inputs`` (T, B, D), step by step from a state of zeros; no graph is kept."""
    with torch.no_grad():
        cell, tape = skip.cell, SkipTape.blank(skip, inputs)
        dues = tape.due.unbind()
        before, due = tuple(state[0] for state in tape.states), dues[0]
        of_steps = (tape.activations, tape.activations[..., cell.columns(cell.recurring)], tape.updates, tape.more)
        of_states = (*tape.proposed, *(state[1:] for state in tape.states))
        for pre, enters, update, more, next_due, *some in zip(*of_steps, dues[1:], *of_states, strict=True):
            proposed, after = tuple(some[: cell.states]), tuple(some[cell.states :])
            enters.addmm_(before[0], cell.recurrent_weights)
            cell.ahead(pre, before, proposed)
            update.copy_(due > 0.5)
            for old, new, state in zip(before, proposed, after, strict=True):
                torch.lerp(old, new, update, out=state)
            torch.addmm(skip.gate_bias, after[0], skip.gate_weights, out=more).sigmoid_()
            torch.lerp((due + more).clamp_max_(1), more, update, out=next_due)
            before, due = after, next_due
        return tape


class SkippingThroughTime(torch.autograd.Function):
    """Hidden states (T, B, H) and updates (T, B, 1) of a skip cell, and their gradients."""

    @staticmethod
    def forward(ctx: Any, skip: SkipCell, inputs: Tensor, *weights: Tensor) -> tuple[Tensor, Tensor]:  # noqa: ANN401, ARG004
        """Return both; ``weights`` are the skip cell's own, named so that autograd knows of them."""
        tape = run_skipping(skip, inputs)
        ctx.skip, ctx.straight = skip, skip.training
        ctx.save_for_backward(inputs, *tape.tensors())
        return tape.states[0][1:], tape.updates

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor, by_updates: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401
        """Return the gradients by the inputs and the weights, from those by hidden states and updates."""
        skip, (inputs, *kept) = ctx.skip, ctx.saved_tensors
        tape = SkipTape.of(*kept)
        hidden = tape.states[0]
        pre, by_more = _backwards(skip, tape, gradient, by_updates if ctx.straight else None)
        of_cell = of_inputs_and_weights(skip.cell, inputs, hidden[:-1], pre, of_inputs=ctx.needs_input_grad[1])
        return None, *of_cell, hidden[1:].flatten(0, 1).T @ by_more.flatten(0, 1), by_more.sum(dim=(0, 1))


class _StraightThrough:
    """The way back through the update gates of some steps, as if u_t were ũ_t."""

    def __init__(self, skip: SkipCell, tape: SkipTape, span: slice, by_updates: Tensor) -> None:
        """Compute for all steps of ``span`` what the way back through each needs; ``by_updates`` are of all T steps."""
        update, more = tape.updates[span], tape.more[span]
        raised = tape.due[span] + more
        self.weights, self.by_updates = skip.gate_weights.T, by_updates[span]
        self.moved = [new[span] - old[span] for new, old in zip(tape.proposed, tape.states, strict=True)]
        growing = (1 - update) * (raised < 1)  # where ũ goes on growing
        shorter = more - raised.clamp_max(1)  # by how much ũ_{t+1} is less for an update now
        self.through = (update + growing) * more * (1 - more)
        self.onward = shorter + growing

    def back(self, at: int, after: list[Tensor], due: Tensor, by_more: Tensor) -> Tensor:
        """Add to ``after`` what goes through ũ_{t+1}, whose gradient is ``due``; return the gradient of ũ_t.

        ``by_more`` (B, 1) is filled with the gradient of the gate's pre-activation.
        """
        torch.mul(due, self.through[at], out=by_more)
        after[0].addmm_(by_more, self.weights)
        total = torch.addcmul(self.by_updates[at], due, self.onward[at])
        for moved, by_state in zip(self.moved, after, strict=True):
            total += (moved[at] * by_state).sum(dim=1, keepdim=True)
        return total


def _backwards(skip: SkipCell, tape: SkipTape, gradient: Tensor, by_updates: Tensor | None) -> tuple[Tensor, Tensor]:
    """Return the gradients of the cell's pre-activations (T, B, G * H) and of the update gate's (T, B, 1).

    Without ``by_updates``, no gradient goes through a gate.
    """
    cell, (steps, rows, units) = skip.cell, gradient.shape
    pre, by_more = torch.empty_like(tape.activations), torch.zeros_like(tape.more)
    by_block, recurring = pre.view(steps, rows, cell.blocks, units), pre[..., cell.columns(cell.recurring)]
    turned = cell.recurrent_weights.T.contiguous()
    after = [gradient.new_zeros(rows, units) for _ in range(cell.states)]
    due = gradient.new_zeros(rows, 1)  # the gradient of ũ_{t+1}
    for stop in range(steps, 0, -STEPS):
        span = slice(max(stop - STEPS, 0), stop)
        before, proposed = (tuple(one[span] for one in some) for some in (tape.states, tape.proposed))
        slopes = tuple(zip(*cell.slopes(tape.activations[span], before, proposed), strict=True))
        gates = None if by_updates is None else _StraightThrough(skip, tape, span, by_updates)
        updates, stays = tape.updates[span], 1 - tape.updates[span]
        for step in reversed(range(span.start, stop)):
            at = step - span.start
            after[0] += gradient[step]
            if gates is not None:
                due = gates.back(at, after, due, by_more[step])
            stayed = [one * stays[at] for one in after]
            passed = cell.back(slopes[at], [one.mul_(updates[at]) for one in after], by_block[step])
            passed[0].addmm_(recurring[step], turned)
            after = [one.add_(two) for one, two in zip(passed, stayed, strict=True)]
    return pre, by_more


def skipping_through_time(skip: SkipCell, inputs: Tensor) -> tuple[Tensor, Tensor]:
    """Return hidden states (T, B, H) and updates (T, B, 1) of ``skip`` over ``inputs`` (T, B, D)."""
    cell = skip.cell
    weights = (cell.input_weights, cell.recurrent_weights, cell.bias, skip.gate_weights, skip.gate_bias)
    return cast("tuple[Tensor, Tensor]", SkippingThroughTime.apply(skip, inputs, *weights))  # type: ignore[no-untyped-call]
