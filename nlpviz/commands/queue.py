"""``queue``: works off the trainings that the page Your texts was asked for, one after the other."""

from __future__ import annotations

import argparse

from nlpviz.commands import Command, say


def _add_arguments(_: argparse.ArgumentParser) -> None:
    """Take none."""


def _run(_: argparse.Namespace) -> None:
    from nlpviz.training.queue import work_off

    count = work_off()
    say(f"{count:,} training run{'s' * (count != 1)} finished." if count else "No training run is queued.")


COMMAND = Command("queue", 'start the training runs queued on the page "Your texts"', _add_arguments, _run)
