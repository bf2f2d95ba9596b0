"""``evaluate`` for classifiers: accuracy on the test texts, or on the user's texts and classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from nlpviz.run_kinds import TEXTS, Column, Criterion, Evaluation, Headline, Option, Request, UsageError
from nlpviz.run_kinds.own_files import paired_lines
from nlpviz.run_kinds.recipes import measured_again, options_of
from nlpviz.runs import Run
from nlpviz.runs.predictions import RATINGS_MASKED
from nlpviz.stats.significance import wilson
from nlpviz.text.vocabulary import shortened

ON_TEST = Headline("Test accuracy", "test", "accuracy", ".2%", drawn="accuracy", counted="documents")
INTERVAL = Column("95% interval", ON_TEST.between)
MASKED = Column("Test accuracy, ratings masked", Headline("", RATINGS_MASKED, "accuracy", ".2%").written)
"""Of a corpus whose texts may state their own label, such as 7/10."""
NOISE = 0.007
"""Two seeds of the CNN with vectors of their own were 0.7 points apart; 2,500 texts have a standard error of 0.6."""
ON_VALIDATION = Criterion("validation", "accuracy", NOISE)
LABELS = Option("--labels", Path, "file with the class name or number of each text, one per line")
OWN_FILE = (
    TEXTS,
    Option("--text", str, "text column (default: detected)"),
    Option("--label", str, "label column (default: detected)"),
    Option("--mapping", str, "labels in the file and their classes: pos=positive,neg=negative"),
    Option("--slice", str, "group column: accuracy is also reported for each of its values"),
    Option("--against", str, "second run with the same classes, compared on the same texts"),
    Option("--predictions", Path, "output file for the predictions: .csv, .jsonl or .parquet"),
    Option("--keep-texts", None, "include the texts in that file and in the printed output"),
    Option("--delimiter", str, "column delimiter of a CSV file (default: detected)"),
    Option("--encoding", str, "text encoding of the file (default: detected)"),
)
"""Of the user's labelled file."""
_NEED_FILE = ("text", "label", "mapping", "slice", "against", "predictions", "keep_texts", "delimiter", "encoding")


def evaluate(run: Run, request: Request) -> Evaluation:
    """Return the accuracy of an epoch, or of a run without epochs: on the test split, or on the user's texts.

    The report on a file with texts and classes is longer (:mod:`nlpviz.run_kinds.own_report`).

    Raises:
        RunError: if the run keeps no such epoch.
        UsageError: if the own texts have no classes, or none that the run knows.
    """
    epoch, texts = request.options.get("epoch"), request.options.get("texts")
    if texts is not None and request.options.get("labels") is None:
        from nlpviz.run_kinds.own_report import report

        return report(run, request)
    if any(request.options.get(name) for name in _NEED_FILE):
        raise UsageError("These options need --texts with one file of texts and labels.")
    epoch = run.check_epoch(epoch) if epoch is not None else run.best_epoch if run.epochs else None
    measured = _measured(run, epoch, request)
    which = run.name if epoch is None else f"{run.name}, epoch {epoch}"
    low, high = wilson(measured["accuracy"], measured["documents"])
    line = (
        f"{which}: accuracy {measured['accuracy']:.2%} (95% interval {low:.2%} to {high:.2%}), "
        f"loss {measured['loss']:.3f} nats, "
        f"{measured['documents']:,.0f} {'test documents' if texts is None else 'texts'}"
    )
    if "updates" in measured:
        line += f", state updated at {measured['updates']:.1%} of the words"
    return Evaluation({"run": run.name, "epoch": epoch, **measured, "interval": [low, high]}, [line])


def _measured(run: Run, epoch: int | None, request: Request) -> Mapping[str, float]:
    texts, labels = request.options.get("texts"), request.options.get("labels")
    if texts is None and labels is not None:
        raise UsageError("Use --texts and --labels together, because the accuracy compares predictions with classes.")
    if texts is None or labels is None:
        return measured_again(run, epoch, request)
    lines, classes = _own(run, texts, labels)
    import numpy as np

    from nlpviz.training.classifier import measure_texts

    return measure_texts(run, lines, np.array(classes, dtype=np.int8), options_of(request), epoch)


def _own(run: Run, texts: Path, labels: Path) -> tuple[Sequence[str], list[int]]:
    """Return the user's texts, and the number of each text's class, from 0."""
    lines, names = paired_lines(texts, labels, "class")
    known = {str(position): position for position in range(len(run.class_names))}
    known |= {name: position for position, name in enumerate(run.class_names)}
    classes = []
    for number, name in enumerate(map(str.strip, names), start=1):
        if name not in known:
            there = ", ".join(run.class_names)
            raise UsageError(
                f"Line {number} of {labels} contains an unknown class: {shortened(name)!r}; the classes are {there}."
            )
        classes.append(known[name])
    return lines, classes
