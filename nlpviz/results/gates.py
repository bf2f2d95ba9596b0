"""One part of a network's cell over a text: how each unit correlates with the prediction, and which gates saturate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.states import TextStates

UPDATE, UPDATE_PROBABILITY = "update", "update probability"
"""What a network that skips words calls the gate that lets one in, and what that gate is decided by."""
OF_A_LAYER = frozenset((UPDATE, UPDATE_PROBABILITY))
"""Parts that all units of a layer share."""
CLOSED, OPEN = 0.1, 0.9
"""A gate below or above these is saturated (Karpathy, Johnson and Fei-Fei 2016, section 4.2)."""


@dataclass(frozen=True)
class PartCourse:
    """One part of one layer over the words of a text.

    Attributes:
        states: what the network held after each word.
        part: a name in ``states.parts``, or ``"hidden state"``.
        layer: from 0.
        target: the class whose probability after each word is the running prediction.
        correlation: (H,), Pearson's, of each unit's course with the running prediction; not a number for a unit, or
            a prediction, that never changes.
        by_chance: what the largest magnitude of these stays below in 19 of 20 cases where the prediction is shifted
            or reversed in time; None where there is none.
        order: (H,), the units in the order in which they are drawn.
    """

    states: TextStates
    part: str
    layer: int
    target: int
    correlation: NDArray[np.float64]
    by_chance: float | None
    order: NDArray[np.intp]

    @property
    def run(self) -> str:
        """The run's name."""
        return self.states.run

    @property
    def epoch(self) -> int:
        """The epoch of the weights."""
        return self.states.epoch

    @property
    def values(self) -> NDArray[np.float32]:
        """The part itself, (T, H)."""
        return self.states.values(self.part)[:, self.layer]

    @property
    def is_gate(self) -> bool:
        """Whether the part lies between 0 and 1."""
        return any(about.name == self.part and about.is_gate for about in self.states.about)

    @property
    def ranked(self) -> list[int]:
        """The units by the magnitude of their correlation, the largest first; those without one are left out."""
        known = np.flatnonzero(np.isfinite(self.correlation))
        return [int(unit) for unit in known[np.argsort(-np.abs(self.correlation[known]), kind="stable")]]

    @property
    def class_name(self) -> str:
        """The class whose probability is followed."""
        return self.states.class_names[self.target]


class Saturation(NamedTuple):
    """How often the units of one gate are saturated over a text.

    Attributes:
        gate: its name.
        layer: from 0.
        closed: (H,), the share of words at which each unit's gate is below 0.1.
        opened: (H,), the share at which it is above 0.9.
        mean: of the gate over all units and words.
    """

    gate: str
    layer: int
    closed: NDArray[np.float64]
    opened: NDArray[np.float64]
    mean: float


def running(states: TextStates, target: int) -> NDArray[np.float32]:
    """Return the probability of a class after each word, (T,)."""
    return states.after[:, target]


def leaning(probabilities: NDArray[np.float32], classes: int) -> NDArray[np.float32]:
    """Return how far probabilities of one of so many classes are from an even one, −1 to 1, in their shape."""
    even = 1 / classes
    away = probabilities - even
    return np.where(away > 0, away / (1 - even), away / even).astype(np.float32)


def jumps(probabilities: NDArray[np.float32], most: int = 6, least: float = 0.1) -> list[int]:
    """Return the positions of the words that move the running prediction most, in reading order.

    The first word is none of them: what was predicted before it is not part of the course.

    Args:
        probabilities: after each word, (T,).
        most: how many positions.
        least: by how much the probability changes there, at least.
    """
    steps = np.abs(np.diff(probabilities))
    ranked = [int(step) + 1 for step in np.argsort(-steps, kind="stable")[:most] if steps[step] >= least]
    return sorted(ranked)


def turns(states: TextStates) -> list[int]:
    """Return the positions of the words after which another class is the more probable one than before."""
    classes = states.after.argmax(axis=1)
    return [int(position) + 1 for position in np.flatnonzero(np.diff(classes))]


def skipped(states: TextStates, layer: int) -> NDArray[np.bool_] | None:
    """Return at which words a layer's state was kept as it was, (T,); None for a network that skips none.

    A word that one of two directions reads is not skipped.
    """
    update = states.parts.get(UPDATE)
    return None if update is None else (update[:, layer] == 0).all(axis=1)


def saturation(states: TextStates) -> list[Saturation]:
    """Return how often each gate of each layer is saturated; nothing for a network without gates, or without words."""
    gates = [about.name for about in states.about if about.is_gate and about.name not in OF_A_LAYER]
    if not len(states.states):
        return []
    return [
        Saturation(
            gate,
            layer,
            closed=(values < CLOSED).mean(axis=0),
            opened=(values > OPEN).mean(axis=0),
            mean=float(values.mean()),
        )
        for gate in gates
        for layer in range(states.layers)
        for values in [states.parts[gate][:, layer]]
    ]
