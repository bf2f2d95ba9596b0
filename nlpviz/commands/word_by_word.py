"""What commands on networks that read word by word share: which run is asked, and a language model for which words."""

from __future__ import annotations

import argparse

from nlpviz.commands import UsageError, run_for
from nlpviz.runs import Run
from nlpviz.runs.language import KIND

OF_TWO_THE_LAST = "the second of two classes, otherwise the predicted class"
"""Which class is followed where none is asked for."""


def add_next(parser: argparse.ArgumentParser) -> None:
    """Let a command take the two words that a language model is asked for."""
    parser.add_argument(
        "--next", nargs=2, metavar=("WORD", "OTHER"),
        help="for a language model: score WORD against OTHER as the next word",
    )  # fmt: skip


def reader(command: str, options: argparse.Namespace, lacks: str) -> Run:
    """Return the run that was asked for; a language model is asked which of two words comes next.

    Args:
        command: its name.
        options: with ``run`` and ``next``.
        lacks: what a network that does not read word by word does not have.

    Raises:
        RunError: if there is no such run.
        UsageError: if its network does not read word by word, or does not predict the words.
    """
    run = run_for(command, options.run)
    if run.kind == KIND:
        return _asked(run, options.next)
    if options.next:
        raise UsageError(f"--next needs a language model, but {run.name!r} is a classifier.")
    from nlpviz.networks.architectures import WordByWord, untrained_instance

    if not isinstance(untrained_instance(run.architecture, run.config), WordByWord):
        raise UsageError(f"The run {run.name!r} has no {lacks}. Choose a recurrent network.")
    return run


def _asked(run: Run, words: list[str] | None) -> Run:
    from nlpviz.language.logit_difference import ask, spelt

    try:
        return ask(run, words and [spelt(run, word) or word for word in words])
    except ValueError:
        raise UsageError(f"--next needs two different words from the output vocabulary of {run.name!r}.") from None
