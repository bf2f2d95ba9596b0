"""``embed RUN --texts FILE --out FILE``: the document embedding of every text of a file."""

from __future__ import annotations

import argparse

from nlpviz.commands import Command, run_for
from nlpviz.commands.bulk import add_run_and_file, answer


def _run(options: argparse.Namespace) -> None:
    answer(run_for("embed", options.run), "embed", options)


COMMAND = Command("embed", "compute document embeddings for a file of texts of any size", add_run_and_file, _run)
