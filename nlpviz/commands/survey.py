"""``survey RUN``, or ``survey --all``: what is read off a run's network over the test documents.

Of a classifier the predictions for all test documents are written, with the ratings in them and without.
``regions RUN --corpus`` and ``filters RUN`` answer from a survey where a network pools over regions,
``attend RUN --corpus`` where it has attention, and ``units RUN`` where it reads word by word.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from nlpviz.commands import Command, UsageError, add_json, print_json, teller
from nlpviz.data import DataError
from nlpviz.run_kinds import kind_of
from nlpviz.runs import Run, RunError, list_runs, open_run
from nlpviz.training.bounds import OutOfTimeError, check_time, minutes


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", nargs="?", help="name of the run to survey, even if it was surveyed before")
    parser.add_argument("--all", action="store_true", help="add any missing surveys for all runs, most important first")
    parser.add_argument("--minutes", type=float, help="with --all: do not start another survey after this many minutes")
    add_json(parser)


def _run(options: argparse.Namespace) -> None:
    if options.all == bool(options.run) or (options.minutes is not None and not options.all):
        raise UsageError("Name a run or use --all; --minutes needs --all.")
    if options.all:
        with minutes(options.minutes):
            made, left = _add_all(teller(options))
        if options.json:
            print_json({"made": made, "left": left})
        else:
            print(
                f"{len(made)} parts finished, {len(left)} left{': run the same command again to continue' * bool(left)}"
            )
        return
    run = open_run(options.run)
    kind = kind_of(run)
    if kind.survey is None:
        raise RunError(
            f"The run {run.name!r} {kind.refusals.get('survey', f'cannot be surveyed, because it {kind.says}')}."
        )
    run = kind.survey(run, teller(options))
    if options.json:
        print_json({"run": run.name, "epochs": run.surveyed})
    else:
        print(f"{run.name}: surveyed{' at epochs ' * bool(run.surveyed)}{', '.join(map(str, run.surveyed))}")


def _add_all(say: Callable[[str], None]) -> tuple[list[str], list[str]]:
    """Add what runs lack until the time is over; return what was made, and what is left, ``"RUN: part"`` each.

    The first part of every run comes before the second of any. Each is in its place as soon as it is made.
    """
    wanted = sorted(
        (place, -_worth(run), name, part)
        for name, run in list_runs()[0].items()
        for place, part in enumerate(kind_of(run).surveys)
        if part.lacks(run)
    )
    names, made = [f"{name}: {part.title}" for _, _, name, part in wanted], []
    for title, (_, _, name, part) in zip(names, wanted, strict=True):
        try:
            check_time()
        except OutOfTimeError:
            break
        say(title)
        try:
            part.make(open_run(name), say)
        except (RunError, DataError) as error:
            say(str(error))
        else:
            made.append(title)
    return made, [title for title in names if title not in made]


def _worth(run: Run) -> int:
    """Return what a run's recipe is worth; 0 of a run that no recipe of the project makes."""
    from nlpviz.training.recipes import recipes

    recipe = recipes().get(run.name)
    return recipe.worth if recipe else 0


COMMAND = Command(
    "survey",
    "survey a run on its test documents: predictions, n-grams and filters, attention or units",
    _add_arguments,
    _run,
)
