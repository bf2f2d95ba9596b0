"""``predict RUN --texts FILE --out FILE``: the class of every text of a file, with the probabilities of all."""

from __future__ import annotations

import argparse

from nlpviz.commands import Command, run_for
from nlpviz.commands.bulk import add_run_and_file, answer


def _run(options: argparse.Namespace) -> None:
    answer(run_for("predict", options.run), "predict", options)


COMMAND = Command("predict", "predict classes for a file of texts of any size", add_run_and_file, _run)
