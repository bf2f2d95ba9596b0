"""A recurrent network that learns which words to skip: where its update gate is closed, the state stays as it was.

Campos, Jou, Giró-i-Nieto, Torres and Chang (2018), *Skip RNN: Learning to Skip State Updates in Recurrent Neural
Networks*, equations 2 to 6; 003, "Skip RNN". The gate is a step function, whose gradient is taken for that of a line
(the straight-through estimator), and each update costs ``budget`` nats. There, one gate serves all layers; here each
layer has its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from nlpviz.cells import Part, RecurrentCell, State, cells
from nlpviz.layers import drop_words
from nlpviz.models import Architecture, Penalised
from nlpviz.recurrence import STEPS, RecurrentNetwork
from nlpviz.sequences import StepwiseClassifier


@dataclass(frozen=True)
class SkipConfig:
    """Sizes of a :class:`SkipRNN`.

    Attributes:
        vocabulary_size: V + 2, the ids of padding and of the unknown word among them.
        dimensions: d, the length of a word vector.
        cell: a name of :func:`nlpviz.cells.cells`, whose updates are skipped.
        units: of the state of one direction.
        layers: each over the states of the one below.
        bidirectional: whether a second cell in each layer reads the text from its end.
        budget: λ, what an update of a layer costs in training, in nats.
        reading: ``"last"``, ``"mean"`` or ``"max"`` of the states.
        dropout: between layers and on the document embedding.
        word_dropout: probability that a whole word's vector is left out, in training only.
        static: whether the word vectors stay as they were initialised.
        classes: 2 gives one sigmoid neuron, more give a softmax.
    """

    vocabulary_size: int
    dimensions: int = 100
    cell: str = "gru"
    units: int = 64
    layers: int = 1
    bidirectional: bool = False
    budget: float = 1e-4
    reading: str = "last"
    dropout: float = 0.5
    word_dropout: float = 0.0
    static: bool = False
    classes: int = 2


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
        """Return the state after a step, ũ_{t+1} its last entry (..., 1), and u_t (..., 1)."""
        *state, due = before
        update = (due > 0.5).to(due.dtype)
        proposed = self.cell.step(inputs, tuple(state)).state
        after = [update * new + (1 - update) * old for new, old in zip(proposed, state, strict=True)]
        more = torch.sigmoid(after[0] @ self.gate_weights + self.gate_bias)
        return (*after, update * more + (1 - update) * (due + more).clamp_max(1)), update

    def term(self) -> tuple[str, int]:
        """Return the formula of the number of parameters, and the number."""
        formula, value = self.cell.term()
        return f"{formula} + {self.units} + 1", value + self.units + 1


class _Tape:
    """What a skip cell left on its way through T steps of B rows; see :class:`nlpviz.recurrence.Tape`."""

    def __init__(self, skip: SkipCell, inputs: Tensor) -> None:
        cell, (steps, rows, _) = skip.cell, inputs.shape
        self.activations = cell.enter(inputs)
        self.states = [inputs.new_zeros(steps + 1, rows, cell.units) for _ in range(cell.states)]
        self.proposed = [inputs.new_empty(steps, rows, cell.units) for _ in range(cell.states)]
        self.due = inputs.new_ones(steps + 1, rows, 1)  # ũ
        self.more = inputs.new_empty(steps, rows, 1)  # Δũ
        self.updates = inputs.new_empty(steps, rows, 1)  # u

    def tensors(self) -> tuple[Tensor, ...]:
        """Return them all."""
        return (self.activations, *self.states, *self.proposed, self.due, self.more, self.updates)


def _run(skip: SkipCell, inputs: Tensor) -> _Tape:
    """Return what ``skip`` makes of ``inputs`` (T, B, D), step by step; no graph is kept."""
    cell, tape = skip.cell, _Tape(skip, inputs)
    recurring = tape.activations[..., cell.columns(cell.recurring)]
    for step in range(len(inputs)):
        before = tuple(state[step] for state in tape.states)
        proposed = tuple(state[step] for state in tape.proposed)
        recurring[step].addmm_(before[0], cell.recurrent_weights)
        cell.ahead(tape.activations[step], before, proposed)
        due, update, more = tape.due[step], tape.updates[step], tape.more[step]
        update.copy_(due > 0.5)
        for old, new, state in zip(before, proposed, tape.states, strict=True):
            torch.lerp(old, new, update, out=state[step + 1])
        torch.sigmoid(torch.addmm(skip.gate_bias, tape.states[0][step + 1], skip.gate_weights), out=more)
        torch.lerp((due + more).clamp_max_(1), more, update, out=tape.due[step + 1])
    return tape


class SkippingThroughTime(torch.autograd.Function):
    """Hidden states (T, B, H) and updates (T, B, 1) of a skip cell, and their gradients."""

    @staticmethod
    def forward(ctx: Any, skip: SkipCell, inputs: Tensor, *weights: Tensor) -> tuple[Tensor, Tensor]:  # noqa: ANN401, ARG004
        """Return both; ``weights`` are the skip cell's own, named so that autograd knows of them."""
        tape = _run(skip, inputs)
        ctx.skip, ctx.tape = skip, tape
        ctx.save_for_backward(inputs)
        return tape.states[0][1:], tape.updates

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor, by_updates: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401
        """Return the gradients by the inputs and the weights, from those by hidden states and updates."""
        (inputs,), skip, tape = ctx.saved_tensors, ctx.skip, ctx.tape
        cell = skip.cell
        pre, by_more = _back(skip, tape, gradient, by_updates)
        flat = pre.flatten(0, 1)
        entering, recurring = flat[:, cell.columns(cell.entering)], flat[:, cell.columns(cell.recurring)]
        by_inputs = (entering @ cell.input_weights.T).view_as(inputs) if ctx.needs_input_grad[1] else None
        hidden = tape.states[0].flatten(0, 1)
        rows = inputs.shape[1]
        return (
            None,
            by_inputs,
            inputs.flatten(0, 1).T @ entering,
            hidden[:-rows].T @ recurring,
            flat.sum(dim=0),
            hidden[rows:].T @ by_more.flatten(0, 1),
            by_more.sum(dim=(0, 1)),
        )


