"""Who fits the recipes of a pack: this process, one after the other, or a process for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path

from nlpviz.data import DataError
from nlpviz.runs import Run, RunError
from nlpviz.training import Options, Recipe, TrainingError
from nlpviz.training.bounds import OutOfTimeError, concluding, minutes
from nlpviz.training.fleet import Sweep
from nlpviz.training.jobs import ONE_THREAD, Process, this_program
from nlpviz.training.packing import RUNS, packed_arrays, stages_of
from nlpviz.training.parts import MIB
from nlpviz.training.sitting import RecipeJob

HEAVY = 24 * MIB
"""Of a classifier's weights: more of them do not come back when only some of its epochs are kept."""
_LOGS = ".logs"  # in the folder of the runs


@dataclass
class Here:
    """Fits recipes in this process, one after the other."""

    folder: Path
    options: Options
    sweep: Sweep
    _why: dict[str, str] = field(default_factory=dict)

    def begin(self, recipe: Recipe, device: str, seconds: float) -> RecipeJob:
        """Fit a recipe, and return a job that has ended."""
        self._why.pop(recipe.name, None)
        try:
            with minutes(None if seconds == inf else seconds / 60):
                self.sweep.make(fitted_from(self.folder, recipe), replace(self.options, device=device))
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
class Processes:
    """Fits each recipe in a process of its own.

    Attributes:
        folder: of the pack.
        options: what a person asked for.
        environment: by which a process finds the GPU that it shares; empty where it shares none.
        awaited: recipes that others begin with: their kernels go first.
    """

    folder: Path
    options: Options
    environment: Mapping[str, str]
    awaited: frozenset[str]

    def begin(self, recipe: Recipe, device: str, seconds: float) -> RecipeJob:
        """Begin to fit a recipe."""
        command = [*this_program(), "train", recipe.name, "--packed", str(self.folder), "--device", device]
        command += ["--minutes", f"{seconds / 60:.4f}"] if seconds < inf else []
        command += ["--epochs", f"{self.options.epochs}"] if self.options.epochs is not None else []
        rank = {"CUDA_MPS_CLIENT_PRIORITY": "0" if recipe.name in self.awaited else "1"} if self.environment else {}
        return Process(command, self._log(recipe), {**self.environment, **rank, **ONE_THREAD})

    def why(self, recipe: Recipe) -> str:
        """Return the last line that a recipe's process said; empty where its time was over."""
        lines = self._log(recipe).read_text(encoding="utf-8", errors="replace").strip().splitlines()
        last = lines[-1] if lines else "The training process reported no error."
        return "" if last.endswith(str(OutOfTimeError())) else last.removeprefix("nlpviz: ")

    def _log(self, recipe: Recipe) -> Path:
        return self.folder / RUNS / _LOGS / f"{recipe.name}.log"


def fitted_from(folder: Path, recipe: Recipe) -> Recipe:
    """Return the recipe that fits from a pack and leaves the rest to ``unpack``.

    The manifest says after how many of its epochs a training was stopped.
    """
    from nlpviz.training.classifier import ClassifierSettings, lightened

    stages = stages_of(recipe)

    def make(target: Path, options: Options) -> None:
        with concluding() as conclusion:
            stages.fit(packed_arrays(folder, recipe, options), target, options)
        run = Run.open(target)
        if isinstance(recipe.settings, ClassifierSettings):
            run = lightened(run, HEAVY)
        if conclusion.stopped is not None:
            replace(run, recipe={**run.recipe, "stopped": conclusion.stopped._asdict()}).write()

    return replace(recipe, make=make)
