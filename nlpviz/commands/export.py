"""``export RUN FILE``: a run's word vectors as word2vec writes them."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpviz.commands import Command, UsageError, add_run, print_json
from nlpviz.commands.as_json import as_json
from nlpviz.commands.words import SOURCE, add_table, asked_vectors
from nlpviz.run_kinds.own_files import refusals
from nlpviz.runs.files import write_whole


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    add_table(parser)
    parser.add_argument("file", type=Path, help="file to write")
    parser.add_argument(
        "--binary", action="store_true", help="write word2vec’s binary format (default: its text format)"
    )


def _run(options: argparse.Namespace) -> None:
    from nlpviz.word_vectors.formats import write_binary, write_text

    source = asked_vectors(options)
    write = write_binary if options.binary else write_text
    try:
        with refusals():
            write_whole(options.file, lambda partial: write(partial, source.vectors))
    except OSError as error:
        raise UsageError(f"{options.file} cannot be written ({type(error).__name__}).") from None
    words, dimensions = len(source.vectors), source.vectors.dimensions
    if options.json:
        form = "word2vec binary" if options.binary else "word2vec text"
        said = {"file": str(options.file), "format": form, "words": words, "dimensions": dimensions}
        print_json({**as_json(source, *SOURCE), **said})
        return
    load = f"KeyedVectors.load_word2vec_format({str(options.file)!r}, binary={options.binary})"
    print(f"{words:,} words, {dimensions} dimensions: {options.file}; gensim reads it with {load}")


COMMAND = Command("export", "write a run’s word vectors in word2vec format", _add_arguments, _run)
