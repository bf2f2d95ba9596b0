"""``analogy RUN "king - man + woman"``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlpviz.commands import Command, positive, print_json
from nlpviz.commands.words import add_vectors, asked_vectors, found_facts, listed_words, refusals

if TYPE_CHECKING:
    from nlpviz.results.relations import Analogy

METHODS = ("3CosAdd", "3CosMul")  # nlpviz.word_vectors.analogies, which the shell's help need not wait for


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_vectors(parser)
    parser.add_argument("expression", help='words with signs between them: "king - man + woman"; quote it')
    parser.add_argument("--method", default=METHODS[0], choices=METHODS, help="default: %(default)s")
    parser.add_argument(
        "--include-inputs", action="store_true", help="let the expression's own words be answers (default: left out)"
    )
    parser.add_argument("--expect", metavar="WORD", help="say at which rank this word comes")
    parser.add_argument("--count", type=positive, default=10, help="of answers; default: %(default)s")


def _run(asked: argparse.Namespace) -> None:
    from nlpviz.word_vectors.analogies import solve
    from nlpviz.word_vectors.expressions import parse

    source = asked_vectors(asked)
    with refusals():
        found = solve(
            source.vectors,
            parse(source.vectors, asked.expression),
            method=asked.method,
            exclude=not asked.include_inputs,
            count=asked.count,
            expected=asked.expect,
        )
    if asked.json:
        said = {"expression": str(found.expression), "method": found.method, "excludes_inputs": found.excludes}
        hoped = {"expected": found.expected, "expected_rank": found.rank}
        print_json({**source.facts, **said, "answers": found_facts(found.found), **hoped})
        return
    left_out = "its own words left out" if found.excludes else "its own words among the answers"
    print(f"{found.expression}, {found.method}, {left_out}, {found.source}")
    for line in listed_words(found.found):
        print(line)
    if found.expected is not None:
        print(_hoped(found))


def _hoped(found: Analogy) -> str:
    """Return what became of the expected word."""
    if found.rank is None:
        return f"{found.expected} is one of the expression's own words, which are left out"
    return f"{found.expected} comes at rank {found.rank:,}"


COMMAND = Command("analogy", "solve an expression of words, such as king - man + woman", _add_arguments, _run)
