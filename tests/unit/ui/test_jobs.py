"""The server's worker: one job at a time, progress, a queue, cancelling."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from nlpviz.ui.jobs import Progress, QueueFullError, Worker
from tests.waiting import until


class Gate:
    """Work that goes on step by step until it is let through."""

    def __init__(self) -> None:
        """Close the gate."""
        self.begun, self.opened, self.steps = Event(), Event(), 0

    def __call__(self, progress: Progress) -> None:
        """Report until the gate is opened."""
        self.begun.set()
        while not self.opened.wait(0.01):
            self.steps += 1
            progress(0.4, "waiting at the gate")


@pytest.fixture
def gates() -> Iterator[list[Gate]]:
    """Three gates, which are open when the test is over."""
    made = [Gate() for _ in range(3)]
    yield made
    for gate in made:
        gate.opened.set()


def test_job_is_done_and_says_how_far_it_is(gates: list[Gate]) -> None:
    worker, gate = Worker(), gates[0]
    job = worker.submit("a map", gate)
    until(lambda: job.doing)
    assert (job.state, job.share, job.doing, job.over) == ("running", 0.4, "waiting at the gate", False)
    gate.opened.set()
    until(lambda: job.over)
    assert (job.state, job.share, job.error) == ("done", 1.0, None)


def test_jobs_of_one_title_have_keys_of_their_own(gates: list[Gate]) -> None:
    worker = Worker()
    first, second = (worker.submit("12 typed words", gate, key) for gate, key in zip(gates, ("a", "b"), strict=False))
    assert (first.title, second.title) == ("12 typed words",) * 2
    assert (first.key, second.key) == ("a", "b")


def test_two_jobs_queue(gates: list[Gate]) -> None:
    worker = Worker()
    first, second, third = (worker.submit(str(number), gate) for number, gate in enumerate(gates))
    until(lambda: first.doing)
    assert [job.state for job in (first, second, third)] == ["running", "waiting", "waiting"]
    assert worker.before(second) == (0.4, 0), "it is next"
    assert worker.before(third) == (0.4, 1), "another stands before it"
    assert not gates[1].begun.is_set()
    gates[0].opened.set()
    until(lambda: second.doing)
    assert (first.state, second.state, third.state) == ("done", "running", "waiting")


def test_cancelling_stops_a_job_and_leaves_the_worker_usable(gates: list[Gate]) -> None:
    worker = Worker()
    job = worker.submit("unwanted", gates[0])
    until(gates[0].begun.is_set)
    worker.cancel(job)
    until(lambda: job.over)
    assert job.state == "cancelled"
    steps = gates[0].steps
    after = worker.submit("wanted", lambda progress: progress(0.5, "half"))
    until(lambda: after.over)
    assert after.state == "done"
    assert gates[0].steps == steps, "nothing goes on in the dark"


def test_a_waiting_job_is_cancelled_at_once_and_never_begun(gates: list[Gate]) -> None:
    worker = Worker()
    worker.submit("first", gates[0])
    second = worker.submit("second", gates[1])
    worker.cancel(second)
    assert second.state == "cancelled"
    gates[0].opened.set()
    last = worker.submit("third", lambda progress: progress(1, ""))
    until(lambda: last.over)
    assert not gates[1].begun.is_set()


def test_a_job_that_fails_says_so_and_the_next_is_done() -> None:
    worker = Worker()

    def fail(_progress: Progress) -> None:
        raise ValueError("no such map")

    job = worker.submit("bad", fail)
    until(lambda: job.over)
    assert (job.state, str(job.error)) == ("failed", "no such map")
    after = worker.submit("good", lambda _: None)
    until(lambda: after.over)
    assert after.state == "done"


def test_cancelling_what_is_over_changes_nothing() -> None:
    worker = Worker()
    job = worker.submit("quick", lambda _: None)
    until(lambda: job.over)
    worker.cancel(job)
    assert job.state == "done"


def test_the_line_is_bounded(gates: list[Gate]) -> None:
    worker = Worker(waiting=1)
    worker.submit("runs", gates[0])
    until(gates[0].begun.is_set)
    worker.submit("waits", gates[1])
    with pytest.raises(QueueFullError):
        worker.submit("one too many", gates[2])
