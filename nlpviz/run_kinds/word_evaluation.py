"""``evaluate`` for word vectors, of a run or of the user's file: analogy questions, pairs of words, or both."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpviz.run_kinds import Evaluation, Request, UsageError
from nlpviz.run_kinds.own_files import refusals
from nlpviz.runs import Run
from nlpviz.runs.vectors import INPUT, OUTPUT, read_vectors

if TYPE_CHECKING:
    from nlpviz.results.vectors import WordVectors
    from nlpviz.results.word_queries import AnalogyScores, PairScores

METHODS = ("3CosAdd", "3CosMul")  # nlpviz.word_vectors.analogies, which the shell's help need not wait for
AMONG = 30_000


def evaluate(run: Run, request: Request) -> Evaluation:
    """Return what the vectors of a run's epoch answer.

    Raises:
        RunError: if the run keeps no such epoch, or no output vectors of it.
    """
    epoch = request.options.get("epoch")
    epoch = run.best_epoch if epoch is None else epoch
    table = OUTPUT if request.options.get("output_vectors") else INPUT
    return _evaluation(read_vectors(run, epoch, table), {"run": run.name, "epoch": epoch, "table": table}, request)


def evaluate_file(path: Path, request: Request) -> Evaluation:
    """Return how well the vectors in the user's file do.

    Raises:
        UsageError: if it cannot be read, or an epoch of it was asked for.
    """
    from nlpviz.word_vectors.formats import read

    if request.options.get("epoch") is not None or request.options.get("output_vectors"):
        raise UsageError(f"{path} is a file, so it has no epochs or output vectors.")
    with refusals():
        vectors = read(path, source=path.name)
    return _evaluation(vectors, {"run": str(path), "epoch": None, "table": INPUT}, request)


def _evaluation(vectors: WordVectors, facts: dict[str, Any], request: Request) -> Evaluation:
    """Return how many analogy questions are answered right, how pairs of words correlate, or both."""
    questions, pairs = (request.options.get(name) for name in ("questions", "pairs"))
    lines: list[str] = []
    with refusals():
        if questions or not pairs:
            scores = _analogies(vectors, questions, request)
            facts |= _analogy_facts(scores)
            lines += _analogies_in_words(scores)
        if pairs:
            of_pairs = _pairs(vectors, pairs)
            facts["pairs"] = _pair_facts(of_pairs)
            lines += _pairs_in_words(of_pairs)
    return Evaluation(facts, lines)


def _analogies(vectors: WordVectors, questions: Path | None, request: Request) -> AnalogyScores:
    """Return how many questions are answered right, of the file that was named or of Google's."""
    from nlpviz.word_vectors.questions import read_questions, score

    if questions is None:
        from nlpviz.data.analogies import find_questions

        questions = find_questions()
    method, among = (request.options.get(name) for name in ("method", "among"))
    return score(vectors, read_questions(questions), method=method or METHODS[0], among=among or AMONG)


def _pairs(vectors: WordVectors, path: Path) -> PairScores:
    from nlpviz.word_vectors.pairs import read_pairs, score_pairs

    return score_pairs(vectors, read_pairs(path))


def _analogy_facts(scores: AnalogyScores) -> dict[str, Any]:
    """Return the answers as JSON holds them; an accuracy is null where no question is known."""
    total = scores.total
    return {
        "accuracy": _known(total.accuracy),
        "asked": total.asked,
        "known": total.known,
        "right": total.right,
        "method": scores.method,
        "among": scores.among,
        "sections": [{**one._asdict(), "accuracy": _known(one.accuracy)} for one in scores.sections],
    }


def _pair_facts(scores: PairScores) -> dict[str, Any]:
    return {"rho": _known(scores.rho), "pairs": scores.pairs, "known": scores.known}


def _known(value: float) -> float | None:
    """Return a number, or None for what is not one: JSON has no word for it."""
    return None if isnan(value) else value


def _analogies_in_words(scores: AnalogyScores) -> list[str]:
    """Return a line for each section, and one for all."""
    return [f"{scores.source}, {scores.method}, among the {scores.among:,} most frequent words"] + [
        f"{_share(one.accuracy):>7}  {one.right:,} of {one.known:,} in vocabulary, {one.asked:,} in "
        f"total  {one.section}"
        for one in (*scores.sections, scores.total)
    ]


def _pairs_in_words(scores: PairScores) -> list[str]:
    rho = "undefined" if isnan(scores.rho) else f"{scores.rho:.3f}"
    return [f"{scores.source}: Spearman’s rho {rho}, {scores.known:,} of {scores.pairs:,} pairs in vocabulary"]


def _share(accuracy: float) -> str:
    return "none" if isnan(accuracy) else f"{accuracy:.1%}"
