"""Waiting for what a thread does."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep


def until(true: Callable[[], object], seconds: float = 300) -> None:
    """Wait until something is true; the seconds end what hangs, and a busy machine needs a fraction of them."""
    end = monotonic() + seconds
    while not true():
        assert monotonic() < end, "it never came"
        sleep(0.02)
