"""A classifier on labelled texts: every number is scikit-learn's, or counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score, precision_recall_fscore_support

from nlpviz.analysis.inspection.assessment import AssessmentError, assess, assess_predicted
from nlpviz.results.predictions import Predicted
from nlpviz.stats.calibration import calibration_error, proper_scores, tempered
from nlpviz.stats.significance import wilson

CLASSES = ("ham", "spam", "eggs", "tea")
NAMED = ("toy", 3, "mine.csv")


def answers(count: int = 200, present: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Return probabilities of four classes, of which ``present`` are labels."""
    rng = np.random.default_rng(0)
    labels = rng.integers(present, size=count)
    logits = rng.normal(size=(count, 4))
    logits[np.arange(count), labels] += 1
    return np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True), labels


@pytest.mark.parametrize("present", [3, 4])
def test_every_number_is_scikit_learns(present: int) -> None:
    probabilities, labels = answers(present=present)
    predicted = probabilities.argmax(axis=1)
    found = assess(NAMED, CLASSES, probabilities, labels)
    assert (found.run, found.epoch, found.source, found.documents) == (*NAMED, 200)
    assert found.accuracy == accuracy_score(labels, predicted)
    assert found.interval == wilson(found.accuracy, 200)
    assert found.macro_f1 == pytest.approx(f1_score(labels, predicted, average="macro"))
    np.testing.assert_array_equal(found.confusion.counts, confusion_matrix(labels, predicted, labels=range(4)))
    scores = precision_recall_fscore_support(labels, predicted, labels=range(4), zero_division=0)
    np.testing.assert_allclose([one[1:5] for one in found.classes], np.transpose(scores))
    assert [one.name for one in found.classes] == list(CLASSES)
    assert found.majority == np.bincount(labels).argmax()
    assert found.majority_accuracy == np.bincount(labels).max() / 200


def test_a_class_that_is_neither_label_nor_predicted_has_no_part_in_macro_f1() -> None:
    probabilities = np.array([[0.9, 0.1, 0, 0], [0.2, 0.8, 0, 0]])
    assert assess(NAMED, CLASSES, probabilities, np.array([0, 1])).macro_f1 == 1


def test_the_temperature_comes_from_elsewhere_or_from_the_other_texts() -> None:
    probabilities, labels = answers()
    given = assess(NAMED, CLASSES, probabilities, labels, temperature=2.0).calibration
    assert given.scores == proper_scores(probabilities, labels)
    assert given.temperature is not None
    assert (given.temperature.value, given.temperature.fitted_on) == (pytest.approx(2), "validation")
    after = tempered(probabilities, 2.0)
    assert given.temperature.scores == proper_scores(after, labels)
    right = probabilities.argmax(axis=1) == labels
    assert given.temperature.error == calibration_error(after.max(axis=1), right)
    own = assess(NAMED, CLASSES, probabilities, labels).calibration.temperature
    assert own is not None
    assert own.fitted_on == "cross-fitting"


def test_of_stored_predictions_what_is_not_known_is_not_said() -> None:
    probabilities, labels = answers()
    whole, part = (
        assess(NAMED, CLASSES, probabilities, labels),
        assess_predicted(NAMED, CLASSES, Predicted.of(probabilities), labels),
    )
    assert part.calibration.bins == whole.calibration.bins
    assert part.calibration.error == whole.calibration.error
    assert part.calibration.scores is part.calibration.temperature is None
    assert part.classes == whole.classes


def test_no_text_is_a_sentence() -> None:
    with pytest.raises(AssessmentError, match=r"No text in mine\.csv is labelled with a class of the run 'toy'"):
        assess(NAMED, CLASSES, np.zeros((0, 4)), np.zeros(0, int))


def test_far_too_sure_is_called_miscalibrated() -> None:
    labels = np.arange(400) % 2
    sure = np.tile([0.99, 0.01], (400, 1))
    even = np.tile([0.5001, 0.4999], (400, 1))
    assert assess(NAMED, CLASSES[:2], sure, labels).calibration.miscalibrated
    assert not assess(NAMED, CLASSES[:2], even, labels).calibration.miscalibrated
