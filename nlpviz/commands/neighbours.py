"""``neighbours RUN WORD``."""

from __future__ import annotations

import argparse

from nlpviz.commands import Command, positive, print_json
from nlpviz.commands.words import add_vectors, asked_vectors, found_facts, listed_words
from nlpviz.kinds.own_files import refusals


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_vectors(parser)
    parser.add_argument("word")
    parser.add_argument("--count", type=positive, default=10, help="of neighbours; default: %(default)s")


def _run(asked: argparse.Namespace) -> None:
    from nlpviz.word_vectors.neighbours import neighbours

    source = asked_vectors(asked)
    with refusals():
        found = neighbours(source.vectors, asked.word, asked.count)
    if asked.json:
        said = {"word": found.word, "count": found.count, "frequency_rank": found.place + 1}
        print_json({**source.facts, **said, "neighbours": found_facts(found.found)})
        return
    common = "" if found.count is None else f", {found.count:,} times in the corpus"
    print(f"{found.word} (word {found.place + 1:,} of {len(source.vectors):,}{common}), {found.source}")
    for line in listed_words(found.found):
        print(line)


COMMAND = Command("neighbours", "list the words nearest to a word, by cosine", _add_arguments, _run)
