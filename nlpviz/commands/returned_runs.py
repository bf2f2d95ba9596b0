"""Runs that were fitted on another machine, finished where the corpora are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path

from nlpviz.commands.all_runs import JUDGE, report
from nlpviz.runs import Run, root
from nlpviz.training import Options, Recipe, Stages
from nlpviz.training.bounds import rehearsal, seconds_left
from nlpviz.training.bundling import copy_fitted, open_bundles
from nlpviz.training.fleet import Sweep, in_order, make_all
from nlpviz.training.jobs import ONE_THREAD, Process, this_program
from nlpviz.training.packing import runs_in, stages_of
from nlpviz.training.plan import planned
from nlpviz.training.recipes import recipes


def unpack(folder: Path, options: Options, finish: Callable[[Run], object], processes: int = 1) -> None:
    """Finish the fitted runs that came back in ``folder``, and put each in place, or aside if it got worse.

    Those of a rehearsal stay in ``folder``, and are compared with runs of the same rehearsal alone. Each is in place as
    soon as it is finished.
    """
    if processes > 1:
        import torch

        torch.set_num_threads(1)  # as the others: two threads here would wait for each other on a core too few
    returned = open_bundles(folder)
    known = recipes()
    came = {name: known[name] for name in returned.folders}
    ordered = in_order(came, lambda recipe: planned(recipe).gain)  # a mixture is measured after what it mixes
    every = [_finished_from(returned.folders[recipe.name], recipe) for recipe in ordered]
    sweep = Sweep(folder / ".unpacked.json", JUDGE)
    runs = root() if returned.share == 1 else folder / "rehearsed"
    others = [_another(folder, options, number) for number in range(1, processes)]
    with runs_in(runs), rehearsal(returned.share):
        wrong = make_all(every, sweep, lambda recipe: sweep.make(recipe, options, finish))
    for other in others:
        other.wait()
    report(every, sweep.outcomes, wrong | dict.fromkeys(returned.incomplete, "Part of the bundle is missing."))


def _another(folder: Path, options: Options, number: int) -> Process:
    """Begin a process that finishes runs of the same folder: each takes what no other one is at."""
    command = [*this_program(), "unpack", str(folder), "--device", options.device]
    if (seconds := seconds_left()) < inf:
        command += ["--minutes", f"{seconds / 60:.4f}"]
    return Process(command, folder / f".unpack-{number}.log", ONE_THREAD)


def _finished_from(fitted: Path, recipe: Recipe) -> Recipe:
    """Return the recipe that finishes a fitted run, whatever became of those that it was fitted after."""
    return replace(recipe, make=partial(_finish_fitted, fitted, stages_of(recipe)), needs=())


def _finish_fitted(fitted: Path, stages: Stages, target: Path, options: Options) -> None:
    copy_fitted(fitted, target)
    stages.finish(target, options)
