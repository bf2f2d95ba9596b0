"""``share [FOLDER …]``: what several runs have in common is stored once."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpviz.commands import Command, add_json, print_json
from nlpviz.runs import list_runs, root, roots
from nlpviz.runs.budget import MIB, TOGETHER


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folders",
        nargs="*",
        type=Path,
        metavar="FOLDER",
        help="run folder to move into the runs folder first",
    )
    add_json(parser)


def _run(options: argparse.Namespace) -> None:
    from nlpviz.runs.sharing import bring, share

    for folder in options.folders:
        bring(folder.resolve(), root())
    problems = [problem for folder in roots() if folder.is_dir() for problem in share(folder)]
    sizes = {name: run.stored_bytes for name, run in list_runs()[0].items()}
    together = sum(sizes.values())
    if options.json:
        print_json({"runs": sizes, "stored_bytes": together, "budget": TOGETHER, "problems": problems})
        return
    for name, size in sizes.items():
        print(f"{size / MIB:7.2f} MiB  {name}")
    print(f"{together / MIB:7.2f} MiB  of {TOGETHER // MIB} MiB")
    for problem in problems:
        print(problem)


COMMAND = Command("share", "store each file shared by several runs only once", _add_arguments, _run)
