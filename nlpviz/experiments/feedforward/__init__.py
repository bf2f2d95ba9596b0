"""Feed-forward networks and how they are trained, with all that can be chosen: one thing a file.

Everything is numpy, written out: the network and its gradient (:mod:`nlpviz.experiments.feedforward.network`), what a
unit, a loss, an initialisation or a schedule is, small problems and surfaces that are learnt while people watch, and
experiments whose curves are committed (:mod:`nlpviz.experiments.feedforward.stored`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from nlpviz.discovery import discover

Array = NDArray[np.floating[Any]]
T = TypeVar("T")


class FeedForwardError(Exception):
    """A network cannot be made or trained like this; the message says what can."""


@dataclass(frozen=True)
class Activation:
    """What a module under ``activations`` exports as ``ACTIVATION``.

    Attributes:
        name: as in addresses and on the command line.
        title: how people call it.
        formula: in TeX.
        value: of sums z, element by element.
        slope: its derivative, of sums z and their values.
        flat: whether a unit is saturated or dead: where a value lies so flat that hardly a gradient passes.
    """

    name: str
    title: str
    formula: str
    value: Callable[[Array], Array]
    slope: Callable[[Array, Array], Array]
    flat: Callable[[Array], NDArray[np.bool_]]


class Graded(NamedTuple):
    """What a loss makes of a batch: its mean, and its derivative by each output (B, K)."""

    loss: float
    gradient: Array


@dataclass(frozen=True)
class Loss:
    """What a module under ``losses`` exports as ``LOSS``.

    Attributes:
        name: as in addresses and on the command line.
        title: how people call it.
        formula: in TeX: outputs z, the right class t.
        grade: of outputs (B, K) and classes (B,).
    """

    name: str
    title: str
    formula: str
    grade: Callable[[Array, NDArray[np.integer[Any]]], Graded]


@dataclass(frozen=True)
class Initialisation:
    """What a module under ``initialisations`` exports as ``INITIALISATION``.

    Attributes:
        name: as in addresses and on the command line.
        title: how people call it.
        formula: in TeX.
        source: where it comes from.
        draw: the weights (``inputs``, ``outputs``) of a layer; biases begin at 0.
    """

    name: str
    title: str
    formula: str
    source: str
    draw: Callable[[np.random.Generator, int, int], Array]


@dataclass(frozen=True)
class RateSchedule:
    """What a module under ``schedules`` exports as ``SCHEDULE``.

    Attributes:
        name: as in addresses and on the command line.
        title: how people call it.
        formula: in TeX, of p, the share of the training that has been done.
        source: where it comes from.
        factor: by which the learning rate is multiplied at p, 0 to 1.
    """

    name: str
    title: str
    formula: str
    source: str
    factor: Callable[[float], float]


@dataclass(frozen=True)
class Surface:
    """What a module under ``surfaces`` exports as ``SURFACE``: a loss of two parameters, x and y.

    Attributes:
        name: as in addresses and on the command line.
        title: how people call it.
        says: what is hard about it, in a sentence.
        formula: in TeX.
        loss: of x and y, element by element.
        gradient: by x and by y.
        x: the range that is drawn.
        y: the range that is drawn.
        start: where descents begin.
        lowest: the least loss there is.
    """

    name: str
    title: str
    says: str
    formula: str
    loss: Callable[[Array, Array], Array]
    gradient: Callable[[float, float], tuple[float, float]]
    x: tuple[float, float]
    y: tuple[float, float]
    start: tuple[float, float]
    lowest: float = 0.0


@dataclass(frozen=True)
class SmallProblem:
    """What a module under ``problems`` exports as ``PROBLEM``: points in a plane, each of one of K classes.

    Attributes:
        name: as in addresses and on the command line.
        title: how people call it.
        says: what has to be learnt, in a sentence.
        classes: K.
        draw: so many points (N, 2), from −1 to 1, and their classes (N,).
    """

    name: str
    title: str
    says: str
    classes: int
    draw: Callable[[np.random.Generator, int], tuple[Array, NDArray[np.int64]]]


def known_activations() -> dict[str, Activation]:
    """Return every activation, by name."""
    return discover("nlpviz.experiments.feedforward.activations", "ACTIVATION", Activation)


def known_losses() -> dict[str, Loss]:
    """Return every loss, by name."""
    return discover("nlpviz.experiments.feedforward.losses", "LOSS", Loss)


def known_initialisations() -> dict[str, Initialisation]:
    """Return every initialisation, by name."""
    return discover("nlpviz.experiments.feedforward.initialisations", "INITIALISATION", Initialisation)


def known_schedules() -> dict[str, RateSchedule]:
    """Return every schedule of the learning rate, by name."""
    return discover("nlpviz.experiments.feedforward.schedules", "SCHEDULE", RateSchedule)


def known_surfaces() -> dict[str, Surface]:
    """Return every surface, by name."""
    return discover("nlpviz.experiments.feedforward.surfaces", "SURFACE", Surface)


def small_problems() -> dict[str, SmallProblem]:
    """Return every small problem, by name."""
    return discover("nlpviz.experiments.feedforward.problems", "PROBLEM", SmallProblem)


def known(there: Mapping[str, T], name: str, what: str) -> T:
    """Return ``there[name]``.

    Raises:
        FeedForwardError: if there is none, listing the right names.
    """
    if name not in there:
        raise FeedForwardError(f"There is no {what} {name!r}. Choose one of {', '.join(there)}.")
    return there[name]
