"""External limits of any training: the minutes that it may take, and the share of a corpus.

Both hold for everything that is done inside their ``with``, so that no recipe and no loop has to hand them on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.training import TrainingError

_end: ContextVar[float] = ContextVar("end", default=inf)
_share: ContextVar[float] = ContextVar("share", default=1.0)


class Stopped(NamedTuple):
    """Where the time ended a training: after so many epochs of those that were planned."""

    after: int
    of: int


@dataclass
class Conclusion:
    """The outcome of a training that ends when its time is over: None if all its epochs were completed."""

    stopped: Stopped | None = None


_conclusion: ContextVar[Conclusion | None] = ContextVar("conclusion", default=None)


class OutOfTimeError(TrainingError):
    """A training that stopped because its next step would have passed the time; it goes on from there."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("The time limit is reached; unfinished training runs resume from their last epoch.")


@contextmanager
def minutes(most: float | None) -> Iterator[None]:
    """Let trainings stop before the epoch that would end more than ``most`` minutes from now; None lets them go on."""
    token = _end.set(inf if most is None else monotonic() + 60 * most)
    try:
        yield
    finally:
        _end.reset(token)


def seconds_left() -> float:
    """Return how many seconds are left; without an end infinitely many."""
    return _end.get() - monotonic()


def check_time(seconds: float = 0.0) -> None:
    """Go on if what takes so many ``seconds`` fits in.

    Raises:
        OutOfTimeError: if it does not.
    """
    if monotonic() + seconds > _end.get():
        raise OutOfTimeError


@contextmanager
def concluding() -> Iterator[Conclusion]:
    """Let a training whose time is over make a run of the epochs that it has, where it has any, and not go on later."""
    conclusion = Conclusion()
    token = _conclusion.set(conclusion)
    try:
        yield conclusion
    finally:
        _conclusion.reset(token)


def another_epoch(done: int, planned: int, seconds: float) -> bool:
    """Return whether a training goes on: until the planned epochs are made, or its time ends inside :func:`concluding`.

    Args:
        done: epochs that are measured, the one before training among them: the number of the next one.
        planned: the number of the last one.
        seconds: that the next one will take.

    Raises:
        OutOfTimeError: if the next one does not fit in, and the training does not conclude with those it has.
    """
    if done > planned:
        return False
    try:
        check_time(seconds)
    except OutOfTimeError:
        conclusion = _conclusion.get()
        if conclusion is None or done < 2:
            raise
        conclusion.stopped = Stopped(done - 1, planned)
        return False
    return True


@contextmanager
def rehearsal(share: float) -> Iterator[None]:
    """Let corpora be read as if they had this ``share`` of their records, for a rehearsal; 1 reads all."""
    token = _share.set(share)
    try:
        yield
    finally:
        _share.reset(token)


def portion(count: int) -> int:
    """Return how many of ``count`` items to use: fewer in a rehearsal, else all."""
    return count if _share.get() == 1 else max(round(count * _share.get()), 1)


def some(count: int) -> NDArray[np.int64] | slice:
    """Return which of ``count`` records are read, ascending: in a rehearsal some, drawn with a fixed seed, else all."""
    if _share.get() == 1:
        return slice(None)
    return np.sort(np.random.default_rng(0).permutation(count)[: portion(count)])
