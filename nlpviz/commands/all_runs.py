"""All runs again, in one sweep where their corpora are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from nlpviz.run_kinds import kind_of
from nlpviz.runs import Run, root
from nlpviz.training import Options, Recipe, TrainingError, accelerator_for
from nlpviz.training.fleet import SWEEP, Judge, Outcome, Sweep, in_order, make_all, table
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
    report(every, sweep.outcomes, wrong)
    if len(sweep.outcomes) == len(every):
        sweep.path.unlink()  # the next one begins anew


def report(every: Sequence[Recipe], outcomes: Mapping[str, Outcome], wrong: Mapping[str, str]) -> None:
    """Print what became of each recipe.

    Raises:
        TrainingError: if something went wrong.
    """
    for line in table(outcomes):
        print(line)
    left = [recipe.name for recipe in every if recipe.name not in {**outcomes, **wrong}]
    if left:
        print(f"{len(left)} left; run the same command again to continue: {', '.join(left)}")
    if wrong:
        raise TrainingError("; ".join(f"{name}: {why}" for name, why in wrong.items()))
