"""Time that is over after some epochs, whatever a clock says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from nlpviz.training import bounds
from nlpviz.training.bounds import OutOfTimeError


@contextmanager
def over_after(epochs: int) -> Iterator[list[float]]:
    """Let the time be over when it was asked about so many epochs; yield what each was expected to take."""
    asked: list[float] = []

    def check(seconds: float = 0.0) -> None:
        asked.append(seconds)
        if len(asked) > epochs:
            raise OutOfTimeError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "check_time", check)
        yield asked
