"""The server's one thread that trains networks while people watch, for all visitors in turn; no Streamlit in it.

A page says how far its race is to go, and asks now and then how far it is. A race that nobody has asked about for some
seconds is left where it is: its tab was closed. The thread ends when no race is left, and begins with the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition, Thread
from time import monotonic, perf_counter, sleep
from typing import Protocol

PATIENCE_S = 5.0
_BREATH_S = 0.001  # between two steps, so that the threads of pages get their turn


class Racing(Protocol):
    """Networks that learn side by side, a step at a time: what the worker asks of it, and a page.

    Attributes:
        error: what went wrong; None as long as nothing did.
    """

    error: Exception | None

    @property
    def ready(self) -> bool:
        """Whether all networks are built."""
        ...

    @property
    def steps(self) -> int:
        """Steps that every network has taken."""
        ...

    @property
    def total(self) -> int:
        """Steps of the whole training."""
        ...

    @property
    def over(self) -> bool:
        """Whether the training is at its end."""
        ...

    def advance(self, upto: int) -> bool:
        """Do a little, at most up to that step; return whether anything was left to do."""
        ...


class TooManyRacesError(Exception):
    """So many races are trained already that another is refused."""


@dataclass(eq=False)
class _Going:
    """A race that is to go on.

    Attributes:
        race: the race.
        upto: the step at which it stops.
        asked: when somebody last asked about it.
        spent: seconds of the thread, from those of the race that had fewest when this one began.
        since: ``spent`` when it began.
    """

    race: Racing
    upto: int
    asked: float
    spent: float
    since: float


class RaceWorker:
    """Trains races side by side, each step that of the race which has had the least time."""

    def __init__(self, most: int = 6, patience: float = PATIENCE_S, minutes: float = 10) -> None:
        """Bound it.

        Args:
            most: races at once.
            patience: seconds after which a race is left that nobody has asked about.
            minutes: that a race may train in one go.
        """
        self._most, self._patience, self._seconds = most, patience, 60 * minutes
        self._going: dict[Racing, _Going] = {}
        self._taken: Racing | None = None  # the race whose step is being taken
        self._changed = Condition()
        self._thread: Thread | None = None

    def go(self, race: Racing, upto: int) -> None:
        """Let ``race`` go on to the step ``upto``.

        Raises:
            TooManyRacesError: if too many others are going on.
        """
        with self._changed:
            if race not in self._going and len(self._going) >= self._most:
                raise TooManyRacesError
            spent = min((one.spent for one in self._going.values()), default=0.0)
            self._going[race] = _Going(race, upto, monotonic(), spent, spent)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="nlpviz-races", daemon=True)
                self._thread.start()

    def stop(self, race: Racing) -> None:
        """Leave ``race`` where it is, once its step that is being taken has ended: what is read then stands still."""
        with self._changed:
            self._going.pop(race, None)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._taken is not race)

    def is_going(self, race: Racing) -> bool:
        """Return whether ``race`` goes on, and take note that somebody asked."""
        with self._changed:
            if going := self._going.get(race):
                going.asked = monotonic()
            return going is not None

    def wait(self, race: Racing, seconds: float, until: Callable[[], bool] = lambda: False) -> None:
        """Wait until ``race`` goes on no more, or for what is said, but no longer than this."""
        with self._changed:
            self._changed.wait_for(lambda: race not in self._going or until(), seconds)

    @property
    def others(self) -> int:
        """How many races go on."""
        with self._changed:
            return len(self._going)

    def _run(self) -> None:
        while (going := self._next()) is not None:
            begun = perf_counter()
            try:
                left = going.race.advance(going.upto)
            except Exception as error:  # noqa: BLE001 - the thread outlives every race; its page says what was wrong
                going.race.error, left = error, False
            going.spent += perf_counter() - begun
            self._end(going, left=left and not going.race.over)
            sleep(_BREATH_S)

    def _next(self) -> _Going | None:
        """Return the race whose turn it is; None, and the thread ends, where there is none."""
        with self._changed:
            now = monotonic()
            for one in list(self._going.values()):
                if now - one.asked > self._patience or one.spent - one.since > self._seconds:
                    del self._going[one.race]
            self._changed.notify_all()
            if not self._going:
                self._thread = None
                return None
            going = min(self._going.values(), key=lambda one: one.spent)
            self._taken = going.race
            return going

    def _end(self, going: _Going, *, left: bool) -> None:
        """End a step; take its race off the list where nothing is left of it, unless it was resumed meanwhile."""
        with self._changed:
            self._taken = None
            if not left and self._going.get(going.race) is going:
                del self._going[going.race]
            self._changed.notify_all()
