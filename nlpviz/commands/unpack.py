"""``unpack FOLDER``: finish the runs that were fitted on another machine."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpviz.commands import Command, positive, say
from nlpviz.run_kinds import kind_of
from nlpviz.runs import Run
from nlpviz.training import DEVICES, Options


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="folder of the bundles written by `train --all --packed`")
    parser.add_argument("--device", default="auto", choices=DEVICES, help="device to use (default: auto)")
    parser.add_argument("--processes", type=positive, default=1, help="number of runs finished in parallel")
    parser.add_argument("--minutes", type=float, help="do not start another run after this many minutes")


def _run(options: argparse.Namespace) -> None:
    from nlpviz.commands.returned_runs import unpack
    from nlpviz.training.bounds import minutes

    with minutes(options.minutes):
        unpack(options.folder, Options(options.device, say=say), finish, options.processes)


def finish(run: Run) -> None:
    """Add what the pages of a run cannot do without; ``survey`` adds the rest, in its time."""
    kind = kind_of(run)
    (kind.essentials or kind.finish)(run, say)


COMMAND = Command(
    "unpack",
    "finish runs that were fitted on another machine: evaluate them, compute maps, and store them",
    _add_arguments,
    _run,
)
