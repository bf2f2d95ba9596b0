"""All runs again: in one sweep where their corpora are, or packed here, fitted elsewhere and finished here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from nlpviz.commands import say
from nlpviz.kinds import kind_of
from nlpviz.runs import Run, root
from nlpviz.training import Options, Recipe, Stages, TrainingError, accelerator_for
from nlpviz.training.bounds import rehearsal
from nlpviz.training.fleet import SWEEP, Judge, Outcome, Sweep, in_order, make_all, table
from nlpviz.training.packing import (
    RUNS,
    bundle,
    copy_fitted,
    open_bundles,
    open_pack,
    packed_arrays,
    runs_in,
    stages_of,
)
from nlpviz.training.recipes import recipes


def _is_worse(new: Run, old: Run) -> bool:
    criterion = kind_of(new).criterion
    return criterion is not None and criterion.is_worse(new, old)


def _measured(run: Run) -> tuple[str, float | None]:
    """Return what a run is judged by and the number; before its test split was read, what decides."""
    headline, criterion = kind_of(run).headline, kind_of(run).criterion
    if headline.value(run) is None and criterion is not None:
        return f"{criterion.measure} on {criterion.split}", criterion.value(run)
    return f"{headline.measure} on {headline.split}", headline.value(run)


JUDGE = Judge(_is_worse, _measured)


def committed() -> list[Recipe]:
    """Return the recipes whose runs are kept under version control, in the order in which they are trained."""
    return in_order({name: recipe for name, recipe in recipes().items() if recipe.committed})


def train_all(options: Options, finish: Callable[[Run], object]) -> None:
    """Train every committed recipe, or go on with a sweep that was stopped."""
    sweep, every = Sweep(root() / SWEEP, JUDGE), committed()
    device = accelerator_for(options.device).device.type
    wrong = make_all(every, sweep, lambda recipe: sweep.make(recipe, options, finish), device)
    _report(every, sweep.outcomes, wrong)
    if len(sweep.outcomes) == len(every):
        sweep.path.unlink()  # the next one begins anew


def train_packed(folder: Path, options: Options) -> None:
    """Fit every recipe of the pack in ``folder``, without a corpus, and bundle what is finished."""
    packed = open_pack(folder)
    with runs_in(folder / RUNS), rehearsal(packed.share):
        known = recipes()
        unknown = sorted(packed.reads.keys() - known.keys())
        if unknown:
            raise TrainingError(f"The pack in {folder} is for other recipes: nobody knows {', '.join(unknown)}.")
        every = in_order({name: _fitted_from(folder, known[name]) for name in packed.reads})
        sweep = Sweep(root() / SWEEP, JUDGE)
        wrong = make_all(every, sweep, lambda recipe: sweep.make(recipe, options))
        for part in bundle(sweep.outcomes, folder):
            say(f"{part}: {part.stat().st_size:,} bytes")
        _report(every, sweep.outcomes, wrong)


def _fitted_from(folder: Path, recipe: Recipe) -> Recipe:
    """Return the recipe that fits from a pack and leaves the rest to :func:`unpack`."""
    stages = stages_of(recipe)

    def make(target: Path, options: Options) -> None:
        stages.fit(packed_arrays(folder, recipe, options), target, options)

    return replace(recipe, make=make)


def unpack(folder: Path, options: Options, finish: Callable[[Run], object]) -> None:
    """Finish the fitted runs that came back in ``folder``, and put each in place, or aside if it got worse.

    Those of a rehearsal stay in ``folder``.
    """
    returned = open_bundles(folder)
    known = recipes()
    ordered = in_order({name: known[name] for name in returned.folders})  # a mixture is measured after what it mixes
    every = [_finished_from(returned.folders[recipe.name], recipe) for recipe in ordered]
    sweep = Sweep(folder / ".unpacked.json", JUDGE)
    runs = root() if returned.share == 1 else folder / "rehearsed"
    with runs_in(runs), rehearsal(returned.share):
        wrong = make_all(every, sweep, lambda recipe: sweep.make(recipe, options, finish))
    _report(every, sweep.outcomes, wrong | dict.fromkeys(returned.incomplete, "A part of it did not come back."))


def _finished_from(fitted: Path, recipe: Recipe) -> Recipe:
    """Return the recipe that finishes a fitted run, whatever became of those that it was fitted after."""
    return replace(recipe, make=partial(_finish_fitted, fitted, stages_of(recipe)), needs=())


def _finish_fitted(fitted: Path, stages: Stages, target: Path, options: Options) -> None:
    copy_fitted(fitted, target)
    stages.finish(target, options)


def _report(every: Sequence[Recipe], outcomes: Mapping[str, Outcome], wrong: Mapping[str, str]) -> None:
    """Print what became of each recipe.

    Raises:
        TrainingError: if something went wrong.
    """
    for line in table(outcomes):
        print(line)
    left = [recipe.name for recipe in every if recipe.name not in {**outcomes, **wrong}]
    if left:
        print(f"{len(left)} to go, the same command goes on: {', '.join(left)}")
    if wrong:
        raise TrainingError("; ".join(f"{name}: {why}" for name, why in wrong.items()))
