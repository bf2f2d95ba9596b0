"""The steps of a network with a tape over a sequence, and the error rates of networks by length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]
READ, WRITE = 0, 1
"""Places of the two heads."""
HEADS = ("read", "write")


class LengthError(NamedTuple):
    """How often an epoch answers sequences of a length wrongly.

    Attributes:
        epoch: its number.
        length: of the sequences.
        sequences: how many were tried.
        error: share of the bits that are wrong, 0 to 1; half is chance.
        exact: share of the sequences without a wrong bit.
    """

    epoch: int
    length: int
    sequences: int
    error: float
    exact: float


@dataclass(frozen=True)
class SequenceReading:
    """One sequence as a network answers it.

    Attributes:
        run: the run's name.
        epoch: its number.
        task: the task's name.
        length: of the sequence.
        inputs: (T, D), the bits that are read, then the marks.
        targets: (R, K), what is to be answered at the last R steps.
        answers: (T, K), the probability of a one in each bit that is answered.
    """

    run: str
    epoch: int
    task: str
    length: int
    inputs: Numbers
    targets: Numbers
    answers: Numbers

    @property
    def steps(self) -> int:
        """T."""
        return len(self.inputs)

    @property
    def asked(self) -> int:
        """The first step at which an answer is asked for."""
        return self.steps - len(self.targets)

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """(R, K): whether an answered bit is not the one that was to be answered."""
        return np.asarray((self.answers[self.asked :] > 0.5) != (self.targets > 0.5))


@dataclass(frozen=True)
class TapeReading(SequenceReading):
    """One sequence as a network with a tape answers it; what has two heads has the reading one first.

    Attributes:
        content: (T, 2, N), weightings by likeness to the key.
        gated: (T, 2, N), mixed with the weighting before.
        shifted: (T, 2, N), moved.
        weights: (T, 2, N), sharpened: what is read or written by.
        strength: (T, 2), key strength.
        gate: (T, 2), interpolation gate: 1 is all content, 0 all location.
        shift: (T, 2, 3), shares of moving back, staying and moving on.
        sharpening: (T, 2).
        tape: (T, N, M), after each step.
    """

    content: Numbers
    gated: Numbers
    shifted: Numbers
    weights: Numbers
    strength: Numbers
    gate: Numbers
    shift: Numbers
    sharpening: Numbers
    tape: Numbers

    @property
    def cells(self) -> int:
        """N, of the tape."""
        return int(self.weights.shape[2])

    @property
    def at(self) -> NDArray[np.int64]:
        """(T, 2): the cell with the largest weight."""
        return np.asarray(self.weights.argmax(axis=2))

    @property
    def moved(self) -> Numbers:
        """(T, 2): by how many cells a head moves on average at a step; back is negative."""
        return np.asarray(self.shift[..., 2] - self.shift[..., 0])
