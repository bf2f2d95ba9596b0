"""``neighbours RUN WORD``."""

from __future__ import annotations

import argparse

from nlpviz.commands import Command, positive, print_json
from nlpviz.commands.as_json import as_json
from nlpviz.commands.words import SOURCE, add_vectors, asked_vectors, found_facts, listed_words
from nlpviz.run_kinds.own_files import refusals


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_vectors(parser)
    parser.add_argument("word", help="word whose neighbours are listed")
    parser.add_argument("--count", type=positive, default=10, help="number of neighbours (default: %(default)s)")


def _run(options: argparse.Namespace) -> None:
    from nlpviz.word_vectors.neighbours import neighbours

    source = asked_vectors(options)
    with refusals():
        result = neighbours(source.vectors, options.word, options.count)
    if options.json:
        said = {"word": result.word, "count": result.count, "frequency_rank": result.position + 1}
        print_json({**as_json(source, *SOURCE), **said, "neighbours": found_facts(result.neighbours)})
        return
    common = "" if result.count is None else f", {result.count:,} occurrences in the corpus"
    print(f"{result.word} (word {result.position + 1:,} of {len(source.vectors):,}{common}), {result.source}")
    for line in listed_words(result.neighbours):
        print(line)


COMMAND = Command("neighbours", "list a word’s nearest neighbours by cosine similarity", _add_arguments, _run)
