"""``pack FOLDER``: what trainings need of the corpora, for another machine."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpviz.commands import Command, named, say


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="new folder for the pack")
    parser.add_argument("recipes", nargs="*", metavar="RECIPE", help="recipe to pack (default: every committed recipe)")
    parser.add_argument(
        "--share", type=_share, default=1.0, help="share of each corpus to pack, for a trial run (default: 1)"
    )


def _share(value: str) -> float:
    """Return a share of a corpus."""
    share = float(value)
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError("must be greater than 0 and at most 1")
    return share


def _run(options: argparse.Namespace) -> None:
    from nlpviz.commands.all_runs import committed
    from nlpviz.training import Options
    from nlpviz.training.packing import pack
    from nlpviz.training.recipes import recipes

    known = recipes()
    wanted = [named(known, name, "recipe") for name in options.recipes] or committed()
    for part in pack(wanted, options.folder, Options(say=say), options.share):
        print(f"{part}: {part.stat().st_size:,} bytes")
    for recipe in wanted:
        if recipe.stages is None:
            say(
                f"{recipe.name} cannot be packed. Train it on the machine with its corpus: `python -m nlpviz train "
                f"{recipe.name}`."
            )


COMMAND = Command("pack", "pack the training data, to fit runs on another machine", _add_arguments, _run)
