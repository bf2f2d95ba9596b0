"""Times of calls that take turns, so that whatever else the machine does meets all of them alike."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


def alternate(rounds: int, *calls: Callable[[], object], repeat: int = 1) -> list[tuple[float, ...]]:
    """Return the seconds of one call, a tuple of ``rounds`` samples for each of ``calls``.

    Args:
        rounds: how many samples are taken; one more round before them warms up and is not counted.
        calls: take turns within a round, each round begun by another one.
        repeat: calls that one sample is the mean of.
    """
    samples: list[list[float]] = [[] for _ in calls]
    for number in range(rounds + 1):
        for turn in range(len(calls)):
            position = (turn + number) % len(calls)
            started = perf_counter()
            for _ in range(repeat):
                calls[position]()
            if number:
                samples[position].append((perf_counter() - started) / repeat)
    return [tuple(values) for values in samples]


def in_ms(seconds: tuple[float, ...]) -> tuple[float, ...]:
    """Return times in milliseconds."""
    return tuple(1000 * value for value in seconds)
