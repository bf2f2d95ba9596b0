"""``train RECIPE``."""

from __future__ import annotations

import argparse

from nlpviz.commands import Command, named, positive, say
from nlpviz.commands.runs import row
from nlpviz.kinds import kind_of
from nlpviz.runs import Run
from nlpviz.training import DEVICES, Options
from nlpviz.training.recipes import recipes


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recipe", help="for example imdb-cnn")
    parser.add_argument("--device", default="auto", choices=DEVICES)
    parser.add_argument("--epochs", type=positive, help="at most so many (default: the recipe's number)")
    parser.add_argument(
        "--vectors", default="", metavar="RUN", help="a run of word vectors that a classifier starts from"
    )


def _run(asked: argparse.Namespace) -> None:
    from nlpviz.training.produce import produce

    recipe = named(recipes(), asked.recipe, "recipe")
    run = produce(recipe, Options(asked.device, asked.epochs, asked.vectors, say), _finish)
    if run is not None:  # under a launcher the first process speaks for all
        print(row(run))


def _finish(run: Run) -> None:
    """Add what its kind reads off a trained run."""
    kind_of(run).finish(run, say)


COMMAND = Command("train", "make a run from its recipe, or go on with a stopped training", _add_arguments, _run)
