"""The thread that trains toy tasks: it is fair, it leaves what nobody watches, and it ends.

Its clock goes on by the seconds that steps say they take, and by nothing else.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from math import inf
from threading import Event, Thread
from typing import Any, cast

import pytest

from nlpviz.experiments.toys.race import Race
from nlpviz.ui import race_worker
from nlpviz.ui.race_worker import RaceWorker, TooManyRacesError
from tests.waiting import until


class Steps:
    """What stands for a race: steps that take so many seconds, of which each does something."""

    now = 0.0

    def __init__(self, seconds: float = 1, does: Callable[[int], object] = lambda _: None) -> None:
        self.steps, self.seconds, self.does = 0, seconds, does
        self.error: Exception | None = None
        self.over = False

    def advance(self, upto: int) -> bool:
        """Take a step, unless there is none left."""
        if self.steps >= upto:
            return False
        Steps.now += self.seconds
        self.does(self.steps + 1)
        self.steps += 1
        return True


def race(seconds: float = 1, does: Callable[[int], object] = lambda _: None) -> Race:
    """Return what the worker takes for a race."""
    return cast("Race", Steps(seconds, does))


def threads() -> list[str]:
    """Return the worker threads there are."""
    return [one.name for one in threading.enumerate() if one.name == "nlpviz-races"]


@pytest.fixture(autouse=True)
def no_thread_is_left(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Time is that of the steps; when a test ends, so does its thread."""
    until(lambda: not threads())
    for clock in ("monotonic", "perf_counter"):
        monkeypatch.setattr(race_worker, clock, lambda: Steps.now)
    yield
    monkeypatch.setattr(race_worker, "monotonic", lambda: inf)
    until(lambda: not threads())


def test_a_race_goes_as_far_as_it_was_told_and_the_thread_ends() -> None:
    worker, one = RaceWorker(), race()
    worker.go(one, 5)
    until(lambda: not threads())
    assert one.steps == 5
    assert not worker.is_going(one)
    worker.go(one, 7)
    worker.wait(one, 60)
    assert one.steps == 7, "it begins again"


def test_what_nobody_asks_about_is_left() -> None:
    worker, one = RaceWorker(patience=100), race()
    worker.go(one, 1_000_000)
    until(lambda: not threads())
    assert one.steps == 101
    assert not worker.is_going(one)


def test_what_somebody_asks_about_goes_on() -> None:
    worker = RaceWorker(patience=100)
    one = race(does=lambda _: worker.is_going(one))
    worker.go(one, 500)
    until(lambda: not threads())
    assert one.steps == 500


def test_two_races_get_the_same_time() -> None:
    """A step of one takes ten times as long: it takes a tenth of the steps, and late comers neither wait nor rush."""
    worker, taken = RaceWorker(patience=inf, minutes=inf), list[str]()
    slow = race(10, lambda _: taken.append("slow"))

    def quickly(step: int) -> None:
        taken.append("quick")
        if step == 20:
            worker.go(slow, 15)

    quick = race(1, quickly)
    worker.go(quick, 400)
    until(lambda: not threads())
    assert taken[20] == "slow", "its turn comes at once"
    between = taken[20 : len(taken) - taken[::-1].index("slow")]
    assert between.count("slow") == 15
    assert 130 <= between.count("quick") <= 150
    assert max(map(len, "".join(one[0] for one in between).split("s"))) <= 11, "in turn"


def test_too_many_are_refused_and_one_that_goes_on_is_not() -> None:
    worker, some = RaceWorker(most=2, patience=inf, minutes=inf), [race(), race(), race()]
    for one in some[:2]:
        worker.go(one, 1_000_000)
    with pytest.raises(TooManyRacesError):
        worker.go(some[2], 5)
    worker.go(some[0], 2_000_000)
    assert worker.others == 2
    worker.stop(some[0])
    worker.go(some[2], 5)
    worker.wait(some[2], 60)
    assert some[2].steps == 5
    worker.stop(some[1])


def test_what_goes_wrong_is_kept_and_others_go_on() -> None:
    def fail(step: int) -> None:
        if step == 2:
            raise ValueError("no such step")

    worker, bad, good = RaceWorker(patience=inf), race(does=fail), race()
    worker.go(bad, 10)
    worker.go(good, 10)
    until(lambda: not threads())
    assert (bad.steps, str(bad.error)) == (1, "no such step")
    assert (good.steps, good.error) == (10, None)


def test_minutes_are_bounded() -> None:
    worker, one = RaceWorker(patience=inf, minutes=1), race(7)
    worker.go(one, 1_000_000)
    until(lambda: not threads())
    assert one.steps == 9, "the step after the minute is not taken"


def test_a_race_that_was_stopped_stands_still_at_once() -> None:
    begun, go_on, happened = Event(), Event(), list[str]()

    def step(_: int) -> None:
        begun.set()
        assert go_on.wait(60)
        happened.append("step")

    def stop() -> None:
        worker.stop(one)
        happened.append("stopped")

    worker, one = RaceWorker(), race(does=step)
    worker.go(one, 1_000)
    assert begun.wait(60)
    stopping = Thread(target=stop)
    stopping.start()
    until(lambda: not worker.others)
    go_on.set()
    stopping.join()
    assert happened == ["step", "stopped"], "the step that was being taken had ended"
    until(lambda: not threads())
    assert one.steps == 1
