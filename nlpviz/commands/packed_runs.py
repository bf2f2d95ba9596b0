"""Runs fitted from a pack, on a machine without a corpus, and finished where the corpora are."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from pathlib import Path

from nlpviz.commands import say
from nlpviz.commands.all_runs import JUDGE, report
from nlpviz.data import DataError
from nlpviz.runs import Run, RunError, root
from nlpviz.runs.own_corpora import UNFINISHED
from nlpviz.training import Options, Recipe, Stages, TrainingError
from nlpviz.training.bounds import OutOfTimeError, concluding, minutes, rehearsal, seconds_left
from nlpviz.training.bundling import bundle, copy_fitted, open_bundles
from nlpviz.training.classifier import ClassifierSettings, lightened
from nlpviz.training.fleet import SWEEP, Sweep, in_order, make_all
from nlpviz.training.jobs import Process, shared_gpu, this_program
from nlpviz.training.packing import RUNS, Pack, open_pack, packed_arrays, runs_in, stages_of
from nlpviz.training.parts import MIB
from nlpviz.training.plan import begins, by_gain, planned
from nlpviz.training.recipes import recipes
from nlpviz.training.sitting import CPU, GPU, Fitting, Hands, Sitting
from nlpviz.training.state import STATE

_HEAVY = 24 * MIB
"""Of a classifier's weights: more of them do not come back when only some of its epochs are kept."""
_LOGS = ".logs"  # in the folder of the runs
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Room:
    """How much is done at once, and where the bundles go.

    Attributes:
        processes: that fit, each a recipe; with one, this process fits.
        out: a folder for the bundles; None for that of the pack.
    """

    processes: int = 1
    out: Path | None = None


def train_packed(folder: Path, options: Options, room: Room = Room()) -> None:
    """Fit the recipes of the pack in ``folder``, without a corpus, those first that gain most a second; bundle all.

    Every finished run is bundled at once, and in the end what has a best epoch by then.
    """
    packed = open_pack(folder)
    every = _in_pack(packed, folder)
    device = _device(options.device)
    gpu: AbstractContextManager[dict[str, str]] = (
        shared_gpu() if device == GPU and room.processes > 1 else nullcontext({})
    )
    with runs_in(folder / RUNS), rehearsal(packed.share), gpu as environment:
        sweep = Sweep(root() / SWEEP, JUDGE)
        worthy = in_order({recipe.name: recipe for recipe in every}, lambda recipe: planned(recipe).gain, begins)

        def bring() -> None:
            fitted = [Run.open(root() / recipe.name) for recipe in worthy if recipe.name in sweep.outcomes]
            bundled.append(bundle(fitted, packed.share, room.out or folder, folder))

        bundled: list[tuple[list[Path], list[str]]] = []
        workers = _Processes(folder, options, environment) if room.processes > 1 else _Here(folder, options, sweep)
        hands = Hands(workers.begin, lambda: sweep.outcomes, _has_left, _places(device, room), workers.why, say, bring)
        sitting = Sitting(every, hands, seconds_left())
        sitting.hold()
        _say_bundled(*bundled[-1] if bundled else ([], []))
        report(every, sweep.outcomes, sitting.wrong)


def fit_packed(folder: Path, name: str, options: Options) -> None:
    """Fit one recipe of the pack in ``folder``; where the time ends it, with the epochs that it has by then."""
    packed = open_pack(folder)
    if name not in packed.reads:
        raise TrainingError(f"The pack in {folder} is not for {name}: it is for {', '.join(packed.reads)}.")
    with runs_in(folder / RUNS), rehearsal(packed.share):
        Sweep(root() / SWEEP, JUDGE).make(_fitted_from(folder, recipes()[name]), options)


def _in_pack(packed: Pack, folder: Path) -> list[Recipe]:
    known = recipes()
    unknown = sorted(packed.reads.keys() - known.keys())
    if unknown:
        raise TrainingError(f"The pack in {folder} is for other recipes: nobody knows {', '.join(unknown)}.")
    return by_gain({name: known[name] for name in packed.reads})


def _device(asked: str) -> str:
    """Return the kind of device that is asked for; a GPU is not touched where it is named."""
    if asked != "auto":
        return asked
    import torch

    return GPU if torch.cuda.is_available() else CPU


def _places(device: str, room: Room) -> dict[str, int]:
    """Return how many jobs each device takes: beside a GPU, as many on the CPU as cores are left."""
    if device == GPU:
        return {GPU: room.processes, CPU: max((os.cpu_count() or 1) - room.processes, 1)}
    return {CPU: room.processes}


def _has_left(recipe: Recipe) -> bool:
    return (root() / UNFINISHED / recipe.name / STATE).exists()


def _say_bundled(parts: Sequence[Path], rest: Sequence[str]) -> None:
    for part in parts:
        say(f"{part}: {part.stat().st_size:,} bytes")
    if rest:
        say(f"More than comes back at once, so in bundle-rest-01.zip and so on: {', '.join(rest)}.")


