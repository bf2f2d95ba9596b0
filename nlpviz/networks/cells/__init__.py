"""Recurrent cells, one per file: a step from a word and the previous state to the next state, and its derivative.

A cell has its equations three times: as :meth:`RecurrentCell.equations`, to be read, differentiated and shown; as a
step ahead that computes in place; and as a step back, its derivative written out. :mod:`nlpviz.networks.recurrence`
takes the last two through a text. Tests hold all three to each other and to PyTorch's own modules. Where nothing but
the states of a text is wanted, :mod:`nlpviz.networks.fused` reads it by PyTorch's kernel, which a cell names if there
is one for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from nlpviz.discovery import discover
from nlpviz.results.states import CellPart

State = tuple[Tensor, ...]
"""What a cell goes on from, each (B, H): the hidden state h first, then the cell state c where there is one."""


class Stepped(NamedTuple):
    """What a step computes: the state after it, and the cell's parts by name, each (..., H)."""

    state: State
    parts: dict[str, Tensor]


class RecurrentCell(nn.Module):
    """H units with G blocks of pre-activations: x_t W + b for all steps at once, then h_{t-1} U step by step.

    Attributes:
        blocks: G.
        entering: the blocks that an input enters.
        recurring: the blocks that the state before enters.
        states: how many tensors the state has.
        parts: what the equations name, in the order in which a person reads them.
        formula: the equations in TeX, a line each.
        carries: whether some of the state before reaches the state after past the product with U.
        kernel: PyTorch's function that reads a whole text with these equations, a name in :mod:`torch`; empty where
            there is none.
    """

    blocks: int = 1
    entering = slice(None)
    recurring = slice(None)
    states: int = 1
    parts: tuple[CellPart, ...] = ()
    formula: tuple[str, ...] = ()
    carries: bool = True
    kernel: str = ""

    def __init__(self, dimensions: int, units: int) -> None:
        """Build it: Glorot's input weights, orthogonal recurrent ones, no bias.

        Args:
            dimensions: D, of an input.
            units: H.
        """
        super().__init__()
        self.dimensions, self.units = dimensions, units
        entering, recurring = (len(range(self.blocks)[some]) * units for some in (self.entering, self.recurring))
        self.input_weights = nn.Parameter(torch.empty(dimensions, entering))
        self.recurrent_weights = nn.Parameter(torch.empty(units, recurring))
        self.bias = nn.Parameter(torch.zeros(self.blocks * units))
        for block in self.input_weights.data.chunk(entering // units, dim=1):
            nn.init.xavier_uniform_(block)
        for block in self.recurrent_weights.data.chunk(recurring // units, dim=1):
            nn.init.orthogonal_(block)

    def columns(self, blocks: slice) -> slice:
        """Return the columns of ``blocks`` among the G * H pre-activations."""
        some = range(self.blocks)[blocks]
        return slice(some.start * self.units, some.stop * self.units)

    def enter(self, inputs: Tensor) -> Tensor:
        """Return the pre-activations (..., G * H) of ``inputs`` (..., D) where the state before is zero."""
        # Blocks that no input enters keep the bias alone.
        entered = self.bias.expand(*inputs.shape[:-1], -1).clone()
        flat = entered.view(-1, len(self.bias))
        flat[:, self.columns(self.entering)].addmm_(inputs.reshape(-1, self.dimensions), self.input_weights)
        return entered

    def step(self, inputs: Tensor, before: State) -> Stepped:
        """Return the result of a step from ``inputs`` (..., D) and the state ``before``, each (..., H)."""
        pre = self.enter(inputs)
        pre[..., self.columns(self.recurring)] += before[0] @ self.recurrent_weights
        return self.equations(pre, before)

    def equations(self, pre: Tensor, before: State) -> Stepped:
        """Return the result of a step from its pre-activations (..., G * H) and the state ``before``."""
        raise NotImplementedError

    def ahead(self, pre: Tensor, before: State, after: State) -> None:
        """Take the step in place: ``pre`` (B, G * H) becomes activations, ``after`` is filled."""
        raise NotImplementedError

    def parts_of(self, activations: Tensor, after: State) -> dict[str, Tensor]:
        """Return the parts by name, (..., H), from the activations that :meth:`ahead` left."""
        raise NotImplementedError

    def slopes(self, activations: Tensor, before: State, after: State) -> State:
        """Return what :meth:`back` needs of S steps: tensors whose first axis is the step.

        The first is (S, B, G, H): the derivative of the state by each pre-activation. With :attr:`carries`, the second
        is (S, B, H): that by the state before, past the product with U.
        """
        raise NotImplementedError

    def back(self, slopes: State, after: list[Tensor], pre: Tensor) -> list[Tensor]:
        """Take one step back.

        Args:
            slopes: of this step.
            after: the gradient of the state after it, each (B, H); may be changed.
            pre: is filled with the gradient of the pre-activations, (B, G, H).

        Returns:
            The gradient of the state before it, each (B, H), past the product with U.
        """
        torch.mul(slopes[0], after[0].unsqueeze(1), out=pre)
        return [after[0].mul_(slopes[1]) if self.carries else after[0].zero_()]

    def kernel_weights(self, recurrent_weights: Tensor) -> State:
        """Return the weights as :attr:`kernel` takes them, for k blocks: (kH, D), (kH, H) and two biases (kH,).

        Args:
            recurrent_weights: shaped as :attr:`recurrent_weights`; with dropout on them they are others.
        """
        raise NotImplementedError

    def term(self) -> tuple[str, int]:
        """Return the formula of the number of parameters, and the number."""
        (d, entering), (h, recurring), biases = self.input_weights.shape, self.recurrent_weights.shape, len(self.bias)
        return f"{d} × {entering} + {h} × {recurring} + {biases}", d * entering + h * recurring + biases


def slope_of_sigmoid(gate: Tensor) -> Tensor:
    """Return σ'(x) = σ(x) (1 − σ(x)) where ``gate`` is σ(x), in one pass over it."""
    return torch.addcmul(gate, gate, gate, value=-1)


def slope_of_tanh(squashed: Tensor) -> Tensor:
    """Return tanh'(x) = 1 − tanh(x)² where ``squashed`` is tanh(x), in one pass over it."""
    return torch.addcmul(squashed.new_ones(()), squashed, squashed, value=-1)


@dataclass(frozen=True)
class CellKind:
    """What a module under ``nlpviz.networks.cells`` exports as ``CELL``.

    Attributes:
        name: how a run's configuration calls it.
        title: how people call it.
        source: the paper.
        build: makes a cell of ``dimensions`` and ``units``; the settings it knows are ``settings``.
        settings: names and defaults of what else can be set.
    """

    name: str
    title: str
    source: str
    build: Callable[..., RecurrentCell]
    settings: Mapping[str, Any]


def cells() -> dict[str, CellKind]:
    """Return every recurrent cell, by name."""
    return discover("nlpviz.networks.cells", "CELL", CellKind)


def cell_named(name: str, settings: Iterable[str] = ()) -> CellKind:
    """Return the recurrent cell called ``name``, which must have ``settings``.

    Raises:
        ValueError: if there is no such cell, or it has no such setting.
    """
    kind = cells().get(name)
    if kind is None:
        raise ValueError(f"there is no recurrent cell {name!r}; choose one of {', '.join(cells())}")
    if unknown := set(settings) - kind.settings.keys():
        raise ValueError(f"the cell {name!r} has no setting {', '.join(sorted(unknown))}")
    return kind
