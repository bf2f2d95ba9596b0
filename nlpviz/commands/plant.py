"""``plant RUN``: train a classifier's recipe with some labels flipped, and ask whether rankings of suspects find them.

What was found is kept with the run; the weights of that training are not.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, add_run, named, positive, print_json, run_for, teller
from nlpviz.commands.as_json import as_json
from nlpviz.training import DEVICES, Options

if TYPE_CHECKING:
    from nlpviz.results.planted import PlantedFlips


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("--share", type=float, default=0.05, help="share of the labels to flip (default: 0.05)")
    parser.add_argument("--seed", type=int, default=0, help="seed for choosing the flipped labels (default: 0)")
    parser.add_argument("--epochs", type=positive, help="maximum number of epochs (default: set by the recipe)")
    parser.add_argument(
        "--moments", type=positive, default=4, help="number of evaluations on all documents per epoch (default: 4)"
    )
    parser.add_argument("--device", default="auto", choices=DEVICES, help="device to train on (default: auto)")


def _run(options: argparse.Namespace) -> None:
    from nlpviz.run_kinds.influence import RANKED_BESIDES
    from nlpviz.runs.own_corpora import UNFINISHED
    from nlpviz.runs.planted import write_planted
    from nlpviz.training.planted import Planting, plant
    from nlpviz.training.produce import writing
    from nlpviz.training.recipes import recipes

    run = run_for("plant", options.run)
    recipe = named(recipes(), run.name, "recipe")
    folder = run.folder.parent / UNFINISHED / f"{run.name}-planted"
    settings = Options(options.device, options.epochs, say=teller(options))
    aside = redirect_stdout(io.StringIO() if options.json else sys.stderr)  # the loop tells of its epochs
    with writing(run.folder.parent), aside:
        flips = plant(recipe, Planting(options.share, options.seed, options.moments), folder, settings, RANKED_BESIDES)
        write_planted(run, replace(flips, run=run.name))
        shutil.rmtree(folder)
    if options.json:
        print_json(_facts(flips))
        return
    from nlpviz.results.planted import RANKINGS, TOP

    print(
        f"{run.name}: {len(flips.ids):,} of {flips.documents:,} labels flipped; share found among the "
        f"top {TOP:.0%} of suspected label errors"
    )
    for name in flips.rankings:
        found = flips.found(name)
        print(f"  {found.share:6.1%} ({found.interval.low:.1%} to {found.interval.high:.1%}) by {RANKINGS[name]}")
    print(f"  {TOP:6.1%} by chance")


def _facts(flips: PlantedFlips) -> dict[str, Any]:
    from nlpviz.results.planted import TOP

    return {
        "run": flips.run,
        "flipped": len(flips.ids),
        **as_json(flips, "documents", "seed", "moments"),
        "validation_accuracy": flips.accuracy,
        "top": TOP,
        "found": {name: flips.found(name)._asdict() for name in flips.rankings},
    }


COMMAND = Command(
    "plant", "flip some labels, train, and measure how many flipped labels are found", _add_arguments, _run
)
