"""A neural Turing machine: a controller that reads and writes a tape by content and by location.

Graves, Wayne and Danihelka (2014), *Neural Turing Machines*, sections 3.1 to 3.4 (equations 2 to 9). The controller is
one layer of LSTM, or a feed-forward layer; there is one head that reads and one that writes.

Deviations: the tape begins with the same small constant everywhere, as Collier and Beel (2018), *Implementing Neural
Turing Machines*, found to converge most reliably, and the state and the weightings before the first step are learnt; a
head reads the tape as it was before the step's write; what a head emits is bounded, so that no sharpening overflows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpviz.networks.architectures import Architecture, ParameterTerm

CONTROLLERS = ("lstm", "feedforward")
HEADS = ("read", "write")
"""In the order in which all that has one entry a head holds them."""
_SHIFTS = 3
"""A head moves back by one cell, stays, or moves on by one (section 3.3.2)."""
_BLANK = 1e-6
"""What every number of the tape is at the beginning."""
_FOCUS = 10.0
"""Before the first step both heads are at the first cell, as sure as this logit: on a blank tape content finds none."""
_BOUND = 20.0
"""What a head emits stays between this and its negative."""


@dataclass(frozen=True)
class NeuralTuringMachineConfig:
    """Sizes of a :class:`NeuralTuringMachine`.

    Attributes:
        inputs: bits of a step, D.
        outputs: bits of an answer, K.
        controller: ``"lstm"`` or ``"feedforward"``.
        units: of the controller, H.
        cells: of the tape, N.
        width: numbers in a cell, M.
    """

    inputs: int
    outputs: int
    controller: str = "lstm"
    units: int = 100
    cells: int = 128
    width: int = 20

    def __post_init__(self) -> None:
        """Refuse a controller that there is not, and a tape too short to move on."""
        if self.controller not in CONTROLLERS:
            raise ValueError(f"the controller must be one of {', '.join(CONTROLLERS)}, not {self.controller!r}")
        if self.cells < _SHIFTS:
            raise ValueError(f"a tape needs at least {_SHIFTS} cells, the reach of a head, not {self.cells}")


class Addressed(NamedTuple):
    """How the two heads computed their weightings at a step; every tensor begins with (B, 2), heads as in ``HEADS``.

    Attributes:
        content: (B, 2, N), by likeness to the key (equation 5).
        gated: (B, 2, N), mixed with the weighting before by the interpolation gate (equation 7).
        shifted: (B, 2, N), after the convolution with the shift (equation 8).
        weights: (B, 2, N), sharpened (equation 9): what is read or written by.
        strength: (B, 2), key strength β.
        gate: (B, 2), interpolation gate g: 1 is all content, 0 all location.
        shift: (B, 2, 3), the distribution over −1, 0 and +1 cells.
        sharpening: (B, 2), γ.
    """

    content: Tensor
    gated: Tensor
    shifted: Tensor
    weights: Tensor
    strength: Tensor
    gate: Tensor
    shift: Tensor
    sharpening: Tensor


class MachineState(NamedTuple):
    """A machine's state: tape (B, N, M), weightings (B, 2, N), last read (B, M), controller's state."""

    tape: Tensor
    weights: Tensor
    read: Tensor
    controller: tuple[Tensor, ...]


class MachineStep(NamedTuple):
    """The result of a step: logits (B, K), addressing, what was erased and added (B, M), and the state after it."""

    logits: Tensor
    addressed: Addressed
    erased: Tensor
    added: Tensor
    state: MachineState


class NeuralTuringMachine(nn.Module):
    """A controller with a tape."""

    def __init__(self, config: NeuralTuringMachineConfig) -> None:
        """Build the machine with random weights."""
        super().__init__()
        self.config, units, width = config, config.units, config.width
        read_in = config.inputs + width
        self.controller = nn.LSTMCell(read_in, units) if config.controller == "lstm" else nn.Linear(read_in, units)
        # Of each head: key (M), key strength, interpolation gate, shift (3), sharpening; of the writing one besides
        # erase and add vectors.
        self._emitted = width + 3 + _SHIFTS
        self.heads = nn.Linear(units, 2 * self._emitted + 2 * width)
        self.output = nn.Linear(units + width, config.outputs)
        self.first_read = nn.Parameter(torch.randn(width) * 0.05)
        self.first_weights = nn.Parameter(torch.zeros(2, config.cells))
        nn.init.constant_(self.first_weights[:, 0], _FOCUS)
        self.first_state = nn.Parameter(torch.zeros(2 if config.controller == "lstm" else 0, units))
        nn.init.xavier_uniform_(self.heads.weight, gain=1.4)
        nn.init.normal_(self.heads.bias, std=0.01)

    def begin(self, rows: int) -> MachineState:
        """Return the state of ``rows`` machines before the first step."""
        tape = self.first_read.new_full((rows, self.config.cells, self.config.width), _BLANK)
        weights = self.first_weights.softmax(dim=1).expand(rows, -1, -1)
        state = tuple(one.expand(rows, -1) for one in self.first_state)
        return MachineState(tape, weights, self.first_read.tanh().expand(rows, -1), state)

    def answer(self, inputs: Tensor) -> Tensor:
        """Return the logits (B, T, K) of the output bits after each step of ``inputs`` (B, T, D)."""
        state, answers = self.begin(len(inputs)), []
        for step in inputs.unbind(dim=1):
            done = self.step(step, state)
            state = done.state
            answers.append(done.logits)
        return torch.stack(answers, dim=1)

    def step(self, inputs: Tensor, state: MachineState) -> MachineStep:
        """Return the result of one step of ``inputs`` (B, D) from a state."""
        hidden, controller = self._control(torch.cat([inputs, state.read], dim=1), state.controller)
        width = self.config.width
        emitted = self.heads(hidden).clamp(-_BOUND, _BOUND)
        of_heads, erase, add = emitted.tensor_split([2 * self._emitted, 2 * self._emitted + width], dim=1)
        addressed = self._address(of_heads.view(len(inputs), 2, -1), state)
        reading, writing = addressed.weights.unbind(dim=1)  # (B, N) each
        read = (reading.unsqueeze(1) @ state.tape).squeeze(1)  # equation 2
        erased, added = erase.sigmoid(), add.tanh()
        place = writing.unsqueeze(2)
        tape = state.tape * (1 - place * erased.unsqueeze(1)) + place * added.unsqueeze(1)  # equations 3 and 4
        logits = self.output(torch.cat([hidden, read], dim=1))
        return MachineStep(logits, addressed, erased, added, MachineState(tape, addressed.weights, read, controller))

    def _control(self, inputs: Tensor, state: tuple[Tensor, ...]) -> tuple[Tensor, tuple[Tensor, ...]]:
        """Return the controller's answer (B, H) and its state."""
        if self.config.controller == "lstm":
            state = self.controller(inputs, state)
            return state[0], state
        return self.controller(inputs).tanh(), ()

    def _address(self, emitted: Tensor, state: MachineState) -> Addressed:
        """Return where both heads turn to, by what they emit (B, 2, M + 6) (section 3.3)."""
        last = self.config.width
        parts = emitted.tensor_split([last, last + 1, last + 2, last + 2 + _SHIFTS], dim=2)
        key, strength, gate, shift, sharpening = parts
        tape = functional.normalize(state.tape, dim=2)
        likeness = functional.normalize(key.tanh(), dim=2) @ tape.transpose(1, 2)  # (B, 2, N), equation 6
        strength = functional.softplus(strength)
        content = (strength * likeness).softmax(dim=2)
        gate = gate.sigmoid()
        gated = torch.lerp(state.weights, content, gate)
        shift = shift.softmax(dim=2)
        shifted = (
            gated.roll(-1, dims=2) * shift[..., :1] + gated * shift[..., 1:2] + gated.roll(1, dims=2) * shift[..., 2:]
        )
        sharpening = 1 + functional.softplus(sharpening)
        powers = (shifted + 1e-12).pow(sharpening)
        weights = powers / powers.sum(dim=2, keepdim=True)
        return Addressed(
            content, gated, shifted, weights, strength.squeeze(2), gate.squeeze(2), shift, sharpening.squeeze(2)
        )

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        config = self.config
        read_in = config.inputs + config.width
        lstm = config.controller == "lstm"
        shape = f"4 × ({config.units} × ({read_in} + {config.units}) + 2 × {config.units})" if lstm else ""
        first = [self.first_read, self.first_weights, self.first_state]
        return (
            _term("controller", shape or f"{config.units} × {read_in} + {config.units}", self.controller),
            _term("heads", f"{self.heads.out_features} × {config.units} + {self.heads.out_features}", self.heads),
            _term("output layer", f"{config.outputs} × {self.output.in_features} + {config.outputs}", self.output),
            ParameterTerm(
                "initial state",
                f"{config.width} + 2 × {config.cells}" + (f" + 2 × {config.units}" if lstm else ""),
                sum(one.numel() for one in first),
            ),
        )


def _term(name: str, formula: str, part: nn.Module) -> ParameterTerm:
    return ParameterTerm(name, formula, sum(weight.numel() for weight in part.parameters()))


TRANSDUCER = Architecture(
    name="neural-turing-machine",
    title="Neural Turing machine",
    source="Graves et al. 2014",
    config=NeuralTuringMachineConfig,
    build=NeuralTuringMachine,
)
