"""The thread that trains toy tasks: it is fair, it leaves what nobody watches, and it ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any, cast

import pytest

from nlpviz.toys.race import Race
from nlpviz.ui.race_worker import RaceWorker, TooManyRacesError


class Steps:
    """What stands for a race: steps that take so many seconds."""

    def __init__(self, seconds: float = 0.001, fails_at: int = -1) -> None:
        self.steps, self.seconds, self.fails_at = 0, seconds, fails_at
        self.error: Exception | None = None
        self.over = False

    def advance(self, upto: int) -> bool:
        """Take a step, unless there is none left."""
        if self.steps >= upto:
            return False
        sleep(self.seconds)
        self.steps += 1
        if self.steps == self.fails_at:
            raise ValueError("no such step")
        return True


def race(seconds: float = 0.001, fails_at: int = -1) -> Race:
    """Return what the worker takes for a race."""
    return cast("Race", Steps(seconds, fails_at))


def until(true: Callable[[], object], seconds: float = 30) -> None:
    """Wait until something is true."""
    end = monotonic() + seconds
    while not true():
        assert monotonic() < end, "it never came"
        sleep(0.005)


def threads() -> list[str]:
    """Return the worker threads there are."""
    return [one.name for one in threading.enumerate() if one.name == "nlpviz-races"]


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Any:
    """When a test ends, so does its thread, within the patience of its worker."""
    until(lambda: not threads())
    yield
    until(lambda: not threads(), 20)


def test_a_race_goes_as_far_as_it_was_told_and_the_thread_ends() -> None:
    worker, one = RaceWorker(), race()
    worker.go(one, 5)
    worker.wait(one, 10)
    assert one.steps == 5
    assert not worker.is_going(one)
    until(lambda: not threads(), 2)
    worker.go(one, 7)
    worker.wait(one, 10)
    assert one.steps == 7, "it begins again"


def test_what_nobody_asks_about_is_left() -> None:
    worker, one = RaceWorker(patience=0.3), race()
    worker.go(one, 1_000_000)
    until(lambda: one.steps > 3)
    until(lambda: not threads(), 10)
    steps = one.steps
    sleep(0.05)
    assert one.steps == steps
    assert not worker.is_going(one)


def test_what_somebody_asks_about_goes_on() -> None:
    worker, one = RaceWorker(patience=1), race()
    worker.go(one, 1_000_000)
    end = monotonic() + 2
    while monotonic() < end:
        assert worker.is_going(one)
        sleep(0.02)
    worker.stop(one)


def test_two_races_get_the_same_time() -> None:
    """A step of one takes ten times as long: it takes about a tenth of the steps."""
    worker, quick, slow = RaceWorker(patience=20), race(0.002), race(0.02)
    worker.go(quick, 1_000_000)
    until(lambda: quick.steps > 20)
    before = quick.steps
    worker.go(slow, 1_000_000)
    until(lambda: slow.steps >= 15)
    worker.stop(quick)
    worker.stop(slow)
    assert 4 <= (quick.steps - before) / slow.steps <= 25, "late comers neither wait nor rush"


def test_too_many_are_refused_and_one_that_goes_on_is_not() -> None:
    worker, some = RaceWorker(most=2, patience=20), [race(), race(), race()]
    for one in some[:2]:
        worker.go(one, 1_000_000)
    with pytest.raises(TooManyRacesError):
        worker.go(some[2], 5)
    worker.go(some[0], 2_000_000)
    assert worker.others == 2
    worker.stop(some[0])
    worker.go(some[2], 5)
    worker.wait(some[2], 10)
    assert some[2].steps == 5
    worker.stop(some[1])


def test_what_goes_wrong_is_kept_and_others_go_on() -> None:
    worker, bad, good = RaceWorker(), race(fails_at=2), race()
    worker.go(bad, 10)
    worker.go(good, 10)
    worker.wait(bad, 10)
    worker.wait(good, 10)
    assert (bad.steps, str(bad.error)) == (2, "no such step")
    assert (good.steps, good.error) == (10, None)


def test_minutes_are_bounded() -> None:
    worker, one = RaceWorker(patience=20, minutes=0.1 / 60), race(0.01)
    worker.go(one, 1_000_000)
    worker.wait(one, 20)
    assert 5 <= one.steps <= 30


def test_a_race_that_was_stopped_stands_still_at_once() -> None:
    worker, one = RaceWorker(), race(0.1)
    worker.go(one, 1_000)
    until(lambda: one.steps > 1)
    worker.stop(one)
    steps = one.steps
    sleep(0.3)
    assert one.steps == steps, "the step that was being taken had ended"
