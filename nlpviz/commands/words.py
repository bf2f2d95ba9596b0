"""What the commands about words share: whose vectors are asked, and how a refusal reaches the shell. No command."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nlpviz.commands import UsageError, add_json
from nlpviz.runs import RunError, list_runs, open_run
from nlpviz.runs.vectors import INPUT, KIND, OUTPUT, read_vectors

if TYPE_CHECKING:
    from nlpviz.results.relations import Neighbour
    from nlpviz.results.vectors import WordVectors
    from nlpviz.runs import Run


class Asked(NamedTuple):
    """The word vectors that a command was asked about.

    Attributes:
        vectors: themselves.
        run: whose they are, or the path of a person's own file.
        epoch: of the run; None for a file.
        table: ``"input"`` or ``"output"``.
    """

    vectors: WordVectors
    run: str
    epoch: int | None
    table: str

    @property
    def facts(self) -> dict[str, Any]:
        """Where an answer comes from, as JSON holds it."""
        return {"run": self.run, "epoch": self.epoch, "table": self.table}


def add_vectors(parser: argparse.ArgumentParser) -> None:
    """Let a command take a run of words or a file of vectors, an epoch, the output vectors, and ``--json``."""
    parser.add_argument(
        "run", help="for example enwiki-skipgram; or a file of vectors: word2vec, GloVe, fastText's .vec, gensim's text"
    )
    add_table(parser)
    add_json(parser)


def add_table(parser: argparse.ArgumentParser) -> None:
    """Let a command take an epoch and the output vectors."""
    parser.add_argument("--epoch", type=int, help="default: the best epoch")
    parser.add_argument(
        "--output-vectors", action="store_true", help="the vectors of words as what is predicted (default: the input's)"
    )


def asked_vectors(asked: argparse.Namespace) -> Asked:
    """Return the word vectors that were asked for: of a run, or else of a file.

    Raises:
        RunError: if there is no such run, or it holds no such vectors.
        UsageError: if the file cannot be read, or an epoch of it was asked for.
    """
    path = Path(asked.run)
    table = OUTPUT if asked.output_vectors else INPUT
    try:
        run = open_run(asked.run)
    except RunError:
        if not path.is_file():
            raise
        if asked.epoch is not None or asked.output_vectors:
            raise UsageError(f"{path} is a file: it has no epochs and no output vectors.") from None
        from nlpviz.word_vectors.formats import read

        with refusals():
            return Asked(read(path, source=path.name), str(path), None, table)
    require_words(run)
    epoch = run.best_epoch if asked.epoch is None else asked.epoch
    return Asked(read_vectors(run, epoch, table), run.name, epoch, table)


def require_words(run: Run) -> None:
    """Refuse a run without word vectors, naming those that have some.

    Raises:
        UsageError: if it has none.
    """
    if run.kind != KIND:
        there = ", ".join(name for name, other in list_runs()[0].items() if other.kind == KIND) or "none"
        raise UsageError(f"The run {run.name!r} holds no word vectors; those that do are {there}.")


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what word vectors refuse into what the shell prints.

    Raises:
        UsageError: in their place.
    """
    from nlpviz.word_vectors import WordVectorsError

    try:
        yield
    except WordVectorsError as error:
        raise UsageError(str(error)) from None


def listed_words(found: tuple[Neighbour, ...]) -> list[str]:
    """Return a line for each word: rank, score, word, occurrences."""
    width = max((len(one.word) for one in found), default=0)
    return [
        f"{rank:4d}  {one.score:.3f}  {one.word:{width}}  {'' if one.count is None else f'{one.count:9,}'}".rstrip()
        for rank, one in enumerate(found, start=1)
    ]


def found_facts(found: tuple[Neighbour, ...]) -> list[dict[str, Any]]:
    """Return words as JSON holds them; ``frequency_rank`` is from 1, and for a file the place there."""
    return [
        {"word": word, "score": score, "count": count, "frequency_rank": place + 1}
        for word, place, count, score in found
    ]
