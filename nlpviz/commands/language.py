"""What the commands that ask language models have in common."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlpviz.commands import run_for
from nlpviz.run_kinds import UsageError
from nlpviz.runs import Run
from nlpviz.runs.language import counts_ngrams

if TYPE_CHECKING:
    from nlpviz.language.surprisal import Asked


def add_epoch(parser: argparse.ArgumentParser) -> None:
    """Let a command take an epoch."""
    parser.add_argument("--epoch", type=int, help="epoch of a network’s checkpoint (default: the best epoch)")


def language_model(command: str, options: argparse.Namespace) -> Asked:
    """Return the model that was asked for, opened.

    Raises:
        RunError: if there is no such run, or no such epoch.
        UsageError: if it is no language model, or an epoch was asked of counts.
    """
    run: Run = run_for(command, options.run)
    if options.epoch is not None:
        if counts_ngrams(run):
            raise UsageError(f"{run.name} is an n-gram model, so it has no epochs.")
        run.check_epoch(options.epoch)  # before torch is loaded
    from nlpviz.language.surprisal import opened

    return opened(run, options.epoch)
