"""How good a classifier is on labelled texts, from its probabilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.assessment import Assessment, Calibration, ClassMeasures, Temperature
from nlpviz.results.confusion import Confusion
from nlpviz.results.predictions import Predicted
from nlpviz.runs import Run
from nlpviz.runs.documents import documents_of, every_epoch_of
from nlpviz.stats.calibration import (
    calibration_error,
    cross_fitted,
    error_by_chance,
    histogram,
    proper_scores,
    reliability,
    tempered,
)
from nlpviz.stats.significance import wilson


class AssessmentError(Exception):
    """There is no text with a label that the run knows; the message is one sentence for people."""


def assess(
    named: tuple[str, int, str],
    class_names: tuple[str, ...],
    probabilities: NDArray[np.floating],
    labels: NDArray[np.integer],
    temperature: float | None = None,
) -> Assessment:
    """Return how good a classifier is on N texts.

    Args:
        named: the run, its epoch, and what the texts are.
        class_names: the K classes.
        probabilities: what it says of each text, (N, K).
        labels: indices of classes, (N,).
        temperature: fitted to the run's validation texts; None fits one to these texts by cross-fitting.

    Raises:
        AssessmentError: if N is 0.
    """
    whole = assess_predicted(named, class_names, Predicted.of(probabilities), labels)
    calibration = replace(
        whole.calibration,
        scores=proper_scores(probabilities, labels),
        temperature=_temperature(probabilities, labels, temperature),
    )
    return replace(whole, calibration=calibration)


def assess_epochs(run: Run, report: Callable[[float], object] = lambda _: None) -> list[Assessment]:
    """Return how far the probabilities of every epoch are right on the test texts that a run keeps, in ascending order.

    Epochs whose weights are not kept are among them. A temperature is cross-fitted at each.

    Args:
        run: a classifier that keeps test documents.
        report: progress callback, called with the completed fraction.
    """
    labels, by_epoch = documents_of(run).labels, every_epoch_of(run)
    source, found = f"the test split of {run.corpus['name']}", []
    for at, epoch in enumerate(sorted(by_epoch)):
        report(at / len(by_epoch))
        found.append(assess((run.name, epoch, source), run.class_names, by_epoch[epoch], labels))
    return found


def assess_predicted(
    named: tuple[str, int, str],
    class_names: tuple[str, ...],
    predicted: Predicted,
    labels: NDArray[np.integer],
) -> Assessment:
    """Return how good a classifier is on N texts, from the predicted class and its probability only.

    Args:
        named: the run, its epoch, and what the texts are.
        class_names: the K classes.
        predicted: what it says of each text.
        labels: indices of classes, (N,).

    Raises:
        AssessmentError: if N is 0.
    """
    count = len(labels)
    if not count:
        raise AssessmentError(f"No text in {named[2]} is labelled with a class of the run {named[0]!r}.")
    confusion = Confusion.of(class_names, labels, predicted.classes)
    classes = _classes(confusion)
    support = confusion.counts.sum(axis=1)
    accuracy = float(np.trace(confusion.counts) / count)
    return Assessment(
        *named,
        documents=count,
        accuracy=accuracy,
        interval=wilson(accuracy, count),
        majority=int(support.argmax()),
        majority_accuracy=float(support.max() / count),
        macro_f1=float(np.mean([one.f1 for one in classes if one.support or one.predicted])),
        classes=classes,
        confusion=confusion,
        calibration=_calibration(predicted, labels),
    )


def _classes(confusion: Confusion) -> tuple[ClassMeasures, ...]:
    counts = confusion.counts
    columns = (counts.diagonal().tolist(), counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist())
    return tuple(
        ClassMeasures(
            name,
            right / predicted if predicted else 0.0,
            right / support if support else 0.0,
            2 * right / (support + predicted) if support + predicted else 0.0,
            support,
            predicted,
        )
        for name, right, support, predicted in zip(confusion.class_names, *columns, strict=True)
    )


def _calibration(predicted: Predicted, labels: NDArray[np.integer]) -> Calibration:
    right, confidences = predicted.classes == labels, predicted.probabilities
    return Calibration(
        bins=reliability(confidences, right),
        histogram=histogram(confidences),
        confidence=float(confidences.mean()),
        error=calibration_error(confidences, right),
        by_chance=error_by_chance(confidences),
    )


def _temperature(probabilities: NDArray[np.floating], labels: NDArray[np.integer], fitted: float | None) -> Temperature:
    """Return what a temperature makes of the probabilities: one fitted elsewhere, or by cross-fitting."""
    by = cross_fitted(probabilities, labels) if fitted is None else np.full(len(labels), fitted)
    after = tempered(probabilities, by)
    return Temperature(
        value=float(np.exp(np.log(by).mean())),
        fitted_on="validation" if fitted is not None else "cross-fitting",
        scores=proper_scores(after, labels),
        error=calibration_error(after.max(axis=1), probabilities.argmax(axis=1) == labels),
    )
