"""``seeds RUN``: train a classifier's recipe from more seeds, and keep vectors and answers of the test texts alone.

They say what of a run is the chance of its seed. Without ``--seed`` it tells which seeds there are.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, add_run, named, positive, print_json, run_for, teller
from nlpviz.commands.as_json import as_json
from nlpviz.training import DEVICES, Options

if TYPE_CHECKING:
    from nlpviz.results.seeds import SeedAnswers
    from nlpviz.runs import Run


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("--seed", type=int, action="append", default=[], help="seed to train with; may be repeated")
    parser.add_argument("--epochs", type=positive, help="maximum number of epochs (default: set by the recipe)")
    parser.add_argument("--device", default="auto", choices=DEVICES, help="device to train on (default: auto)")


def _run(options: argparse.Namespace) -> None:
    from nlpviz.runs.more_seeds import more_seeds

    run = run_for("seeds", options.run)
    for seed in dict.fromkeys(options.seed):
        run = _train(run, seed, options)
    facts = _facts(run, more_seeds(run))
    if options.json:
        print_json(facts)
        return
    print(f"{run.name}: seed {run.seed} (the run itself), epoch {run.best_epoch}")
    for one in facts["seeds"]:
        print(
            f"  seed {one['seed']}, epoch {one['epoch']}: validation {one['validation_accuracy']:.2%}, "
            f"test {one['accuracy']:.2%}; {one['seconds']:,.0f} s, {one['device']}"
        )
    if not facts["seeds"]:
        print(f"  no other seeds stored: train one with `python -m nlpviz seeds {run.name} --seed {run.seed + 2}`")


def _train(run: Run, seed: int, options: argparse.Namespace) -> Run:
    """Return the run once what ``seed`` said is kept with it."""
    from nlpviz.runs.more_seeds import more_seeds, write_seeds
    from nlpviz.runs.own_corpora import UNFINISHED
    from nlpviz.training.produce import writing
    from nlpviz.training.recipes import recipes
    from nlpviz.training.seeds import train_seed

    folder = run.folder.parent / UNFINISHED / f"{run.name}-of-seed-{seed}"
    aside = redirect_stdout(io.StringIO() if options.json else sys.stderr)  # the loop tells of its epochs
    with writing(run.folder.parent), aside:
        said = Options(options.device, options.epochs, say=teller(options))
        new = train_seed(named(recipes(), run.name, "recipe"), seed, run, folder, said)
        others = [one for one in more_seeds(run) if one.seed != seed]
        run = write_seeds(run, sorted([*others, new], key=lambda one: one.seed))
        shutil.rmtree(folder)
    return run


def _facts(run: Run, found: tuple[SeedAnswers, ...]) -> dict[str, Any]:
    from nlpviz.runs.predictions import predictions_of

    return {
        "run": run.name,
        "seed": run.seed,
        "seeds": [
            {
                **as_json(one, "seed", "epoch", "validation_accuracy"),
                "accuracy": (one.predicted.classes == predictions_of(run).labels).mean(),
                **as_json(one, "seconds", "device"),
            }
            for one in found
        ],
    }


COMMAND = Command(
    "seeds", "train a recipe with additional seeds and store their embeddings and predictions", _add_arguments, _run
)
