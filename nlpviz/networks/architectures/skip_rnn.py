"""A recurrent network that learns which words to skip: where its update gate is closed, the state stays as it was.

Campos, Jou, Giró-i-Nieto, Torres and Chang (2018), *Skip RNN: Learning to Skip State Updates in Recurrent Neural
Networks*, equations 2 to 6; 003, "Skip RNN". Each update costs ``budget`` nats. There, one gate serves all layers; here
each layer has its own. How the gate is trained: :mod:`nlpviz.networks.skip_rnn`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor

from nlpviz.networks.architectures import Architecture, Penalised
from nlpviz.networks.cells import RecurrentCell, cell_named
from nlpviz.networks.layers import drop_words
from nlpviz.networks.recurrence import RecurrentNetwork
from nlpviz.networks.sequences import StepwiseClassifier
from nlpviz.networks.skip_rnn import SkipCell, run_skipping, skipping_through_time
from nlpviz.results.states import CellPart


@dataclass(frozen=True)
class SkipConfig:
    """Sizes of a :class:`SkipRNN`.

    Attributes:
        vocabulary_size: V + 2, the ids of padding and of the unknown word among them.
        dimensions: d, the length of a word vector.
        cell: a name of :func:`nlpviz.networks.cells.cells`, whose updates are skipped.
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


class SkipNetwork(RecurrentNetwork):
    """Layers of skip cells."""

    def __init__(self, config: SkipConfig) -> None:
        """Build it."""
        build = cell_named(config.cell).build
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
        own = (CellPart("update", "u", is_gate=True), CellPart("update probability", r"\tilde u", is_gate=True))
        self.parts = (*self.parts, *own)
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
        """Return the last layer's states (B, T, E) over the first ``lengths`` (B,) steps of ``inputs`` (B, T, D)."""
        return self.with_updates(inputs, lengths)[0]

    def with_updates(self, inputs: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Return the last layer's states (B, T, E) and all layers' updates (B, T, U), 1 or 0."""
        updates = []
        for layer in range(self.layers):
            if layer:
                inputs = self.between(inputs)
            inputs, some = self.both_ways(layer, inputs, lengths, skipping_through_time)
            updates.append(some)
        return inputs, torch.cat(updates, dim=-1)

    def told(self, cell: SkipCell, inputs: Tensor) -> tuple[Tensor, ...]:
        """Return the hidden states and, in their order, the parts of ``cell`` over ``inputs``, (T, B, H) each."""
        tape = run_skipping(cell, inputs)
        parts = cell.cell.parts_of(tape.activations, tuple(tape.proposed))
        own = {"update": tape.updates, "update probability": tape.due[:-1]}
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
            # The state holds 1 − ũ, so that a state of zeros means ũ = 1: the first word always updates.
            (*kept, due), _ = cast("SkipCell", skip).step(inputs, (*held, 1 - idle))
            after += [*kept, 1 - due]
            inputs = kept[0]
        return torch.cat(after, dim=-1), inputs


class SkipRNN(StepwiseClassifier):
    """Skipping recurrent layers over word vectors, a reading of their states, one linear layer."""

    config: SkipConfig
    encoder: SkipNetwork
    jumps = "its update gates open and close"

    def __init__(self, config: SkipConfig) -> None:
        """Build the network with random weights.

        Raises:
            ValueError: if there is no such cell.
        """
        kind = cell_named(config.cell)
        super().__init__(config, SkipNetwork(config))
        self.counted_as = f"skipping recurrent layers ({kind.title})"

    @property
    def idle_entries(self) -> tuple[int, ...]:
        """Where the state holds 1 − ũ: a layer in which it is zero updates."""
        last = self.state_size // self.encoder.layers
        return tuple(range(last - 1, self.state_size, last))

    def updated(self, ids: Tensor) -> Tensor:
        """Return at which of ``ids`` (B, T) the state is updated, (B, T): the share of the layers; 0 where padding."""
        mask = self.mask(ids)
        _, updates = self.encoder.with_updates(self.embed(ids), mask.sum(dim=1))
        return updates.mean(dim=-1) * mask

    def classify(self, embedded: Tensor, mask: Tensor) -> Tensor | Penalised:  # type: ignore[override]
        """Return logits (B, C) of word vectors (B, T, D); in training with what the updates cost."""
        if not self.training:
            return super().classify(embedded, mask)
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
