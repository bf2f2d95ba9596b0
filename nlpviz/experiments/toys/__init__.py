"""Toy tasks, one a file, that show what a network which reads step by step can keep in its state.

A task is a generator of sequences with their answers, and what a network without memory would reach at best. A new one
is one new file in ``tasks`` that exports ``TASK``. Networks of every kind race on it
(:mod:`nlpviz.experiments.toys.race`), on a page or for the committed curves (:mod:`nlpviz.experiments.toys.stored`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nlpviz.discovery import discover
from nlpviz.results.toys import Reached, ToyBatch, ToyFacts


class ToyError(Exception):
    """A task cannot be set like this; the message says what can."""


@dataclass(frozen=True)
class Schedule:
    """How a task is learnt where nobody says otherwise.

    Attributes:
        rate: of Adam, at first: it falls linearly to zero at the last step.
        batch: sequences of a step.
        steps: of a whole training.
        shorter: whether shorter sequences are mixed in, a length drawn for each batch.
        rates: of networks that learn more at another rate, by name.
    """

    rate: float
    batch: int
    steps: int
    shorter: bool = False
    rates: Mapping[str, float] = field(default_factory=dict)

    def rate_of(self, network: str) -> float:
        """Return the rate at which a network begins."""
        return self.rates.get(network, self.rate)


@dataclass(frozen=True)
class ToyTask:
    """What a module under ``nlpviz.experiments.toys.tasks`` exports as ``TASK``.

    Attributes:
        facts: its names, and what its numbers are.
        source: where it comes from.
        says: what is to be done, in a sentence with a place for the ``length``.
        inputs: D, numbers that are read at each step.
        outputs: K classes, or 1 where a value is asked for.
        lengths: that it can be set at.
        offered: those that a page offers.
        length: to begin with.
        tested: lengths on which a network is measured after training at ``length``.
        schedule: how it is learnt.
        draw: makes so many sequences of a length.
        chance: what is reached without memory at a length.
        steps: T of a length.
        counted: how many of the last answers count as right or wrong.
        symbols: the T texts of each channel of one sequence (T, D).
        names: of the classes; none where a value is asked for.
    """

    facts: ToyFacts
    source: str
    says: str
    inputs: int
    outputs: int
    lengths: range
    offered: Sequence[int]
    length: int
    tested: Sequence[int]
    schedule: Schedule
    draw: Callable[[np.random.Generator, int, int], ToyBatch]
    chance: Callable[[int], Reached]
    steps: Callable[[int], int]
    counted: Callable[[int], int]
    symbols: Callable[[NDArray[np.float32]], tuple[tuple[str, ...], ...]]
    names: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As in addresses and on the command line."""
        return self.facts.name

    @property
    def of_classes(self) -> bool:
        """Whether answers are classes, not values."""
        return self.outputs > 1

    def allowed(self, length: int) -> int:
        """Return ``length``.

        Raises:
            ToyError: if the task cannot be set at it.
        """
        if length not in self.lengths:
            even = ", an even number" if self.lengths.step == 2 else ""
            raise ToyError(
                f"{self.facts.title} sequences must have {self.lengths[0]} to {self.lengths[-1]} "
                f"{self.facts.unit}{even}, "
                f"not {length:,}."
            )
        return length

    def chances(self, lengths: Sequence[int]) -> dict[int, Reached]:
        """Return what is reached without memory, by length."""
        return {length: self.chance(length) for length in lengths}

    def trained_on(self, length: int) -> tuple[int, ...]:
        """Return the lengths of the sequences that a network learns from to answer those of ``length``."""
        return tuple(one for one in self.lengths if one <= length) if self.schedule.shorter else (length,)


def toy_tasks() -> dict[str, ToyTask]:
    """Return every toy task, by name."""
    return discover("nlpviz.experiments.toys.tasks", "TASK", ToyTask)


def one_hot(symbols: NDArray[np.int64], count: int) -> NDArray[np.float32]:
    """Return ``symbols`` (B, T) as vectors (B, T, ``count``) of one 1 and else 0."""
    return np.eye(count, dtype=np.float32)[symbols]
