"""The command line: one parser over all commands, and what becomes of their errors."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from nlpviz import __version__
from nlpviz.commands import UsageError, commands
from nlpviz.data import DataError
from nlpviz.runs import RunError
from nlpviz.training import TrainingError

STOPPED = "interrupted; run the same command again to resume a training run, a download or a results file."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = parser().parse_args(arguments)
    try:
        options.command(options)
    except (UsageError, RunError, DataError, TrainingError) as error:
        print(f"nlpviz: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\nnlpviz: {STOPPED}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader, `head` for one, has enough
        sys.stderr.close()
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the parser; its usage says ``nlpviz`` or ``python -m nlpviz``, as it was called."""
    prog = "nlpviz" if Path(sys.argv[0]).stem == "nlpviz" else "python -m nlpviz"
    whole = argparse.ArgumentParser(prog=prog, description="Explore what small language networks have learnt.")
    whole.add_argument("--version", action="version", version=f"nlpviz {__version__}")
    parts = whole.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in commands().values():
        part = parts.add_parser(command.name, help=command.help, description=f"{command.help}.")
        command.add_arguments(part)
        part.set_defaults(command=command.run)
    return whole
