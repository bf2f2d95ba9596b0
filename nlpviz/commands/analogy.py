"""``analogy RUN "king - man + woman"``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlpviz.commands import Command, positive, print_json
from nlpviz.commands.as_json import as_json
from nlpviz.commands.words import SOURCE, add_vectors, asked_vectors, found_facts, listed_words
from nlpviz.run_kinds.own_files import refusals
from nlpviz.run_kinds.word_evaluation import METHODS

if TYPE_CHECKING:
    from nlpviz.results.word_queries import Analogy


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_vectors(parser)
    parser.add_argument("expression", help='words joined by + and -, in quotes: "king - man + woman"')
    parser.add_argument("--method", default=METHODS[0], choices=METHODS, help="scoring method (default: %(default)s)")
    parser.add_argument(
        "--include-inputs", action="store_true", help="allow the input words as answers (default: excluded)"
    )
    parser.add_argument("--expect", metavar="WORD", help="also report the rank of this word")
    parser.add_argument("--count", type=positive, default=10, help="number of answers (default: %(default)s)")


def _run(options: argparse.Namespace) -> None:
    from nlpviz.word_vectors.analogies import solve
    from nlpviz.word_vectors.expressions import parse

    source = asked_vectors(options)
    with refusals():
        result = solve(
            source.vectors,
            parse(source.vectors, options.expression),
            method=options.method,
            exclude=not options.include_inputs,
            count=options.count,
            expected=options.expect,
        )
    if options.json:
        said = {"expression": str(result.expression), "method": result.method, "excludes_inputs": result.excludes}
        hoped = {"expected": result.expected, "expected_rank": result.rank}
        print_json({**as_json(source, *SOURCE), **said, "answers": found_facts(result.neighbours), **hoped})
        return
    left_out = "input words excluded" if result.excludes else "input words included"
    print(f"{result.expression}, {result.method}, {left_out}, {result.source}")
    for line in listed_words(result.neighbours):
        print(line)
    if result.expected is not None:
        print(_hoped(result))


def _hoped(result: Analogy) -> str:
    """Return what became of the expected word."""
    if result.rank is None:
        return f"{result.expected} is one of the input words, which are excluded"
    return f"{result.expected} has rank {result.rank:,}"


COMMAND = Command("analogy", "solve a word analogy, such as king - man + woman", _add_arguments, _run)
