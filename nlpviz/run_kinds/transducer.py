"""Networks that answer sequences step by step, with a tape or without: bits that they get wrong, by length."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.results.history import TransducerEpoch
from nlpviz.run_kinds import (
    EPOCH,
    Answer,
    Column,
    Criterion,
    Curve,
    Evaluation,
    Headline,
    Kind,
    Measure,
    Request,
    chosen_epoch,
    parameters,
)
from nlpviz.run_kinds.recipes import options_of
from nlpviz.runs import Run
from nlpviz.runs.run import HISTORY
from nlpviz.runs.transducers import KIND as NAME
from nlpviz.runs.transducers import LENGTHS
from nlpviz.runs.weights import all_weights

NOISE = 0.002
"""Share of bits: about a sequence in a hundred more or less."""
WRONG = Headline(
    "Wrong bits", "test", "error", ".2%", on="test sequences of training lengths", more_is_better=False, drawn="error"
)
AT_TWICE = Headline("At twice the length", "test", "error_twice", ".2%", more_is_better=False)


def _evaluate(run: Run, request: Request) -> Evaluation:
    """Return how often an epoch answers the test sequences wrongly, at trained lengths and by length."""
    from nlpviz.language.decoding.bits import length_error
    from nlpviz.runs.transducers import load_transducer, task_of
    from nlpviz.training.transducer import TRIED, evaluate

    epoch = request.epoch_of(run)
    facts = evaluate(run.name, options_of(request), epoch)
    task, module = task_of(run), load_transducer(run, epoch)
    lengths = [length_error(module, task, epoch, length, TRIED, "test") for length in task.tested]
    lines = [
        f"{run.name}, epoch {epoch}: {facts['error']:.2%} of the bits wrong on {facts['documents']:,} test sequences "
        f"of {task.trained[0]} to {task.trained[-1]} {task.unit}, as in training; {facts['error_twice']:.2%} at "
        f"{task.twice}",
        *(f"{row.length:>5} {task.unit}: {row.error:7.2%} wrong, {row.exact:6.1%} without errors" for row in lengths),
    ]
    by_length = {str(row.length): {"error": row.error, "exact": row.exact} for row in lengths}
    return Evaluation({"run": run.name, "epoch": epoch, **facts, "lengths": by_length}, lines)


def _files(run: Run) -> frozenset[str]:
    """Return the files of a run: the weights of the kept epochs, and the errors by length."""
    return frozenset({HISTORY, LENGTHS, *all_weights(run.epochs, run.files)})


def _learnt(run: Run, history: Sequence[TransducerEpoch]) -> tuple[Answer, ...]:
    chosen = next(record for record in history if record.epoch == run.best_epoch)
    sentence = (
        "Best epoch (validation): {epoch}, with {validation:.2%} of the validation bits wrong. On {sequences:,.0f} "
        "test sequences of the training lengths, **{test:.2%}** are wrong; at twice the longest length, {twice:.2%}."
    )
    test = run.metrics["test"]
    pieces = {
        "epoch": run.best_epoch,
        "validation": chosen.validation_error,
        "test": test["error"],
        "sequences": test["documents"],
        "twice": test["error_twice"],
    }
    return (Answer(sentence, pieces),)


def _reading(_: Run) -> str:
    return """
**Loss** is the mean cross-entropy per output bit in nats; random guessing yields ln 2 = 0.693. **Error** is
the share of wrong output bits, 50% by chance. Both are measured on validation sequences of the training lengths; the
horizontal line is the error on test sequences of these lengths.
"""


def _tape(run: Run) -> str:
    return f"{run.config['cells']} × {run.config['width']}" if "cells" in run.config else "none"


KIND = Kind(
    name=NAME,
    says="is a network that copies or recalls bit sequences",
    table="Copying and recall",
    headline=WRONG,
    criterion=Criterion("validation", "error", NOISE, more_is_better=False),
    evaluate=_evaluate,
    columns=(
        Column(WRONG.name, WRONG.written),
        Column("At twice the length", AT_TWICE.written),
        Column("Memory (cells × width)", _tape),
        Column("Best epoch (validation)", chosen_epoch),
        Column("Parameters", parameters),
    ),
    record=TransducerEpoch,
    measures=(
        Measure(
            "loss", "loss (nats per bit)", (Curve("train_loss", "train"), Curve("validation_loss", "validation")), ".3f"
        ),
        Measure("error", "wrong bits", (Curve("validation_error", "validation"),), ".1%"),
    ),
    files=_files,
    learnt=_learnt,
    reading=_reading,
    options=(EPOCH,),
    commands=("tape",),
    pages=("Toy tasks",),
    group=lambda run: (run.corpus["name"],),
    order=60,
)
