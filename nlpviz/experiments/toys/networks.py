"""The networks that race on a toy task: every recurrent cell, and every other network that reads step by step.

They are what the architectures of :mod:`nlpviz.networks.architectures` are built round, with inputs in place of word
vectors and a linear layer that reads each state; of such a size that all have about as many parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, lru_cache, partial
from threading import Lock
from typing import Any

import torch
from torch import Tensor, nn

from nlpviz.experiments.toys import ToyError
from nlpviz.networks.architectures import Architecture, architectures
from nlpviz.networks.cells import cells
from nlpviz.networks.recurrence import RecurrentNetwork
from nlpviz.networks.sequences import SequenceEncoder
from nlpviz.text.vocabulary import SPECIALS

PARAMETERS = 8_000
"""Of each network, the read-out included, at most."""
_BUILDING = Lock()  # random weights come from torch's one generator, which threads would share


@dataclass(frozen=True)
class Entrant:
    """A network that can race.

    Attributes:
        name: as in addresses and on the command line.
        title: how people call it.
        build: makes its encoder of D inputs and so many units, to look back so many steps.
    """

    name: str
    title: str
    build: Callable[[int, int, int], SequenceEncoder]


class ToyNetwork(nn.Module):
    """An encoder and a linear layer that reads each of its states."""

    def __init__(self, encoder: SequenceEncoder, outputs: int) -> None:
        """Put ``outputs`` linear units on ``encoder``."""
        super().__init__()
        self.encoder = encoder
        self.output = nn.Linear(encoder.size, outputs)

    def forward(self, inputs: Tensor) -> Tensor:
        """Return what it answers (B, T, K) after each step of ``inputs`` (B, T, D)."""
        return self.output(self.encoder(inputs, whole(inputs)))  # type: ignore[no-any-return]

    @property
    def parameters_counted(self) -> int:
        """Their number."""
        return sum(weight.numel() for weight in self.parameters())


def whole(inputs: Tensor) -> Tensor:
    """Return the lengths (B,) of ``inputs`` (B, T, D), all of whose steps count."""
    return torch.full((len(inputs),), inputs.shape[1])


@cache
def entrants() -> dict[str, Entrant]:
    """Return every network that can race, by name: those of one layer of cells first."""
    result = {}
    for name, kind in cells().items():
        result[name] = Entrant(name, kind.title, partial(_recurrent, kind.build))
        if name == "elman":
            relu = partial(kind.build, activation="relu")
            result["elman-relu"] = Entrant("elman-relu", f"{kind.title} (ReLU)", partial(_recurrent, relu))
    for name, architecture in architectures().items():
        known = {one.name for one in fields(architecture.config)}
        if "reading" in known and "settings" not in known:  # with settings, it is of the cells above
            result[name] = Entrant(name, architecture.title, partial(_other, architecture))
    return result


def entrant(name: str) -> Entrant:
    """Return the network called ``name``.

    Raises:
        ToyError: if there is none, listing the right names.
    """
    known = entrants()
    if name not in known:
        raise ToyError(f"There is no cell {name!r}. Choose one of {', '.join(known)}.")
    return known[name]


def build(name: str, inputs: int, outputs: int, steps: int, seed: int) -> ToyNetwork:
    """Return the network called ``name`` with random weights, as large as :data:`PARAMETERS` allows.

    Args:
        name: of :func:`entrants`.
        inputs: D.
        outputs: K.
        steps: it may have to look back, which is for convolutions to know.
        seed: of its weights.
    """
    units = _units(name, inputs, outputs, steps)
    with _BUILDING, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return ToyNetwork(entrant(name).build(inputs, units, steps), outputs)


@lru_cache(maxsize=256)
def _units(name: str, inputs: int, outputs: int, steps: int) -> int:
    """Return the largest number of units with which the network has no more than :data:`PARAMETERS`."""
    fewest, most = 1, 512
    with _BUILDING, torch.random.fork_rng(devices=[]):
        while fewest < most:
            middle = (fewest + most + 1) // 2
            count = ToyNetwork(entrant(name).build(inputs, middle, steps), outputs).parameters_counted
            fewest, most = (middle, most) if count <= PARAMETERS else (fewest, middle - 1)
    return fewest


def _recurrent(cell: Callable[..., Any], inputs: int, units: int, _steps: int) -> SequenceEncoder:
    return RecurrentNetwork(cell, inputs, units)


def _other(architecture: Architecture, inputs: int, units: int, steps: int) -> SequenceEncoder:
    """Return the encoder of an architecture without dropout; convolutions get as many blocks as see all steps."""
    known = {one.name: one.default for one in fields(architecture.config)}
    settings: dict[str, float] = {name: 0.0 for name in ("dropout", "block_dropout") if name in known}
    if "kernel" in known:
        layers = 1
        while 1 + 2 * (int(str(known["kernel"])) - 1) * (2**layers - 1) < steps:
            layers += 1
        settings["layers"] = layers
    config = architecture.config(vocabulary_size=len(SPECIALS), dimensions=inputs, units=units, **settings)
    encoder: SequenceEncoder = architecture.build(config).encoder  # type: ignore[assignment]
    return encoder
