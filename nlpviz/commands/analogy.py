"""``analogy RUN "king - man + woman"``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlpviz.commands import Command, positive, print_json
from nlpviz.commands.words import add_vectors, asked_vectors, found_facts, listed_words
from nlpviz.kinds.own_files import refusals
from nlpviz.kinds.word_evaluation import METHODS

if TYPE_CHECKING:
    from nlpviz.results.relations import Analogy


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_vectors(parser)
    parser.add_argument("expression", help='words with signs between them: "king - man + woman"; quote it')
    parser.add_argument("--method", default=METHODS[0], choices=METHODS, help="default: %(default)s")
    parser.add_argument(
        "--include-inputs", action="store_true", help="let the expression's own words be answers (default: left out)"
    )
    parser.add_argument("--expect", metavar="WORD", help="say at which rank this word comes")
    parser.add_argument("--count", type=positive, default=10, help="of answers; default: %(default)s")


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
        print_json({**source.facts, **said, "answers": found_facts(result.neighbours), **hoped})
        return
    left_out = "its own words left out" if result.excludes else "its own words among the answers"
    print(f"{result.expression}, {result.method}, {left_out}, {result.source}")
    for line in listed_words(result.neighbours):
        print(line)
    if result.expected is not None:
        print(_hoped(result))


def _hoped(result: Analogy) -> str:
    """Return what became of the expected word."""
    if result.rank is None:
        return f"{result.expected} is one of the expression's own words, which are left out"
    return f"{result.expected} comes at rank {result.rank:,}"


COMMAND = Command("analogy", "solve an expression of words, such as king - man + woman", _add_arguments, _run)
