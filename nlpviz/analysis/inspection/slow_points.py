"""Slow points, where a network's state hardly moves, and the dynamics near them.

Sussillo and Barak (2013), *Opening the Black Box*: ½ ‖F(h) − h‖² is minimised from states that reviews led to, where F
is one step of the network with a fixed input. At a point found, F(h + δ) ≈ F(h) + J δ: the eigenvalues of the Jacobian
J say how long a deviation lasts. In double precision; the whole state moves, an LSTM's hidden and cell state.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection.state_path import fitted_axes
from nlpviz.results.dynamics import time_constants

if TYPE_CHECKING:
    from torch import Tensor, nn

STEPS = 2000
"""Of Adam; the rate falls along a cosine from :data:`RATE` to zero."""
RATE = 0.03
_FEWEST = 3  # slow points that can lie along a line
_MOMENTS = (0.9, 0.999)  # Adam's, Kingma and Ba (2015)

Step = Callable[["Tensor"], "Tensor"]
"""F: the states (N, S) after a step from the states (N, S)."""


@runtime_checkable
class Skips(Protocol):
    """A network that may leave its state unchanged: some entries of its state control this; zero is an update."""

    @property
    def idle_entries(self) -> tuple[int, ...]:
        """The positions of these entries in the state."""
        ...


class Settled(NamedTuple):
    """Where states settled: the states (N, S), and how far a step still moves each of them, (N,)."""

    points: Tensor
    speeds: NDArray[np.float64]


class FixedInput:
    """A network's step with the same word again and again, on the entries of its state that are not a skipping gate's.

    Attributes:
        entries: int64 (S,), their positions in the network's state.
    """

    def __init__(self, module: nn.Module, word: Tensor) -> None:
        """Take a recurrent network and the word's vector (D,); a Skip RNN always updates in it."""
        import torch

        self._module = cast("Any", deepcopy(module).double())  # the module itself is shared with other threads
        idle = set(module.idle_entries) if isinstance(module, Skips) else set()
        self._size = int(self._module.state_size)
        self.entries = torch.tensor([entry for entry in range(self._size) if entry not in idle])
        self._word = word.double()

    def step(self, states: Tensor) -> Tensor:
        """Return F(h), (N, S), of the states (N, S)."""
        return self._advance(states)[0].index_select(1, self.entries)

    def shown(self, states: Tensor) -> Tensor:
        """Return what the states (N, S) show after a step, (N, H): where they rest, what they show there."""
        return self._advance(states)[1]

    def _advance(self, states: Tensor) -> tuple[Tensor, Tensor]:
        whole = states.new_zeros(len(states), self._size).index_copy(1, self.entries, states)
        after: tuple[Tensor, Tensor] = self._module.advance(self._word.expand(len(states), -1), whole)
        return after


def settle(step: Step, starts: Tensor, steps: int, within: tuple[Tensor, Tensor] | None = None) -> Settled:
    """Return the minima of ½ ‖F(h) − h‖² that Adam reaches from each of the ``starts`` (N, S).

    The states do not know of each other: each has its own moments. Nothing is drawn at random.

    Args:
        step: F.
        starts: the states to begin with.
        steps: of Adam.
        within: the lowest and the highest values that the entries may take, (S,) each: where a gate keeps nearly all,
            every state is slow, those too that no text leads to.
    """
    import torch

    states = starts.double().clone()
    first, second = torch.zeros_like(states), torch.zeros_like(states)
    for count in range(1, steps + 1):
        asked = states.detach().requires_grad_(True)
        with torch.enable_grad():
            (gradient,) = torch.autograd.grad((step(asked) - asked).square().sum() / 2, asked)
        first = torch.lerp(gradient, first, _MOMENTS[0])
        second = torch.lerp(gradient.square(), second, _MOMENTS[1])
        rate = RATE * (1 + math.cos(math.pi * count / steps)) / 2
        scaled = (first / (1 - _MOMENTS[0] ** count)) / ((second / (1 - _MOMENTS[1] ** count)).sqrt() + 1e-12)
        states = states - rate * scaled
        if within is not None:
            states = states.clamp(*within)
    with torch.no_grad():
        speeds = (step(states) - states).norm(dim=1)
    return Settled(states, speeds.numpy())


def jacobians(step: Step, points: Tensor) -> NDArray[np.float64]:
    """Return dF/dh (N, S, S) at ``points`` (N, S), its rows the entries of F."""
    import torch

    asked = points.detach().requires_grad_(True)
    with torch.enable_grad():
        after = step(asked)
        rows = [
            torch.autograd.grad(after[:, entry].sum(), asked, retain_graph=True)[0] for entry in range(after.shape[1])
        ]
    return torch.stack(rows, dim=1).numpy()


def eigenvalues(matrices: NDArray[np.float64]) -> NDArray[np.complex128]:
    """Return the eigenvalues (N, S) of matrices (N, S, S), those of the longest time constants first."""
    values = np.linalg.eigvals(matrices).astype(np.complex128)
    order = np.argsort(-time_constants(values), axis=1, kind="stable")
    return np.take_along_axis(values, order, axis=1)


def line(
    points: NDArray[np.floating[Any]], states: NDArray[np.floating[Any]], direction: NDArray[np.floating[Any]]
) -> tuple[NDArray[np.float32], float, float]:
    """Return whether ``points`` (N, H) lie along a line, and along which.

    Args:
        points: at least three.
        states: (M, H), of reviews, for comparison.
        direction: (H,), the class direction.

    Returns:
        The shares of variance along their principal axes, the standard deviation along the first one as a share of that
        of ``states`` along it, and the first one's cosine with ``direction``, 0 to 1. Zeros of fewer points.
    """
    if len(points) < _FEWEST:
        return np.zeros(3, dtype=np.float32), 0.0, 0.0
    _, axes, shares = fitted_axes(points)
    first = axes[0].astype(np.float64)
    wide = float((states @ first).std())
    spread = float((points @ first).std()) / wide if wide > 0 else 0.0
    length = float(np.linalg.norm(direction) * np.linalg.norm(first))
    return shares, spread, float(abs(first @ direction)) / length if length > 0 else 0.0