def _back(skip: SkipCell, tape: _Tape, gradient: Tensor, by_updates: Tensor) -> tuple[Tensor, Tensor]:
    """Return the gradients of the cell's pre-activations (T, B, G * H) and of the update gate's (T, B, 1)."""
    cell, (steps, rows, units) = skip.cell, gradient.shape
    pre, by_more = torch.empty_like(tape.activations), torch.empty_like(tape.more)
    by_block, recurring = pre.view(steps, rows, cell.blocks, units), pre[..., cell.columns(cell.recurring)]
    turned = cell.recurrent_weights.T.contiguous()
    after = [gradient.new_zeros(rows, units) for _ in range(cell.states)]
    due = gradient.new_zeros(rows, 1)  # the gradient of ũ_{t+1}
    for stop in range(steps, 0, -STEPS):
        span = slice(max(stop - STEPS, 0), stop)
        before, proposed = (tuple(one[span] for one in some) for some in (tape.states, tape.proposed))
        slopes = cell.slopes(tape.activations[span], before, proposed)
        moved = [new - old for new, old in zip(proposed, before, strict=True)]
        update, more = tape.updates[span], tape.more[span]
        raised = tape.due[span] + more
        growing = (1 - update) * (raised < 1)  # where ũ goes on growing
        shorter = more - raised.clamp_max(1)  # by how much ũ_{t+1} is less for an update now
        through = (update + growing) * more * (1 - more)
        for step in reversed(range(span.start, stop)):
            at = step - span.start
            torch.mul(due, through[at], out=by_more[step])
            after[0].add_(gradient[step]).addcmul_(by_more[step], skip.gate_weights.T)
            by_update = by_updates[step] + due * shorter[at]
            for one, by_state in zip(moved, after, strict=True):
                by_update += (one[at] * by_state).sum(dim=1, keepdim=True)
            due = by_update.addcmul_(due, growing[at])
            stayed = [by_state * (1 - update[at]) for by_state in after]
            passed = cell.back(
                tuple(slope[at] for slope in slopes), [a.mul_(update[at]) for a in after], by_block[step]
            )
            passed[0].addmm_(recurring[step], turned)
            after = [one.add_(two) for one, two in zip(passed, stayed, strict=True)]
    return pre, by_more


