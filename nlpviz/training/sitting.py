"""Several recipes fitted at once within a time limit: when each begins, and what happens when a job stops.

Each recipe is fitted by a job of its own, which concludes by itself when its time is over. A job that ends without a
run is begun again, once, and goes on from its last epoch. What then fails again, or is still at work in the end and is
stopped, is left to a last job, which makes a run of the epochs that there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from statistics import median
from time import monotonic, sleep
from typing import Protocol

from nlpviz.training import Recipe
from nlpviz.training.plan import begins, planned

CPU, GPU = "cpu", "cuda"
_FITTING, _LONGEST = 0.88, 0.96  # of the minutes: jobs conclude after the first share and are stopped after the second
_LEAST = 0.3  # of a run's time that has to be left, for it to be begun
_TRIES = 2
_WAIT = 0.2  # seconds


class RecipeJob(Protocol):
    """One recipe being fitted."""

    def running(self) -> bool:
        """Return whether it is at work."""
        ...

    def stop(self) -> None:
        """End it at once."""
        ...


@dataclass(frozen=True)
class Hands:
    """What a sitting works with.

    Attributes:
        begin: begins to fit a recipe on a device, to conclude within so many seconds; without any, from what it left.
        made: returns the names of the runs that are made.
        left: returns whether a recipe has left epochs to conclude with.
        room: how many jobs a device takes at once, by its name; one that is not among them takes none.
        why: returns what a job that ended without a run said last; empty where nothing but its time was over.
        say: called with a line of text when a job begins or ends.
        after: is called when a run was made.
    """

    begin: Callable[[Recipe, str, float], RecipeJob]
    made: Callable[[], Collection[str]]
    left: Callable[[Recipe], bool]
    room: Mapping[str, int]
    why: Callable[[Recipe], str] = lambda _: ""
    say: Callable[[str], None] = lambda _: None
    after: Callable[[], None] = lambda: None


@dataclass
class _Work:
    """A job at work: whose, where, and since when."""

    recipe: Recipe
    device: str
    job: RecipeJob
    begun: float


@dataclass
class Sitting:
    """Recipes and what has become of them.

    Attributes:
        recipes: in the order in which they are begun.
        hands: what it works with.
        seconds: that all of it may take.
        clock: seconds from any moment on.
        wait: lets some seconds go by.
        wrong: why a recipe has no run, by its name.
    """

    recipes: Sequence[Recipe]
    hands: Hands
    seconds: float = inf
    clock: Callable[[], float] = monotonic
    wait: Callable[[float], None] = sleep
    wrong: dict[str, str] = field(default_factory=dict)
    _at_work: dict[str, _Work] = field(default_factory=dict)
    _tried: Counter[str] = field(default_factory=Counter)
    _paces: dict[str, list[float]] = field(default_factory=dict)

    def hold(self) -> None:
        """Fit the recipes until all are made or the time is over, and conclude what is unfinished then."""
        self._begun = self.clock()
        try:
            while self._passed() < _LONGEST * self.seconds:
                self._ended()
                self._begin()
                if not self._at_work:
                    break
                self.wait(_WAIT)
            self._stop()
            self._conclude()
        finally:
            self._stop()

    def device(self, recipe: Recipe) -> str:
        """Return where a recipe is fitted: on the GPU where there is one and the recipe gains by it."""
        bound = recipe.stages is not None and recipe.stages.on_cpu
        return GPU if GPU in self.hands.room and not bound else CPU

    def _passed(self) -> float:
        return self.clock() - self._begun

    def _left(self) -> float:
        return _FITTING * self.seconds - self._passed()

    def _waiting(self) -> list[Recipe]:
        known = {*self.hands.made(), *self.wrong, *self._at_work}
        return [recipe for recipe in self.recipes if recipe.name not in known]

    def _ended(self) -> None:
        """Note which jobs have ended, and how long a run takes in this sitting beside what was planned."""
        for name in [name for name, work in self._at_work.items() if not work.job.running()]:
            work = self._at_work.pop(name)
            took = self.clock() - work.begun
            if name in self.hands.made():
                if expected := planned(work.recipe).seconds:
                    self._paces.setdefault(work.device, []).append(took / expected)
                self.hands.say(f"{name} finished after {took:,.0f} s.")
                self.hands.after()
            elif not self._may_try(work.recipe) and (why := self.hands.why(work.recipe)):
                self.wrong[name] = why

    def _begin(self) -> None:
        """Begin what fits in, where there is room and what it begins with is made."""
        waiting = self._waiting()
        unmade = {recipe.name for recipe in waiting} | self._at_work.keys()
        for recipe in waiting:
            if failed := next((need for need in begins(recipe) if need in self.wrong), None):
                self.wrong[recipe.name] = f"It depends on {failed}, which failed."
            elif not unmade.intersection(begins(recipe)) and self._fits(recipe):
                self._start(recipe, self._left() if self._tried[recipe.name] < _TRIES else 0.0)

    def _fits(self, recipe: Recipe) -> bool:
        """Whether a recipe may be begun now: there is room, and enough time, which it needs none of to conclude."""
        device = self.device(recipe)
        working = sum(work.device == device for work in self._at_work.values())
        pace = median(self._paces.get(device, [1.0]))
        enough = self._tried[recipe.name] == _TRIES or self._left() > _LEAST * pace * planned(recipe).seconds
        return working < self.hands.room[device] and enough and self._may_try(recipe)

    def _may_try(self, recipe: Recipe) -> bool:
        """Whether a recipe may be begun once more: to conclude, where it was begun often enough but left epochs."""
        tried = self._tried[recipe.name]
        return tried < _TRIES or (tried == _TRIES and self.hands.left(recipe))

    def _start(self, recipe: Recipe, seconds: float) -> None:
        device = self.device(recipe)
        self._tried[recipe.name] += 1
        self.hands.say(f"{recipe.name} {'started' if self._tried[recipe.name] == 1 else 'resumed'} on {device}.")
        self._at_work[recipe.name] = _Work(recipe, device, self.hands.begin(recipe, device, seconds), self.clock())

    def _conclude(self) -> None:
        """Let what has left epochs become runs, all at once, while time is left."""
        for recipe in self._waiting():
            if self.hands.left(recipe):
                self._start(recipe, 0.0)
        while self._at_work and self._passed() < self.seconds:
            self._ended()
            self.wait(_WAIT)

    def _stop(self) -> None:
        """Stop what is at work: an epoch that takes too long."""
        for work in self._at_work.values():
            self.hands.say(f"{work.recipe.name} was stopped.")
            work.job.stop()
        self._at_work.clear()
