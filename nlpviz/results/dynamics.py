"""The dynamics of a network's state: the points where it settles, and how long a deviation from them lasts.

Sussillo and Barak (2013), *Opening the Black Box*; Maheswaranathan, Williams, Golub, Ganguli and Sussillo (2019),
*Reverse engineering recurrent networks for sentiment classification reveals line attractor dynamics*. What is computed,
and how, ``nlpviz/analysis/inspection/slow_points.py`` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.modifiers import ModifierEffects
from nlpviz.results.state_space import StateSpace

FIXED, SLOW = 1e-4, 1e-2
"""Of a typical step: what moves less in one step is counted as a fixed point, or as a slow point."""
APART = 0.05
"""Of a typical step: what lies closer together, on the first axes, is one place."""
LASTING = 20.0
"""Words: a direction with a longer time constant is called slow."""


@dataclass(frozen=True)
class SlowPoints:
    """Where the state hardly moves while the same input is read again and again, at one epoch.

    Attributes:
        run: the run's name.
        epoch: of its weights.
        input: ``"mean"`` word vector or ``"zero"``.
        state_size: S, of the whole state that was moved, in all layers.
        step: how far the whole state moves at a word of a review, the median.
        speeds: float32 (N,), ‖F(h) − h‖ as a share of ``step``, the slowest first.
        places: float32 (N, A), what the state shows, on the axes of the :class:`StateSpace`.
        scores: float32 (N,), the score of what it shows.
        eigenvalues: complex64 (N, K), those of the Jacobian dF/dh at each point with the longest time constants, the
            slowest first.
        lasting: int64 (N,), how many of all S directions are slow at each point: τ is longer than :data:`LASTING`.
        unstable: int64 (N,), in how many of all S directions a deviation grows at each point.
        shares: float32 (3,), the variance of the shown states along their own first three axes, as shares of all; of
            the slow points alone, zeros for fewer than three.
        spread: the standard deviation of these along their first axis, as a share of that of the reviews' states.
        cosine: of the first of these axes with the class direction, 0 to 1.
    """

    run: str
    epoch: int
    input: str
    state_size: int
    step: float
    speeds: NDArray[np.float32]
    places: NDArray[np.float32]
    scores: NDArray[np.float32]
    eigenvalues: NDArray[np.complex64]
    lasting: NDArray[np.int64]
    unstable: NDArray[np.int64]
    shares: NDArray[np.float32]
    spread: float
    cosine: float

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse shapes that do not match."""
        count = len(self.speeds)
        each = (self.places, self.scores, self.eigenvalues, self.lasting, self.unstable)
        if {len(array) for array in each} != {count}:
            raise ValueError(
                "each point needs a position, a score, eigenvalues, and numbers of slow and growing directions"
            )
        for array in (self.speeds, *each, self.shares):
            array.setflags(write=False)

    @property
    def fixed(self) -> NDArray[np.bool_]:
        """Which of them are fixed points, up to :data:`FIXED` of a step, (N,)."""
        result: NDArray[np.bool_] = self.speeds < FIXED
        return result

    @property
    def slow(self) -> NDArray[np.bool_]:
        """Which of them are slow points, fixed ones among them, (N,)."""
        result: NDArray[np.bool_] = self.speeds < SLOW
        return result

    @cached_property
    def time_constants(self) -> NDArray[np.float64]:
        """τ = |1 / ln |λ||, in words, (N, K): after τ words a deviation has shrunk, or grown, e-fold."""
        return time_constants(self.eigenvalues)

    def longest(self) -> NDArray[np.float64]:
        """Return the time constants at the slow points, at all points where none is slow, (M, K), the longest first.

        What is infinite is 10⁹.
        """
        chosen = self.time_constants[self.slow if self.slow.any() else np.ones(len(self.speeds), dtype=bool)]
        result: NDArray[np.float64] = np.sort(np.minimum(chosen, 1e9), axis=1)[:, ::-1]
        return result

    def places_apart(self) -> int:
        """Return in how many places the slow points lie: each is more than :data:`APART` of a step from the others."""
        taken: list[NDArray[np.float32]] = []
        for place in self.places[self.slow]:
            if all(np.linalg.norm(place - other) > APART * self.step for other in taken):
                taken.append(place)
        return len(taken)


def time_constants(eigenvalues: NDArray[np.complexfloating[Any]]) -> NDArray[np.float64]:
    """Return τ = |1 / ln |λ||: infinite where λ is 1 in modulus, zero where it is 0."""
    with np.errstate(divide="ignore"):
        result: NDArray[np.float64] = np.abs(1 / np.log(np.abs(eigenvalues.astype(np.complex128))))
    return result


@dataclass(frozen=True)
class Contexts:
    """States of C test reviews in the middle of their texts, from which a next word can be read.

    Attributes:
        states: float32 (C, S), the whole states.
        scores: float32 (C,), the scores of what they show.
    """

    states: NDArray[np.float32]
    scores: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Make the arrays read-only; refuse shapes that do not match."""
        if self.states.shape[:1] != self.scores.shape:
            raise ValueError("each context needs a score")
        for array in (self.states, self.scores):
            array.setflags(write=False)


@dataclass(frozen=True)
class Dynamics:
    """The stored dynamics of a network at one epoch.

    Attributes:
        space: where test reviews end.
        slow: for each fixed input the points found; none of a network that cannot be taken step by step.
        contexts: for a typed modifier; None likewise.
        modifiers: what modifiers do; None likewise, or where the vocabulary has too few of these words.
    """

    space: StateSpace
    slow: tuple[SlowPoints, ...] = ()
    contexts: Contexts | None = None
    modifiers: ModifierEffects | None = None

    def slow_points(self, name: str) -> SlowPoints | None:
        """Return the points found for the fixed input called ``name``; None without."""
        return next((points for points in self.slow if points.input == name), None)
