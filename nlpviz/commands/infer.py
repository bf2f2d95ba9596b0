"""``infer RUN --text …``: the vector of a text by paragraph vectors, several times, and how sure its place is."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_run, add_texts, positive, print_answers, run_for, texts_of
from nlpviz.commands.as_json import as_json
from nlpviz.runs.documents import documents_of

if TYPE_CHECKING:
    from nlpviz.results.inferred import Inferred
    from nlpviz.runs import Run

MOST = 200
TIMES = 20


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    add_texts(parser)
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")
    parser.add_argument(
        "--times", type=positive, default=TIMES, help=f"number of inferences, with seeds from 0 (default: {TIMES})"
    )
    parser.add_argument("--vectors", action="store_true", help="with --json: include every vector")


def _run(options: argparse.Namespace) -> None:
    run = run_for("infer", options.run)
    if options.times > MOST:
        raise UsageError(f"--times must be at most {MOST}.")
    if options.vectors and not options.json:
        raise UsageError("--vectors needs --json.")
    from nlpviz.analysis.inspection.inferred import infer_text

    trained = run.load(options.epoch)
    found = [infer_text(trained, text, options.times) for text in texts_of(options)]
    print_answers(options, found, partial(_facts, run, vectors=options.vectors), partial(_in_words, run))


def _facts(run: Run, found: Inferred, *, vectors: bool) -> dict[str, Any]:
    """Return inferences as JSON holds them; the same seeds give the same numbers."""
    ids = documents_of(run).ids
    return {
        "run": run.name,
        "epoch": found.epoch,
        "seeds": list(range(found.times)),
        **as_json(found, "tokens", "known", "spread", "within", "between"),
        "neighbours_in_common": found.shared,
        "predicted": dict(zip(found.class_names, found.votes, strict=True)),
        "probabilities": found.probabilities,
        "nearest": [[ids[position] for position in row] for row in found.nearest],
    } | (as_json(found, "vectors") if vectors else {})


def _in_words(run: Run, found: Inferred) -> list[str]:
    """Return what a person wants to read of inferences."""
    position, often = found.commonest
    label = int(found.votes.argmax())
    times = "once, with seed 0" if found.times == 1 else f"{found.times} times, with seeds 0 to {found.times - 1}"
    sure = (
        ""
        if found.times == 1
        else f"; distance between two inferences {found.spread:.2f} times the distance between two documents; "
        f"{found.shared:.0%} of their {found.nearest.shape[1]} nearest documents are shared"
    )
    return [
        f"{found.class_names[label]} {found.votes[label]} of {found.times} (epoch {found.epoch}), "
        f"inferred {times}, from "
        f"{found.known:,} in-vocabulary words{sure}; nearest document: {documents_of(run).ids[position]}, "
        f"{often} of {found.times}"
    ]


COMMAND = Command(
    "infer", "infer a text’s paragraph vector and measure how stable its position is", _add_arguments, _run
)
