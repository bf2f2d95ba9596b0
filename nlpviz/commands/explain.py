"""``explain RUN --text …``, or ``--texts FILE --out FILE`` for a file of any length."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from nlpviz.commands import (
    Command,
    add_checkpoint,
    add_run,
    add_texts,
    print_answers,
    run_for,
    target_of,
    texts_of,
)
from nlpviz.commands.as_json import as_json, tokens_as_json
from nlpviz.commands.bulk import add_file, answer, asks_file

if TYPE_CHECKING:
    from nlpviz.results.explanation import Explanation


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    add_texts(parser, required=False)
    add_checkpoint(parser)
    parser.add_argument("--method", help="attribution method (default: the run’s best method in the deletion test)")
    add_file(parser, required=False)


def _run(options: argparse.Namespace) -> None:
    run = run_for("explain", options.run)
    target = target_of(run, options)
    from nlpviz.analysis.attribution import explain, ranking

    method = options.method or ranking.default(run)
    if asks_file(options):
        answer(run, "explain", options, target=target, method=method)
        return
    texts, trained = texts_of(options), run.load(options.epoch)
    results = (explain(trained, text, method, target) for text in texts)  # a matrix each: one at a time
    print_answers(options, results, _facts, _in_words)


def _facts(result: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON holds it: one record for each token, with its span in the text."""
    return {
        **as_json(result, "run", "epoch", "method", "signed"),
        "text": result.encoded.text,
        "target": result.class_names[result.target],
        **as_json(result, "class_score", "residual", "steps"),
        "probabilities": dict(zip(result.class_names, result.probabilities, strict=True)),
        "tokens": tokens_as_json(result.encoded, score=result.scores),
    }


def _in_words(result: Explanation) -> list[str]:
    """Return what a person wants to read of an explanation."""
    predicted = result.class_names[result.predicted]
    tokens = result.encoded.read
    strongest = ", ".join(
        f'"{tokens[position].word}" {result.scores[position]:{"+" if result.signed else ""}.2g}'
        for position in result.strongest(8)
    )
    taken = f" in {result.steps} steps" if result.steps is not None else ""
    return [
        f"{predicted} {result.probabilities[result.predicted]:.1%} (epoch {result.epoch}); {result.method}{taken} "
        f"towards {result.class_names[result.target]}: {strongest or 'none (no words read)'}"
    ]


COMMAND = Command("explain", "show which words drive a prediction", _add_arguments, _run)
