"""Long computations: one at a time, in one thread of the server that never speaks to Streamlit.

A page hands in a job, polls what it says of itself, and may cancel it. Jobs wait their turn in the order in which
they came.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Condition, Thread
from typing import Literal

Progress = Callable[[float, str], None]
State = Literal["waiting", "running", "done", "failed", "cancelled"]


class CancelledError(Exception):
    """Raised inside a job whose owner wants it no more."""


class QueueFullError(Exception):
    """So many jobs wait already that another is refused."""


@dataclass(eq=False)
class Job:
    """One computation and how far it is; written by the worker alone, but for ``unwanted``.

    Attributes:
        title: what is computed, for its owner.
        key: what is computed, in full: titles of different jobs may be the same.
        work: computes, and tells the progress, which raises :class:`CancelledError` where the job was cancelled.
        state: where it stands.
        share: done, 0 to 1.
        doing: what is being done.
        error: what was raised, of a job that failed.
        unwanted: whether its owner cancelled it.
    """

    title: str
    key: Hashable
    work: Callable[[Progress], object]
    state: State = "waiting"
    share: float = 0.0
    doing: str = ""
    error: Exception | None = None
    unwanted: bool = False

    @property
    def over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state in ("done", "failed", "cancelled")

    def tell(self, share: float, doing: str) -> None:
        """Take note of how far the job is; raise :class:`CancelledError` if it should end."""
        if self.unwanted:
            raise CancelledError
        self.share, self.doing = share, doing


class Worker:
    """A thread that does one job after another; started with the first, it ends with the server."""

    def __init__(self, waiting: int = 8) -> None:
        """Let at most ``waiting`` jobs wait."""
        self._most = waiting
        self._line: deque[Job] = deque()
        self._current: Job | None = None
        self._changed = Condition()
        self._thread: Thread | None = None

    def submit(self, title: str, work: Callable[[Progress], object], key: Hashable = None) -> Job:
        """Return a job that waits its turn.

        Args:
            title: what is computed, for its owner.
            work: computes it.
            key: what is computed, in full; for an owner who asks later whether this is the job.

        Raises:
            QueueFullError: if too many wait already.
        """
        with self._changed:
            if len(self._line) >= self._most:
                raise QueueFullError
            job = Job(title, key, work)
            self._line.append(job)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="nlpviz-jobs", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        return job

    def before(self, job: Job) -> tuple[float, int]:
        """Return the share done of the job that runs now, and how many others stand in line before ``job``."""
        with self._changed:
            position = self._line.index(job) if job in self._line else 0
            return (self._current.share if self._current else 0.0), position

    def cancel(self, job: Job) -> None:
        """End a job: at once if it waits, at its next step if it runs."""
        with self._changed:
            job.unwanted = True
            if job in self._line:
                self._line.remove(job)
                job.state = "cancelled"

    def _run(self) -> None:
        while True:
            with self._changed:
                self._current = None
                self._changed.wait_for(lambda: self._line)
                job = self._current = self._line.popleft()
                job.state = "running"
            _do(job)


def _do(job: Job) -> None:
    try:
        job.work(job.tell)
    except CancelledError:
        job.state = "cancelled"
    except Exception as error:  # noqa: BLE001 - the worker outlives every job; the owner reads it
        job.error = error
        job.state = "failed"
    else:
        job.share = 1.0
        job.state = "done"
