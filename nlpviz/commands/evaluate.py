"""``evaluate RUN``: measure a run on a test split, or on the user's texts, questions or pairs."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpviz.commands import Command, UsageError, add_json, print_json, teller
from nlpviz.run_kinds import Evaluation, Kind, Option, Request, kind_of, kinds
from nlpviz.runs import RunError, open_run
from nlpviz.training import DEVICES


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", help="name of the run, or a file of word vectors")
    add_json(parser)
    parser.add_argument("--device", default="auto", choices=DEVICES, help="device to use (default: auto)")
    known: set[Option] = set()
    for kind in kinds().values():
        if new := [option for option in kind.options if option not in known]:
            group = parser.add_argument_group(kind.table.lower())
            for option in new:
                _add(group, option)
        known |= set(new)


def _add(group: argparse._ArgumentGroup, option: Option) -> None:
    if option.read is None:
        group.add_argument(option.flag, action="store_true", help=option.help)
    else:
        group.add_argument(option.flag, type=option.read, choices=option.choices, help=option.help)


def _run(options: argparse.Namespace) -> None:
    result = _evaluated(options)
    if options.json:
        print_json(result.facts)
        return
    print("\n".join(result.lines))


def _evaluated(options: argparse.Namespace) -> Evaluation:
    """Return the measures of a run, or of the user's file where no run has the name.

    Raises:
        RunError: if there is neither.
        UsageError: if an option is not for what was named.
    """
    try:
        run = open_run(options.run)
    except RunError:
        for kind in kinds().values():
            if kind.evaluate_file is not None and Path(options.run).is_file():
                return kind.evaluate_file(Path(options.run), _request(options, kind))
        raise
    return kind_of(run).evaluate(run, _request(options, kind_of(run)))


def _request(options: argparse.Namespace, kind: Kind) -> Request:
    """Return the options that were given; refuse those that are for other kinds."""
    own = {option.key: option for option in kind.options}
    others = {option.key for other in kinds().values() for option in other.options} - set(own)
    given = (getattr(options, key) for key in others)
    if not all(value is None or value is False for value in given):  # epoch 0 is one
        *first, last = ("--device", "--json", *(option.flag for option in kind.options))
        which = f"The run {options.run!r}" if kind.evaluate_file is None else options.run
        raise UsageError(f"{which} {kind.says}, so it accepts only {', '.join(first)} and {last}.")
    return Request({key: getattr(options, key) for key in own}, options.device, teller(options))


COMMAND = Command(
    "evaluate",
    "evaluate a run on its test split or your own texts, or word vectors on analogies and word pairs",
    _add_arguments,
    _run,
)
