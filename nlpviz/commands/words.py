"""What the commands about words share: whose vectors are asked, and how a refusal reaches the shell. No command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nlpviz.commands import UsageError, add_json
from nlpviz.commands.as_json import as_json
from nlpviz.run_kinds import kind_of
from nlpviz.run_kinds.listing import known_runs
from nlpviz.run_kinds.own_files import refusals
from nlpviz.runs import RunError, open_run
from nlpviz.runs.vectors import INPUT, OUTPUT, read_vectors

if TYPE_CHECKING:
    from nlpviz.results.vectors import WordVectors
    from nlpviz.results.word_queries import Neighbour
    from nlpviz.runs import Run

SOURCE = ("run", "epoch", "table")
"""Of an answer: where it comes from, as JSON names it."""


class NamedVectors(NamedTuple):
    """The word vectors that a command was asked about.

    Attributes:
        vectors: themselves.
        run: whose they are, or the path of the user's file.
        epoch: of the run; None for a file.
        table: ``"input"`` or ``"output"``.
    """

    vectors: WordVectors
    run: str
    epoch: int | None
    table: str


def add_vectors(parser: argparse.ArgumentParser) -> None:
    """Let a command take a run of words or a file of vectors, an epoch, the output vectors, and ``--json``."""
    parser.add_argument(
        "run",
        help="name of the run, for example enwiki-skipgram, or a file of word vectors (word2vec, GloVe, "
        "fastText .vec, gensim text)",
    )
    add_table(parser)
    add_json(parser)


def add_table(parser: argparse.ArgumentParser) -> None:
    """Let a command take an epoch and the output vectors."""
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")
    parser.add_argument("--output-vectors", action="store_true", help="use output vectors (default: input vectors)")


def asked_vectors(options: argparse.Namespace) -> NamedVectors:
    """Return the word vectors that were asked for: of a run, or else of a file.

    Raises:
        RunError: if there is no such run, or it holds no such vectors.
        UsageError: if the file cannot be read, or an epoch of it was asked for.
    """
    path = Path(options.run)
    table = OUTPUT if options.output_vectors else INPUT
    try:
        run = open_run(options.run)
    except RunError:
        if not path.is_file():
            raise
        if options.epoch is not None or options.output_vectors:
            raise UsageError(f"{path} is a file, so it has no epochs or output vectors.") from None
        from nlpviz.word_vectors.formats import read

        with refusals():
            return NamedVectors(read(path, source=path.name), str(path), None, table)
    require_words(run)
    epoch = run.best_epoch if options.epoch is None else options.epoch
    return NamedVectors(read_vectors(run, epoch, table), run.name, epoch, table)


def require_words(run: Run) -> None:
    """Refuse a run without word vectors, naming those that have some.

    Raises:
        RunError: if nobody knows its kind.
        UsageError: if it has none.
    """
    if not _has_words(run):
        there = ", ".join(name for name, other in known_runs()[0].items() if _has_words(other)) or "none"
        raise UsageError(f"The run {run.name!r} has no word vectors. Runs with word vectors: {there}.")


def _has_words(run: Run) -> bool:
    return "neighbours" in kind_of(run).commands


def listed_words(result: tuple[Neighbour, ...]) -> list[str]:
    """Return a line for each word: rank, score, word, occurrences."""
    width = max((len(one.word) for one in result), default=0)
    return [
        f"{rank:4d}  {one.score:.3f}  {one.word:{width}}  {'' if one.count is None else f'{one.count:9,}'}".rstrip()
        for rank, one in enumerate(result, start=1)
    ]


def found_facts(result: tuple[Neighbour, ...]) -> list[dict[str, Any]]:
    """Return words as JSON holds them; ``frequency_rank`` is from 1, and for a file the place there."""
    return [as_json(one, "word", "score", "count") | {"frequency_rank": one.position + 1} for one in result]
