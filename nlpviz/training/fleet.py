"""Retraining all runs: their order, finished runs, runs that got worse, and a table at the end.

A sweep is remembered in a file, so that a stopped one goes on and a finished run is not made twice. Several processes
may work at one sweep: each takes a recipe that no other one has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import sleep
from typing import NamedTuple

from filelock import FileLock

from nlpviz.data import DataError
from nlpviz.runs import Run, RunError, open_run, root
from nlpviz.runs.files import write_text
from nlpviz.runs.sharing import put_in_place
from nlpviz.training import Options, Recipe, TrainingError
from nlpviz.training.bounds import OutOfTimeError, check_time
from nlpviz.training.produce import BusyError, produce

SWEEP, ASIDE = ".sweep.json", ".kept-aside"
_WAIT = 2.0  # seconds, until it is seen again whether another process has finished what this one waits for


class Judge(NamedTuple):
    """How two runs of one recipe are compared.

    Attributes:
        is_worse: whether the first is worse than the second by more than chance.
        measured: what a run is shown by, in words, and the number; None where it was not measured.
    """

    is_worse: Callable[[Run, Run], bool]
    measured: Callable[[Run], tuple[str, float | None]]


@dataclass(frozen=True)
class Outcome:
    """The outcome of one recipe.

    Attributes:
        run: its name.
        measure: what is compared, for example ``"accuracy on test"``.
        old: what the run had that stood there, or None.
        new: what the new one has.
        aside: whether the new one got worse by more than chance and was kept aside.
        device: on which the new one was trained.
        seconds: of its epochs.
    """

    run: str
    measure: str
    old: float | None
    new: float | None
    aside: bool
    device: str
    seconds: float


def in_order(
    recipes: Mapping[str, Recipe],
    worth: Callable[[Recipe], float] = lambda recipe: recipe.worth,
    needs: Callable[[Recipe], Sequence[str]] = lambda recipe: recipe.needs,
) -> list[Recipe]:
    """Return recipes, each after those it needs; those first that are worth more, or that worthier ones need."""

    def counts(recipe: Recipe) -> float:
        return max([worth(recipe), *(counts(other) for other in recipes.values() if recipe.name in needs(other))])

    left = sorted(recipes.values(), key=lambda recipe: (-counts(recipe), recipe.name))
    order: list[Recipe] = []
    while left:
        waiting = {recipe.name for recipe in left}
        order.append(next(recipe for recipe in left if not waiting.intersection(needs(recipe))))
        left.remove(order[-1])
    return order


class Sweep:
    """What of a sweep is done, remembered in a file that several processes may write."""

    def __init__(self, path: Path, judge: Judge) -> None:
        """Remember in ``path``; ``judge`` compares a new run with the one that stands there."""
        self.path, self._judge = path, judge

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """What became of the recipes that are done, in the order in which they were."""
        if not self.path.exists():
            return {}
        return {name: Outcome(**said) for name, said in json.loads(self.path.read_text(encoding="utf-8")).items()}

    def add(self, outcome: Outcome) -> None:
        """Store the outcome of a recipe."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self.path.with_suffix(".lock")):
            said = {name: asdict(one) for name, one in {**self.outcomes, outcome.run: outcome}.items()}
            write_text(self.path, json.dumps(said, indent=1))

    def make(self, recipe: Recipe, options: Options, finish: Callable[[Run], object] = lambda _: None) -> None:
        """Make the run of ``recipe``, put it in place or aside, and remember what became of it.

        Raises:
            BusyError: if another process makes it, or just has.
        """

        def make(folder: Path, options: Options) -> None:
            if recipe.name in self.outcomes:
                raise BusyError(f"Another process has already trained {recipe.name}.")
            recipe.make(folder, options)

        produce(replace(recipe, make=make), options, finish, self._put)

    def _put(self, made: Path, target: Path) -> Run:
        """Put a finished run in its place, or aside if it got worse by more than chance."""
        new, old = Run.open(made), _old(target)
        aside = old is not None and self._judge.is_worse(new, old)
        run = put_in_place(made, root() / ASIDE / target.name if aside else target)
        self.add(self._outcome(run, old, aside=aside))
        return run

    def _outcome(self, new: Run, old: Run | None, *, aside: bool) -> Outcome:
        measure, value = self._judge.measured(new)
        known, before = ("", None) if old is None else self._judge.measured(old)
        return Outcome(new.name, measure, before if known == measure else None, value, aside, new.device, new.seconds)


def _old(folder: Path) -> Run | None:
    try:
        return Run.open(folder)
    except RunError:
        return None


def make_all(
    recipes: Sequence[Recipe], sweep: Sweep, make: Callable[[Recipe], None], device: str = ""
) -> dict[str, str]:
    """Make every recipe that ``sweep`` has not, in their order, until the time is over; return what went wrong.

    A recipe waits for those it needs; where one of these went wrong it is left out.

    Args:
        recipes: in their order.
        sweep: what is done.
        make: makes one.
        device: the kind of device, as manifests begin: how long an epoch took on it before is how long it will take.

    Returns:
        For each recipe that could not be made a sentence.
    """
    wrong: dict[str, str] = {}
    while left := [recipe for recipe in recipes if recipe.name not in {**sweep.outcomes, **wrong}]:
        names = {recipe.name for recipe in left}
        ready = [recipe for recipe in left if not names.intersection(recipe.needs)]
        try:
            made = _first_free(ready, make, device, wrong)
            if not made:
                check_time()
                sleep(_WAIT)  # all that could be made is being made by others
        except OutOfTimeError:
            break
        for recipe in left:
            if failed := next((need for need in recipe.needs if need in wrong), None):
                wrong[recipe.name] = f"It depends on {failed}, which failed."
    return wrong


def _first_free(
    ready: Sequence[Recipe], make: Callable[[Recipe], None], device: str, wrong: dict[str, str]
) -> Recipe | None:
    """Make the first recipe that no other process is at, or note what went wrong; return it, None if there is none."""
    for recipe in ready:
        check_time(_expected(recipe, device))
        try:
            make(recipe)
        except OutOfTimeError:
            raise
        except BusyError:
            continue
        except (TrainingError, DataError, RunError) as error:
            wrong[recipe.name] = str(error)
        return recipe
    return None


def _expected(recipe: Recipe, device: str) -> float:
    """Return the seconds that an epoch took where the run was made last on such a device, 0 where that is not known."""
    try:
        run = open_run(recipe.name)
    except RunError:
        return 0.0
    return run.seconds_per_epoch if device and run.device.startswith(device) else 0.0


def table(outcomes: Mapping[str, Outcome]) -> list[str]:
    """Return the old and the new measure of each run, a line each."""
    rows = [("run", "measure", "old", "new", "", "trained on")]
    for one in outcomes.values():
        became = "set aside: significantly worse" if one.aside else ""
        of = (_number(one.old, one.measure), _number(one.new, one.measure))
        rows.append((one.run, one.measure, *of, became, f"{one.device}, {one.seconds:,.0f} s"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _number(value: float | None, measure: str) -> str:
    if value is None:
        return "–"
    return f"{value:.2%}" if measure.startswith("accuracy") else f"{value:.2f}"