@dataclass
class _Here:
    """Fits recipes in this process, one after the other."""

    folder: Path
    options: Options
    sweep: Sweep
    _why: dict[str, str] = field(default_factory=dict)

    def begin(self, recipe: Recipe, device: str, seconds: float) -> Fitting:
        """Fit a recipe, and return a job that has ended."""
        self._why.pop(recipe.name, None)
        try:
            with minutes(None if seconds == inf else seconds / 60):
                self.sweep.make(_fitted_from(self.folder, recipe), replace(self.options, device=device))
        except OutOfTimeError:
            pass
        except (TrainingError, DataError, RunError) as error:
            self._why[recipe.name] = str(error)
        return _Ended()

    def why(self, recipe: Recipe) -> str:
        """Return what went wrong with a recipe; empty where its time was over."""
        return self._why.get(recipe.name, "")


class _Ended:
    """A job that has ended."""

    def running(self) -> bool:
        """Return that it is not at work."""
        return False

    def stop(self) -> None:
        """Leave it as it is."""


@dataclass(frozen=True)
class _Processes:
    """Fits each recipe in a process of its own."""

    folder: Path
    options: Options
    environment: dict[str, str]

    def begin(self, recipe: Recipe, device: str, seconds: float) -> Fitting:
        """Begin to fit a recipe."""
        command = [*this_program(), "train", recipe.name, "--packed", str(self.folder), "--device", device]
        command += ["--minutes", f"{seconds / 60:.4f}"] if seconds < inf else []
        command += ["--epochs", f"{self.options.epochs}"] if self.options.epochs is not None else []
        return Process(command, self._log(recipe), {**self.environment, **_ONE_THREAD})

    def why(self, recipe: Recipe) -> str:
        """Return the last line that a recipe's process said; empty where its time was over."""
        lines = self._log(recipe).read_text(encoding="utf-8", errors="replace").strip().splitlines()
        last = lines[-1] if lines else "Its process said nothing."
        return "" if last.endswith(str(OutOfTimeError())) else last.removeprefix("nlpviz: ")

    def _log(self, recipe: Recipe) -> Path:
        return self.folder / RUNS / _LOGS / f"{recipe.name}.log"


def _fitted_from(folder: Path, recipe: Recipe) -> Recipe:
    """Return the recipe that fits from a pack and leaves the rest to :func:`unpack`.

    The manifest says after how many of its epochs a training was stopped.
    """
    stages = stages_of(recipe)

    def make(target: Path, options: Options) -> None:
        with concluding() as conclusion:
            stages.fit(packed_arrays(folder, stages.reads), target, options)
        run = Run.open(target)
        if isinstance(recipe.settings, ClassifierSettings):
            run = lightened(run, _HEAVY)
        if conclusion.stopped is not None:
            replace(run, recipe={**run.recipe, "stopped": conclusion.stopped._asdict()}).write()

    return replace(recipe, make=make)


def unpack(folder: Path, options: Options, finish: Callable[[Run], object], processes: int = 1) -> None:
    """Finish the fitted runs that came back in ``folder``, and put each in place, or aside if it got worse.

    Those of a rehearsal stay in ``folder``. Each is in place as soon as it is finished.
    """
    returned = open_bundles(folder)
    known = recipes()
    ordered = in_order({name: known[name] for name in returned.folders})  # a mixture is measured after what it mixes
    every = [_finished_from(returned.folders[recipe.name], recipe) for recipe in ordered]
    sweep = Sweep(folder / ".unpacked.json", JUDGE)
    runs = root() if returned.share == 1 else folder / "rehearsed"
    others = [_another(folder, options, number) for number in range(1, processes)]
    with runs_in(runs), rehearsal(returned.share):
        wrong = make_all(every, sweep, lambda recipe: sweep.make(recipe, options, finish))
    for other in others:
        other.wait()
    report(every, sweep.outcomes, wrong | dict.fromkeys(returned.incomplete, "A part of it did not come back."))


def _another(folder: Path, options: Options, number: int) -> Process:
    """Begin a process that finishes runs of the same folder: each takes what no other one is at."""
    command = [*this_program(), "unpack", str(folder), "--device", options.device]
    if (seconds := seconds_left()) < inf:
        command += ["--minutes", f"{seconds / 60:.4f}"]
    return Process(command, folder / f".unpack-{number}.log", _ONE_THREAD)


def _finished_from(fitted: Path, recipe: Recipe) -> Recipe:
    """Return the recipe that finishes a fitted run, whatever became of those that it was fitted after."""
    return replace(recipe, make=partial(_finish_fitted, fitted, stages_of(recipe)), needs=())


def _finish_fitted(fitted: Path, stages: Stages, target: Path, options: Options) -> None:
    copy_fitted(fitted, target)
    stages.finish(target, options)
