"""Runs fitted from a pack, on a machine without a corpus, and bundled for their way back."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from nlpviz.commands import say
from nlpviz.commands.all_runs import JUDGE, report
from nlpviz.commands.packed_workers import Here, Processes, fitted_from
from nlpviz.runs import Run, root
from nlpviz.runs.own_corpora import STATE, UNFINISHED
from nlpviz.training import Options, Recipe, TrainingError
from nlpviz.training.bounds import rehearsal, seconds_left
from nlpviz.training.bundling import bundle
from nlpviz.training.fleet import SWEEP, Sweep, in_order
from nlpviz.training.jobs import shared_gpu
from nlpviz.training.packing import RUNS, Pack, open_pack, runs_in
from nlpviz.training.plan import begins, by_gain, planned
from nlpviz.training.recipes import recipes
from nlpviz.training.sitting import CPU, GPU, Hands, Sitting


def train_packed(folder: Path, options: Options, processes: int = 1, out: Path | None = None) -> None:
    """Fit the recipes of the pack in ``folder``, without a corpus, those first that gain most a second; bundle all.

    Every finished run is bundled at once, and in the end what has a best epoch by then.

    Args:
        folder: of the pack.
        options: of the training.
        processes: that fit at once, each a recipe; with one, this process fits.
        out: a folder for the bundles; None for that of the pack.
    """
    packed = open_pack(folder)
    every = _in_pack(packed, folder)
    device = _device(options.device)
    gpu: AbstractContextManager[dict[str, str]] = shared_gpu() if device == GPU and processes > 1 else nullcontext({})
    with runs_in(folder / RUNS), rehearsal(packed.share), gpu as environment:
        sweep = Sweep(root() / SWEEP, JUDGE)
        worthy = in_order({recipe.name: recipe for recipe in every}, lambda recipe: planned(recipe).gain, begins)

        def bundle_all() -> None:
            fitted = [Run.open(root() / recipe.name) for recipe in worthy if recipe.name in sweep.outcomes]
            bundled.append(bundle(fitted, packed.share, out or folder, folder))

        bundled: list[tuple[list[Path], list[str]]] = []
        awaited = frozenset(need for recipe in every for need in begins(recipe))
        several = Processes(folder, options, environment, awaited)
        workers = several if processes > 1 else Here(folder, options, sweep)
        hands = Hands(
            workers.begin, lambda: sweep.outcomes, _has_left, _places(device, processes), workers.why, say, bundle_all
        )
        sitting = Sitting(every, hands, seconds_left())
        sitting.hold()
        _say_bundled(*bundled[-1] if bundled else ([], []))
        report(every, sweep.outcomes, sitting.wrong)


def fit_packed(folder: Path, name: str, options: Options) -> None:
    """Fit one recipe of the pack in ``folder``; where the time ends it, with the epochs that it has by then."""
    packed = open_pack(folder)
    if name not in packed.reads:
        raise TrainingError(f"The pack in {folder} does not contain {name}; it contains {', '.join(packed.reads)}.")
    with runs_in(folder / RUNS), rehearsal(packed.share):
        Sweep(root() / SWEEP, JUDGE).make(fitted_from(folder, recipes()[name]), options)


def _in_pack(packed: Pack, folder: Path) -> list[Recipe]:
    known = recipes()
    unknown = sorted(packed.reads.keys() - known.keys())
    if unknown:
        raise TrainingError(f"The pack in {folder} contains unknown recipes: {', '.join(unknown)}.")
    return by_gain({name: known[name] for name in packed.reads})


def _device(asked: str) -> str:
    """Return the kind of device that is asked for; a GPU is not touched where it is named."""
    if asked != "auto":
        return asked
    import torch

    return GPU if torch.cuda.is_available() else CPU


def _places(device: str, processes: int) -> dict[str, int]:
    """Return how many jobs each device takes: beside a GPU, as many on the CPU as cores are left."""
    if device == GPU:
        return {GPU: processes, CPU: max((os.cpu_count() or 1) - processes, 1)}
    return {CPU: processes}


def _has_left(recipe: Recipe) -> bool:
    return (root() / UNFINISHED / recipe.name / STATE).exists()


def _say_bundled(parts: Sequence[Path], rest: Sequence[str]) -> None:
    for part in parts:
        say(f"{part}: {part.stat().st_size:,} bytes")
    if rest:
        say(f"Stored in bundle-rest-01.zip and further parts, because of the size limit per file: {', '.join(rest)}.")
