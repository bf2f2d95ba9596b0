"""``copy RUN FOLDER``: a run that needs no other one."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpviz.commands import Command, UsageError, add_run, print_json
from nlpviz.runs import open_run


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("folder", type=Path, help="folder to copy the run to")


def _run(options: argparse.Namespace) -> None:
    from nlpviz.runs.sharing import copied

    run = open_run(options.run)
    try:
        copy = copied(run, options.folder / run.name)
    except OSError as error:
        raise UsageError(f"{options.folder / run.name} cannot be written ({type(error).__name__}).") from None
    if options.json:
        print_json({"folder": str(copy.folder), "stored_bytes": copy.stored_bytes, "files": list(copy.files)})
        return
    print(f"{copy.folder} contains all files of {run.name}.")


COMMAND = Command("copy", "copy a run into a self-contained folder", _add_arguments, _run)
