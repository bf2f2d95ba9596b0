"""``similarity RUN WORD WORD``."""

from __future__ import annotations

import argparse

from nlpviz.commands import Command, print_json
from nlpviz.commands.as_json import as_json
from nlpviz.commands.words import SOURCE, add_vectors, asked_vectors
from nlpviz.run_kinds.own_files import refusals


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_vectors(parser)
    parser.add_argument("first", metavar="WORD", help="first word")
    parser.add_argument("second", metavar="WORD", help="second word")


def _run(options: argparse.Namespace) -> None:
    from nlpviz.word_vectors.lookup import index_of
    from nlpviz.word_vectors.similarity import similarity

    source = asked_vectors(options)
    with refusals():
        cosine = similarity(source.vectors, options.first, options.second)
        words = [source.vectors.words[index_of(source.vectors, typed)] for typed in (options.first, options.second)]
    if options.json:
        print_json({**as_json(source, *SOURCE), "words": words, "cosine": cosine})
        return
    print(f"{words[0]} and {words[1]}: cosine {cosine:.3f}, {source.vectors.source}")


COMMAND = Command("similarity", "show the cosine similarity of two words", _add_arguments, _run)
