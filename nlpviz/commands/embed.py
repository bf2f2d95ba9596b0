"""``embed RUN --texts FILE --out FILE``: the document embedding of every text of a file."""

from __future__ import annotations

import argparse

from nlpviz.commands import Command, add_run, run_for
from nlpviz.commands.bulk import add_file, answer


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("--epoch", type=int, help="default: the best epoch")
    parser.add_argument("--text", metavar="COLUMN", help="of the texts (default: guessed)")
    add_file(parser, required=True)


def _run(options: argparse.Namespace) -> None:
    answer(run_for("embed", options.run), "embed", options)


COMMAND = Command("embed", "compute the document embedding of every text of a file of any length", _add_arguments, _run)
