"""Commands, one a module: ``python -m nlpviz <command> …``.

Every command that reads takes ``--json`` and then prints nothing but JSON. A wrong name ends with exit code 2 and one
sentence that lists the right ones. Modules import nothing heavy until their command runs: the shell waits for all.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from nlpviz.commands.as_json import plain
from nlpviz.discovery import discover
from nlpviz.run_kinds import UsageError as UsageError
from nlpviz.run_kinds import kind_of
from nlpviz.run_kinds.own_files import lines_of
from nlpviz.runs import Run, open_run

T = TypeVar("T")


@dataclass(frozen=True)
class Command:
    """What a module under ``nlpviz.commands`` exports as ``COMMAND``.

    Attributes:
        name: on the command line.
        help: one line.
        add_arguments: adds what the command takes to its parser.
        run: does it; ``options`` holds the arguments.
    """

    name: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], None]


def commands() -> dict[str, Command]:
    """Return every command, by name."""
    return discover("nlpviz.commands", "COMMAND", Command)


# ----------------------------------------------------------------------------------------------------- arguments


def add_run(parser: argparse.ArgumentParser) -> None:
    """Let a command take a run and ``--json``."""
    parser.add_argument("run", help="name of the run; `runs` lists all runs")
    add_json(parser)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Let a command take ``--json``."""
    parser.add_argument("--json", action="store_true", help="print JSON only")


def add_checkpoint(parser: argparse.ArgumentParser, usual: str = "the predicted class") -> None:
    """Let a command take an epoch and the class whose score is explained; ``usual`` says which it is without."""
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")
    parser.add_argument("--target", help=f"class whose score is explained, for example positive (default: {usual})")


def add_texts(parser: argparse.ArgumentParser, *, required: bool = True) -> argparse._MutuallyExclusiveGroup:
    """Let a command take one text or a file of them; return the group, to which more sources may be added.

    One that is not ``required`` also takes a file of any length; ``--text`` then names its column.
    """
    texts = parser.add_mutually_exclusive_group(required=required)
    texts.add_argument(
        "--text", type=_unicode, help="the text" if required else "the text; with --texts, the text column"
    )
    texts.add_argument("--file", type=Path, help="file with one text per line; - reads standard input")
    return texts


def positive(value: str) -> int:
    """Return a number of things, at least 1."""
    number = int(value)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _unicode(value: str) -> str:
    """Return an argument with a question mark for each byte that was no UTF-8."""
    return value.encode(errors="replace").decode()


def named(known: Mapping[str, T], name: str, kind: str) -> T:
    """Return ``known[name]``.

    Raises:
        UsageError: if there is none, listing the right names.
    """
    if name not in known:
        raise UsageError(f"There is no {kind} {name!r}; available: {', '.join(known) or 'none'}.")
    return known[name]


def run_for(command: str, name: str) -> Run:
    """Return the run called ``name``, which a command asks.

    Raises:
        RunError: if there is none, or its kind is unknown.
        UsageError: if runs of its kind have no answer to the command.
    """
    run = open_run(name)
    kind = kind_of(run)
    if command not in kind.commands:
        raise UsageError(
            f"The run {name!r} {kind.refusals.get(command, f'{kind.says}, so `{command}` does not apply to it')}."
        )
    return run


def target_of(run: Run, options: argparse.Namespace) -> int | None:
    """Return the index of the class that was asked for, or None for the predicted one."""
    if options.target is None:
        return None
    return named({name: position for position, name in enumerate(run.class_names)}, options.target, "class")


def texts_of(options: argparse.Namespace) -> Sequence[str]:
    """Return the texts that were asked for; those of a file are one a line, split on line feeds alone as corpora are.

    Raises:
        UsageError: if there are none, or the file cannot be read as UTF-8.
    """
    if options.text is None and options.file is None:
        raise UsageError("No text was given. Use --text, --file or --texts.")
    return [options.text] if options.text is not None else lines_of(options.file)


# -------------------------------------------------------------------------------------------------------- answers


def print_json(facts: object) -> None:
    """Print ``facts`` as JSON; they may hold arrays."""
    print(json.dumps(plain(facts), ensure_ascii=False, indent=1))


def print_answers(
    options: argparse.Namespace,
    results: Iterable[T],
    facts: Callable[[T], object],
    in_words: Callable[[T], Iterable[str]],
    *,
    apart: bool = False,
) -> None:
    """Print the lines of each result, ``apart`` by an empty one, or with ``--json`` its facts: a list for a file."""
    if options.json:
        found = [facts(result) for result in results]
        print_json(found[0] if options.text is not None else found)
        return
    for position, result in enumerate(results):
        print("\n" * (apart and position > 0) + "\n".join(in_words(result)))


def say(line: str) -> None:
    """Tell a person what is being done, aside from the answer."""
    print(line, file=sys.stderr)


def teller(options: argparse.Namespace) -> Callable[[str], None]:
    """Return what tells a person what is being done: nothing where JSON alone was asked for."""
    return (lambda _: None) if options.json else say