class SkipNetwork(RecurrentNetwork):
    """Layers of skip cells."""

    def __init__(self, config: SkipConfig) -> None:
        """Build it."""
        build = cells()[config.cell].build
        super().__init__(
            build,
            config.dimensions,
            config.units,
            config.layers,
            bidirectional=config.bidirectional,
            dropout=config.dropout,
        )
        for direction in (self.onward, self.back):
            for layer, cell in enumerate(direction):
                direction[layer] = SkipCell(cast("RecurrentCell", cell))
        self.parts = (*self.parts, Part("update", "u", is_gate=True), Part("update due", r"\tilde u", is_gate=True))
        *equations, last = self.formula
        self.formula = (
            *equations,
            last.replace("h_t", r"\hat h_t", 1),
            r"u_t = [\tilde u_t > \tfrac12], \quad s_t = u_t \hat s_t + (1 - u_t) s_{t-1}",
            r"\Delta \tilde u_t = \sigma(h_t \cdot w + b)",
            r"\tilde u_{t+1} = u_t \Delta \tilde u_t + (1 - u_t) \min(\tilde u_t + \Delta \tilde u_t, 1)",
        )

    @property
    def cell(self) -> RecurrentCell:
        """The first layer's cell, without its update gate."""
        first = self.onward[0]
        return cast("RecurrentCell", first.cell if isinstance(first, SkipCell) else first)

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """Return the last layer's states (B, T, E) of ``inputs`` (B, T, D), of which ``lengths`` (B,) count."""
        return self.with_updates(inputs, lengths)[0]

    def with_updates(self, inputs: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Return the last layer's states (B, T, E) and all layers' updates (B, T, U), 1 or 0."""
        updates = []
        for layer in range(self.layers):
            if layer:
                inputs = self.between(inputs)
            inputs, some = self.both_ways(layer, inputs, lengths, _through_time)
            updates.append(some)
        return inputs, torch.cat(updates, dim=-1)

    def told(self, cell: SkipCell, inputs: Tensor) -> tuple[Tensor, ...]:
        """Return the hidden states and, in their order, the parts of ``cell`` over ``inputs``, (T, B, H) each."""
        tape = _run(cell, inputs)
        parts = cell.cell.parts_of(tape.activations, tuple(tape.proposed))
        own = {"update": tape.updates, "update due": tape.due[:-1]}
        wide = {name: one.expand_as(tape.proposed[0]) for name, one in own.items()}
        return tape.states[0][1:], *((parts | wide)[part.name] for part in self.parts)

    @property
    def state_size(self) -> int:
        """S: of each layer hidden and cell state, and 1 − ũ, so that zero is where it begins."""
        return self.layers * (self.cell.states * self.cell.units + 1)

    def advance(self, inputs: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return the state (..., S) after ``inputs`` (..., D) are read in ``state`` (..., S), and what it shows."""
        after: list[Tensor] = []
        sizes = [*[self.cell.units] * self.cell.states, 1]
        for skip, before in zip(self.onward, state.chunk(self.layers, dim=-1), strict=True):
            *held, idle = torch.split(before, sizes, dim=-1)
            (*kept, due), _ = cast("SkipCell", skip).step(inputs, (*held, 1 - idle))
            after += [*kept, 1 - due]
            inputs = kept[0]
        return torch.cat(after, dim=-1), inputs


def _through_time(skip: SkipCell, rows: Tensor) -> tuple[Tensor, Tensor]:
    """Return hidden states (T, B, H) and updates (T, B, 1) of ``skip`` over ``rows`` (T, B, D)."""
    cell = skip.cell
    weights = (cell.input_weights, cell.recurrent_weights, cell.bias, skip.gate_weights, skip.gate_bias)
    return cast("tuple[Tensor, Tensor]", SkippingThroughTime.apply(skip, rows, *weights))  # type: ignore[no-untyped-call]


class SkipRNN(StepwiseClassifier):
    """Skipping recurrent layers over word vectors, a reading of their states, one linear layer."""

    config: SkipConfig
    encoder: SkipNetwork

    def __init__(self, config: SkipConfig) -> None:
        """Build the network with random weights.

        Raises:
            ValueError: if there is no such cell.
        """
        if config.cell not in cells():
            raise ValueError(f"there is no recurrent cell {config.cell!r}; there are {', '.join(cells())}")
        super().__init__(config, SkipNetwork(config))
        self.counted_as = f"skipping recurrent layers ({cells()[config.cell].title})"

    @property
    def idle_entries(self) -> tuple[int, ...]:
        """Where the state holds 1 − ũ: a layer in which it is zero updates."""
        last = self.state_size // self.encoder.layers
        return tuple(range(last - 1, self.state_size, last))

    def forward(self, ids: Tensor) -> Tensor | Penalised:  # type: ignore[override]
        """Return logits (B, C) of ``ids`` (B, T), padded with id 0 at the end; in training with what updates cost."""
        embedded, mask = self.embed(ids), self.mask(ids)
        if not self.training:
            return self.classify(embedded, mask)
        embedded = drop_words(embedded, self.config.word_dropout)
        states, updates = self.encoder.with_updates(embedded, mask.sum(dim=1))
        penalty = self.config.budget * (updates * mask.unsqueeze(-1)).sum(dim=(1, 2))
        return Penalised(self.output(self.dropout(self.read(states, mask))), penalty)


MODEL = Architecture(
    name="skip-rnn",
    title="Skip RNN",
    source="Campos et al. 2018",
    config=SkipConfig,
    build=SkipRNN,
)
