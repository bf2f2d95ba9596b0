"""``evaluate RUN``: a classifier or translator on a test split or own texts, word vectors on analogies or pairs."""

from __future__ import annotations

import argparse
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_json, positive, print_json
from nlpviz.commands.analogy import METHODS
from nlpviz.commands.classifiers import evaluate_classifier
from nlpviz.commands.translators import evaluate_translator
from nlpviz.commands.words import add_table, asked_vectors, refusals
from nlpviz.runs import Run, RunError, open_run
from nlpviz.runs.translators import KIND as TRANSLATOR
from nlpviz.runs.vectors import KIND
from nlpviz.training import DEVICES

if TYPE_CHECKING:
    from nlpviz.results.relations import AnalogyScores, PairScores
    from nlpviz.results.vectors import WordVectors

AMONG = 30_000
_TAKES = {  # the kinds of runs, with the options that are not for all of them
    KIND: ("epoch", "questions", "pairs", "method", "among", "output_vectors"),
    "classifier": ("epoch", "texts", "labels"),
    "yardstick": (),
    TRANSLATOR: ("epoch", "texts", "references"),
}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", help="for example imdb-cnn; or enwiki-skipgram, or a file of word vectors")
    add_json(parser)
    parser.add_argument("--device", default="auto", choices=DEVICES)
    words = parser.add_argument_group("word vectors")
    words.add_argument("--questions", type=Path, help="analogies in Google's format (default: Google's own)")
    words.add_argument("--pairs", type=Path, help="lines of two words and a score, instead of analogies unless both")
    words.add_argument("--method", choices=METHODS, help=f"of the analogies; default: {METHODS[0]}")
    words.add_argument("--among", type=positive, help=f"the commonest words; default: {AMONG:,}")
    add_table(parser)
    own = parser.add_argument_group("classifiers and translators")
    own.add_argument("--texts", type=Path, help="one's own, one a line (default: the corpus's test split)")
    own.add_argument("--labels", type=Path, help="for a classifier: their classes, a name or number from 0 a line")
    own.add_argument("--references", type=Path, help="for a translator: their translations, one a line")


def _run(asked: argparse.Namespace) -> None:
    run = _network(asked)
    if run is None:
        _refuse(asked, KIND, f"{asked.run} holds word vectors")
        _words(asked)
        return
    _refuse(asked, run.kind, f"The run {run.name!r} is a {run.kind}")
    (evaluate_translator if run.kind == TRANSLATOR else evaluate_classifier)(run, asked)


def _refuse(asked: argparse.Namespace, kind: str, said: str) -> None:
    """Refuse options that are for runs of another kind; ``said`` says what the run is."""
    others = {option for options in _TAKES.values() for option in options} - set(_TAKES[kind])
    given = (getattr(asked, option) for option in others)
    if not all(value is None or value is False for value in given):  # epoch 0 is one
        *first, last = ("--device", "--json", *(f"--{option.replace('_', '-')}" for option in _TAKES[kind]))
        raise UsageError(f"{said}: only {', '.join(first)} and {last} are for it.")


def _network(asked: argparse.Namespace) -> Run | None:
    """Return the run that was asked for, or None for one of words and for a file of word vectors."""
    try:
        run = open_run(asked.run)
    except RunError:
        if Path(asked.run).is_file():
            return None
        raise
    return None if run.kind == KIND else run


# ------------------------------------------------------------------------------------------------------------ words


def _words(asked: argparse.Namespace) -> None:
    """Measure word vectors on analogy questions, on word pairs, or both."""
    source = asked_vectors(asked)
    with refusals():
        analogies = _analogies(source.vectors, asked) if asked.questions or not asked.pairs else None
        pairs = _pairs(source.vectors, asked.pairs) if asked.pairs else None
    if asked.json:
        measured = (_analogy_facts(analogies) if analogies else {}) | ({"pairs": _pair_facts(pairs)} if pairs else {})
        print_json({**source.facts, **measured})
        return
    for line in (_analogies_in_words(analogies) if analogies else []) + (_pairs_in_words(pairs) if pairs else []):
        print(line)


def _analogies(vectors: WordVectors, asked: argparse.Namespace) -> AnalogyScores:
    """Return how many questions come out right, of the file that was named or of Google's."""
    from nlpviz.word_vectors.questions import read_questions, score

    if asked.questions is None:
        from nlpviz.data.analogies import find_questions

        asked.questions = find_questions()
    questions = read_questions(asked.questions)
    return score(vectors, questions, method=asked.method or METHODS[0], among=asked.among or AMONG)


def _pairs(vectors: WordVectors, path: Path) -> PairScores:
    from nlpviz.word_vectors.pairs import read_pairs, score_pairs

    return score_pairs(vectors, read_pairs(path))


def _analogy_facts(found: AnalogyScores) -> dict[str, Any]:
    """Return the answers as JSON holds them; an accuracy is null where no question is known."""
    total = found.total
    return {
        "accuracy": _known(total.accuracy),
        "asked": total.asked,
        "known": total.known,
        "right": total.right,
        "method": found.method,
        "among": found.among,
        "sections": [{**one._asdict(), "accuracy": _known(one.accuracy)} for one in found.sections],
    }


def _pair_facts(found: PairScores) -> dict[str, Any]:
    return {"rho": _known(found.rho), "pairs": found.pairs, "known": found.known}


def _known(value: float) -> float | None:
    """Return a number, or None for what is not one: JSON has no word for it."""
    return None if isnan(value) else value


def _analogies_in_words(found: AnalogyScores) -> list[str]:
    """Return a line for each section, and one for all."""
    return [f"{found.source}, {found.method}, among the {found.among:,} commonest words"] + [
        f"{_share(one.accuracy):>7}  {one.right:,} of {one.known:,} known, {one.asked:,} asked  {one.section}"
        for one in (*found.sections, found.total)
    ]


def _pairs_in_words(found: PairScores) -> list[str]:
    rho = "not defined" if isnan(found.rho) else f"{found.rho:.3f}"
    return [f"{found.source}: Spearman's rho {rho}, {found.known:,} of {found.pairs:,} pairs known"]


def _share(accuracy: float) -> str:
    return "none" if isnan(accuracy) else f"{accuracy:.1%}"


COMMAND = Command(
    "evaluate",
    "measure a run: a test split or one's own texts, or analogies and word pairs for word vectors",
    _add_arguments,
    _run,
)
