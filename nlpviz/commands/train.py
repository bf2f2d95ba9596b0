"""``train RECIPE``, ``train --all``, or ``train NAME --texts FILE`` for user data."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpviz.commands import Command, UsageError, named, positive, say
from nlpviz.commands.own_training import add_own, check_own, is_own, train_own
from nlpviz.commands.runs import row
from nlpviz.run_kinds import after_training, kind_of
from nlpviz.runs import Run
from nlpviz.training import DEVICES, Options
from nlpviz.training.recipes import recipes


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "recipe",
        nargs="?",
        help="recipe to train, for example imdb-cnn; or a name for the run on your own texts, or a recipe file (.toml)",
    )
    parser.add_argument(
        "--all", action="store_true", help="train a run for every committed recipe, or resume an interrupted sweep"
    )
    parser.add_argument("--device", default="auto", choices=DEVICES, help="device to train on (default: auto)")
    parser.add_argument("--epochs", type=positive, help="maximum number of epochs (default: set by the recipe)")
    parser.add_argument(
        "--vectors",
        default="",
        metavar="RUN",
        help="word-vector run that initialises a classifier; for your own texts, also none or own (trained first)",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        help="time limit in minutes; an epoch that would exceed it is not started; with --packed, each run "
        "contains the epochs completed by then",
    )
    parser.add_argument(
        "--packed", type=Path, metavar="FOLDER", help="fit from a folder written by `pack`, without a corpus"
    )
    parser.add_argument(
        "--processes", type=positive, default=1, help="with --packed: number of recipes fitted in parallel"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="with --packed: folder for the bundles (default: the pack’s folder)"
    )
    add_own(parser)


def _run(options: argparse.Namespace) -> None:
    from nlpviz.training.bounds import minutes

    check_own(options)
    if options.all == bool(options.recipe) or (options.vectors and (options.all or options.packed)):
        raise UsageError("Name a recipe or use --all; --vectors cannot be combined with --all or --packed.")
    if not (options.packed and options.all) and (options.processes > 1 or options.out):
        raise UsageError("--processes and --out need --all and --packed.")
    with minutes(options.minutes):
        if is_own(options):
            train_own(options, finish)
        elif options.packed:
            _train_packed(options)
        elif options.all:
            from nlpviz.commands.all_runs import train_all

            train_all(Options(options.device, options.epochs, say=say), finish)
        else:
            _train(options)


def _train(options: argparse.Namespace) -> None:
    from nlpviz.training.produce import produce

    recipe = named(recipes(), options.recipe, "recipe")
    run = produce(recipe, Options(options.device, options.epochs, options.vectors, say), finish)
    if run is not None:  # under a launcher the first process speaks for all
        print("\n".join([*after_training.said(Run.open(run.folder)), row(run)]))


def _train_packed(options: argparse.Namespace) -> None:
    from nlpviz.commands.packed_runs import fit_packed, train_packed

    settings = Options(options.device, options.epochs, say=say)
    if options.all:
        train_packed(options.packed, settings, options.processes, options.out)
    else:
        fit_packed(options.packed, named(recipes(), options.recipe, "recipe").name, settings)


def finish(run: Run) -> None:
    """Add what its kind reads off a trained run."""
    kind_of(run).finish(run, say)


COMMAND = Command("train", "train a model from its recipe, or resume an interrupted training run", _add_arguments, _run)
