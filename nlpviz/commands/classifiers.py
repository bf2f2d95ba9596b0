"""``evaluate`` for classifiers: accuracy on the test texts, or on a person's own texts and classes. No command."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlpviz.commands import UsageError, named, paired_lines, print_json, teller
from nlpviz.runs import Run
from nlpviz.text.vocabulary import shortened
from nlpviz.training import Options
from nlpviz.training.recipes import recipes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def evaluate_classifier(run: Run, asked: argparse.Namespace) -> None:
    """Print the accuracy of a classifier's epoch, or of a yardstick: of the test split, or of a person's own texts.

    Raises:
        RunError: if the run keeps no such epoch.
        UsageError: if the own texts have no classes, or one that the run does not know.
    """
    epoch = run.check_epoch(asked.epoch) if asked.epoch is not None else run.best_epoch if run.epochs else None
    measured = _measured(run, epoch, asked)
    if asked.json:
        print_json({"run": run.name, "epoch": epoch, **measured})
        return
    which = run.name if epoch is None else f"{run.name}, epoch {epoch}"
    texts = "test documents" if asked.texts is None else "texts"
    print(
        f"{which}: accuracy {measured['accuracy']:.2%}, loss {measured['loss']:.3f} nats, "
        f"{measured['documents']:,.0f} {texts}"
    )


def _measured(run: Run, epoch: int | None, asked: argparse.Namespace) -> dict[str, float]:
    if (asked.texts is None) != (asked.labels is None):
        raise UsageError("Give --texts and --labels together: the accuracy compares predictions with classes.")
    options = Options(device=asked.device, say=teller(asked))
    if asked.texts is None:
        return named(recipes(), run.name, "recipe").evaluate(run.name, options, epoch)
    texts, classes = _own(run, asked.texts, asked.labels)
    import numpy as np

    from nlpviz.training.classifier import measure_texts

    return measure_texts(run, texts, np.array(classes, dtype=np.int8), options, epoch)


def _own(run: Run, texts: Path, labels: Path) -> tuple[Sequence[str], list[int]]:
    """Return a person's own texts, and the number of each one's class, from 0."""
    lines, names = paired_lines(texts, labels, "class")
    known = {str(place): place for place in range(len(run.class_names))}
    known |= {name: place for place, name in enumerate(run.class_names)}
    classes = []
    for number, name in enumerate(map(str.strip, names), start=1):
        if name not in known:
            there = ", ".join(run.class_names)
            raise UsageError(f"Line {number} of {labels} names no class: {shortened(name)!r}; the classes are {there}.")
        classes.append(known[name])
    return lines, classes
