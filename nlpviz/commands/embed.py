"""``embed RUN --texts FILE --out FILE``: the document embedding of every text of a file."""

from __future__ import annotations

import argparse

from nlpviz.commands import Command, run_for
from nlpviz.commands.bulk import add_run_and_file, answer


def _run(options: argparse.Namespace) -> None:
    answer(run_for("embed", options.run), "embed", options)


COMMAND = Command(
    "embed", "compute the document embedding of every text of a file of any length", add_run_and_file, _run
)
