"""Optimisers, one a file: what a step makes of weights and their gradient.

Each is written from its formula, on one vector of numbers in place, with the memory that it keeps from step to step.
Tests hold each to PyTorch's own. A new one is one new file that exports ``OPTIMISER``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.discovery import discover

Vector = NDArray[np.floating[Any]]
Memory = dict[str, Vector]
"""What an optimiser keeps from step to step, by the name of the slot; each slot as large as the weights, at first 0."""


@dataclass(frozen=True)
class Optimiser:
    """What a module under ``nlpviz.experiments.optimisers`` exports as ``OPTIMISER``.

    Attributes:
        name: as in addresses and on the command line.
        title: how people call it.
        says: what it does, in a sentence.
        formula: its step in TeX: weights θ, gradient g, learning rate η.
        source: where it comes from.
        rate: a learning rate to begin with.
        slots: of its memory.
        update: changes weights and memory in place: (weights, gradient, memory, learning rate, step from 1).
        constants: its other numbers, by their symbol in the formula.
    """

    name: str
    title: str
    says: str
    formula: str
    source: str
    rate: float
    slots: tuple[str, ...]
    update: Callable[[Vector, Vector, Memory, float, int], None]
    constants: Mapping[str, float] = field(default_factory=dict)


class Stepper:
    """An optimiser at work on one vector of weights.

    Attributes:
        optimiser: which.
        steps: taken so far.
    """

    def __init__(self, optimiser: Optimiser, weights: Vector) -> None:
        """Begin with an empty memory."""
        self.optimiser, self.steps = optimiser, 0
        self._memory: Memory = {slot: np.zeros_like(weights) for slot in optimiser.slots}

    def step(self, weights: Vector, gradient: Vector, rate: float) -> None:
        """Take one step: ``weights`` are changed in place."""
        self.steps += 1
        self.optimiser.update(weights, gradient, self._memory, rate, self.steps)


def optimisers() -> dict[str, Optimiser]:
    """Return every optimiser, by name."""
    return discover("nlpviz.experiments.optimisers", "OPTIMISER", Optimiser)


def optimiser_titles() -> dict[str, str]:
    """Return the title of every optimiser, by name."""
    return {name: optimiser.title for name, optimiser in optimisers().items()}
