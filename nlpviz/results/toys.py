"""Toy tasks for networks that read step by step: a batch, the error without memory, and a network's results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.states import CellPart


class ToyBatch(NamedTuple):
    """B sequences of T steps and what is to be answered after the last R of them.

    Attributes:
        inputs: (B, T, D), float32.
        targets: (B, R), class indices (int64) or values (float32).
    """

    inputs: NDArray[np.float32]
    targets: NDArray[np.int64] | NDArray[np.float32]


class Reached(NamedTuple):
    """How well a task is answered: mean loss, share of wrong answers, share of sequences without a wrong answer.

    Attributes:
        loss: cross-entropy in nats, or mean squared error.
        error: share of wrong answers, 0 to 1; NaN where answers are values.
        exact: share of sequences with every answer right; NaN where answers are values.
    """

    loss: float
    error: float
    exact: float


class ToyPoint(NamedTuple):
    """What a network had reached after so many training steps, on held-out sequences of one length."""

    step: int
    length: int
    reached: Reached


@dataclass(frozen=True)
class ToyCurve:
    """How one network learnt a task from one seed.

    Attributes:
        network: its name, for example ``"lstm"``.
        title: how people call it.
        seed: of weights and training sequences.
        parameters: their number, the read-out included.
        seconds: of training, measuring left out.
        learning: on sequences of the chosen length, in the order of the steps; the first is before training.
        lengths: after the last step, on other lengths.
    """

    network: str
    title: str
    seed: int
    parameters: int
    seconds: float
    learning: tuple[ToyPoint, ...]
    lengths: tuple[ToyPoint, ...] = ()

    @property
    def last(self) -> ToyPoint:
        """The last point of the learning curve."""
        return self.learning[-1]


@dataclass(frozen=True)
class ToyFacts:
    """What is said of a task beside its numbers, so that figures and pages need not know it.

    Attributes:
        name: as in addresses and on the command line.
        title: as people call it.
        unit: what a length counts.
        loss: what the loss is, with its unit.
        error: what a wrong answer is; empty where answers are values.
        without: what is reached without memory, in words.
        channels: what each row of a drawn sequence is.
        shortcut: what a network that does only part of the task does, and its error by length; empty where none is
            known.
    """

    name: str
    title: str
    unit: str
    loss: str
    error: str
    without: str
    channels: tuple[str, ...]
    shortcut: tuple[str, Mapping[int, float]] = ("", MappingProxyType({}))


@dataclass(frozen=True)
class ToyReading:
    """One sequence as a network read it.

    Attributes:
        network: the network's name.
        title: how people call it.
        step: training steps before.
        symbols: what was read, a row for each channel, T texts each.
        targets: what is right at each of the T steps; empty where nothing is asked.
        answers: what the network answered at each of the T steps.
        sure: (T,), the probability that the network gives its answer; NaN where answers are values.
        right: at each of the T steps whether that is right; None where nothing is asked.
        states: (T, H), the last layer's hidden states.
        parts: gates and other quantities by name, (T, H) each.
        about: what these are.
    """

    network: str
    title: str
    step: int
    symbols: tuple[tuple[str, ...], ...]
    targets: tuple[str, ...]
    answers: tuple[str, ...]
    sure: NDArray[np.float32]
    right: tuple[bool | None, ...]
    states: NDArray[np.float32]
    parts: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    about: tuple[CellPart, ...] = ()


@dataclass(frozen=True)
class StoredCurves:
    """The committed curves of a task.

    Attributes:
        curves: of every network, several seeds each.
        length: at which they were trained.
        steps: of each training.
        device: on which.
        created: when.
    """

    curves: tuple[ToyCurve, ...]
    length: int
    steps: int
    device: str
    created: str

    @property
    def networks(self) -> dict[str, str]:
        """Their titles by name."""
        return {curve.network: curve.title for curve in self.curves}

    @property
    def seconds(self) -> float:
        """Of all trainings together."""
        return sum(curve.seconds for curve in self.curves)

    def mean(self, network: str, length: int | None = None) -> Reached:
        """Return what a network's seeds reached on average after training, at the trained length or another one.

        Raises:
            KeyError: if it was not measured there.
        """
        some = [curve for curve in self.curves if curve.network == network]
        points = [
            curve.last if length is None else {point.length: point for point in curve.lengths}[length] for curve in some
        ]
        if not points:
            raise KeyError(network)
        return Reached(*(float(np.mean([point.reached[place] for point in points])) for place in range(3)))


def better(reached: Reached, without: Reached) -> bool:
    """Return whether ``reached`` is below what needs no memory, the error by a tenth at least: less may be chance.

    On 1,000 sequences of two classes a tenth is three standard errors. Values are judged by the loss.
    """
    if np.isnan(without.error):
        return reached.loss < 0.9 * without.loss
    return reached.error < 0.9 * without.error
