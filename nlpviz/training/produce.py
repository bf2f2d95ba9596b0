"""From a recipe to a run in ``trained/``: made next to it, and moved there only when it is complete."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from pathlib import Path

from filelock import FileLock, Timeout
from safetensors import SafetensorError

from nlpviz.runs import Run, root
from nlpviz.runs.own_corpora import UNFINISHED
from nlpviz.runs.sharing import put_in_place
from nlpviz.training import Options, Recipe, TrainingError, accelerator_for


class BusyError(TrainingError):
    """A recipe that another process is at."""


def produce(
    recipe: Recipe,
    options: Options,
    finish: Callable[[Run], object] = lambda _: None,
    put: Callable[[Path, Path], Run] = put_in_place,
    runs: Path | None = None,
) -> Run | None:
    """Make the run of ``recipe`` and return it; the previous run stays until the new run is complete.

    A training that was stopped left its last finished epoch in ``trained/.unfinished`` and goes on from there.
    Under a launcher all processes take part, and all but the first return None.

    Args:
        recipe: how the run is made.
        options: what a person asked for.
        finish: adds to the made run before it is put in place; what is killed here goes on from here, too.
        put: puts the finished run, a folder, in the place that is its own, and returns it.
        runs: the folder of runs; None for that of the project's recipes.

    Raises:
        BusyError: if the same recipe is being trained already.
        TrainingError: if the disk is full, or the folder may not be written.
    """
    runs = runs or root()
    with writing(runs):
        folder = runs / UNFINISHED / recipe.name
        folder.mkdir(parents=True, exist_ok=True)
        return _produce(recipe, options, folder, finish, put)


def _produce(
    recipe: Recipe,
    options: Options,
    folder: Path,
    finish: Callable[[Run], object],
    put: Callable[[Path, Path], Run],
) -> Run | None:
    """Make the run of ``recipe`` in ``folder``, and put it in place beside the folder of unfinished ones."""
    import torch.distributed

    from nlpviz.training.devices import set_precision

    set_precision("highest")  # whatever the run before had
    launched = torch.distributed.is_torchelastic_launched()
    processes = accelerator_for(options.device).state if launched else None
    try:
        if processes:
            processes.wait_for_everyone()  # who has nothing to do would leave while others still connect to it
        if processes and not processes.is_main_process:
            if recipe.stages is not None:  # without them it is fitted in one go, by the first process
                quiet = Options(options.device, options.epochs, options.vectors)  # the first process speaks for all
                recipe.make(folder, quiet)
            return None
        with FileLock(folder.with_suffix(".lock"), timeout=0):
            recipe.make(folder, options)
            finish(Run.open(folder))
            return put(folder, folder.parents[1] / recipe.name)
    except Timeout:
        raise BusyError(f"{recipe.name} is being trained by another process; wait for it or stop it.") from None
    finally:
        if processes:
            processes.destroy_process_group()  # its threads, left to the end of Python, may abort the process


@contextmanager
def writing(runs: Path) -> Iterator[None]:
    """Say in a sentence why nothing more can be written into a folder of runs.

    What was written before is whole, so that a training goes on from there.

    Raises:
        TrainingError: if its disk is full, or it may not be written.
    """
    try:
        yield
    except (OSError, SafetensorError) as problem:
        number = getattr(problem, "errno", None)
        if number in (ENOSPC, EDQUOT) or "No space left" in str(problem):
            raise TrainingError(
                f"The disk with {runs} is full. Free some space and start again: training resumes from the last epoch."
            ) from None
        if number in (EACCES, EPERM, EROFS) or "Permission denied" in str(problem):
            raise TrainingError(
                f"{runs} is not writable. Set NLPVIZ_TRAINED to another folder or change its permissions."
            ) from None
        raise
