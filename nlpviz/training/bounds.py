"""What bounds a training from outside, whatever is trained: the minutes that it may take, the share of a corpus.

Both hold for everything that is done inside their ``with``, so that no recipe and no loop has to hand them on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from nlpviz.training import TrainingError

_end: ContextVar[float] = ContextVar("end", default=inf)
_share: ContextVar[float] = ContextVar("share", default=1.0)


class OutOfTimeError(TrainingError):
    """A training that stopped because its next step would have passed the time; it goes on from there."""


@contextmanager
def minutes(most: float | None) -> Iterator[None]:
    """Let trainings stop before the epoch that would end more than ``most`` minutes from now; None lets them go on."""
    token = _end.set(inf if most is None else monotonic() + 60 * most)
    try:
        yield
    finally:
        _end.reset(token)


def check_time(seconds: float = 0.0) -> None:
    """Go on if what takes so many ``seconds`` fits in.

    Raises:
        OutOfTimeError: if it does not.
    """
    if monotonic() + seconds > _end.get():
        raise OutOfTimeError("The minutes are over; what was begun goes on from its last epoch.")


@contextmanager
def rehearsal(share: float) -> Iterator[None]:
    """Let corpora be read as if they had this ``share`` of their records, for a rehearsal; 1 reads all."""
    token = _share.set(share)
    try:
        yield
    finally:
        _share.reset(token)


def portion(count: int) -> int:
    """Return how many of ``count`` things a rehearsal takes: all, unless one is on."""
    return count if _share.get() == 1 else max(round(count * _share.get()), 1)


def some(count: int) -> NDArray[np.int64] | slice:
    """Return which of ``count`` records are read, ascending: in a rehearsal some, drawn with a fixed seed, else all."""
    if _share.get() == 1:
        return slice(None)
    return np.sort(np.random.default_rng(0).permutation(count)[: portion(count)])
