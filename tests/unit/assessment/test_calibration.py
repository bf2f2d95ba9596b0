"""What bins hold, the error of Guo et al. by hand, what chance makes of it, proper scores, temperatures."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from sklearn.metrics import brier_score_loss, log_loss

from nlpviz.stats.calibration import (
    calibration_error,
    cross_fitted,
    error_by_chance,
    proper_scores,
    reliability,
    temperature,
    tempered,
)
from nlpviz.stats.significance import wilson


def drawn(
    count: int, classes: int, seed: int = 0, sharper: float = 1.0
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return probabilities and labels drawn by them; then the probabilities are made ``sharper`` than is right."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(scale=1.5, size=(count, classes))
    true = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    labels = np.array([rng.choice(classes, p=row) for row in true])
    said = np.exp(sharper * logits)
    return said / said.sum(axis=1, keepdims=True), labels


def test_the_error_is_that_of_guo_et_al_counted_by_hand() -> None:
    rng = np.random.default_rng(1)
    confidences, right = rng.uniform(0.2, 1, 500), rng.random(500) < 0.7
    confidences[:3] = (1 / 15, 1.0, 0.4)  # on the edges
    expected = 0.0
    for number in range(15):
        inside = (confidences > number / 15) & (confidences <= (number + 1) / 15)
        if inside.any():
            expected += inside.mean() * abs(right[inside].mean() - confidences[inside].mean())
    assert calibration_error(confidences, right) == pytest.approx(expected)
    assert calibration_error(np.zeros(0), np.zeros(0, bool)) == 0


def test_bins_hold_as_many_texts_and_equals_stand_together() -> None:
    rng = np.random.default_rng(2)
    confidences, right = rng.random(103), rng.random(103) < 0.5
    bins = reliability(confidences, right)
    assert {one.texts for one in bins} == {10, 11}
    assert sum(one.texts for one in bins) == 103
    for one in bins:
        inside = (confidences >= one.low) & (confidences <= one.high)
        assert inside.sum() == one.texts
        assert one.confidence == pytest.approx(confidences[inside].mean())
        assert one.accuracy == pytest.approx(right[inside].mean())
        assert one.interval == wilson(one.accuracy, one.texts)
    equal = reliability(np.repeat([0.5, 1.0], [4, 96]), np.ones(100, bool))
    assert [one.texts for one in equal] == [4, 96]
    assert [one.texts for one in reliability(np.array([0.3, 0.2]), np.array([True, False]))] == [1, 1]


def test_chance_makes_an_error_where_nothing_is_wrong() -> None:
    few, many = (drawn(count, 2)[0].max(axis=1) for count in (100, 10_000))
    assert error_by_chance(few).mean > 5 * error_by_chance(many).mean > 0
    hits = 0
    for seed in range(60):
        confidences = np.random.default_rng(seed).uniform(0.5, 1, 150)
        right = np.random.default_rng(1000 + seed).random(150) < confidences
        hits += calibration_error(confidences, right) > error_by_chance(confidences, seed).highest
    assert hits <= 9, "about 3 of 60 calibrated classifiers exceed it"
    assert error_by_chance(np.zeros(0)) == (0, 0)


def test_proper_scores_are_scikit_learns() -> None:
    for classes in (2, 4):
        probabilities, labels = drawn(300, classes)
        scores = proper_scores(probabilities, labels)
        assert scores.loss == pytest.approx(log_loss(labels, probabilities, labels=range(classes)))
        assert scores.brier == pytest.approx(
            brier_score_loss(labels, probabilities, labels=range(classes), scale_by_half=False)
        )
    certain = proper_scores(np.array([[1.0, 0.0]]), np.array([1]))
    assert np.isfinite(certain.loss)
    assert certain.brier == 2


@pytest.mark.parametrize(("classes", "sharper"), [(2, 3.0), (5, 0.5), (3, 1.0)])
def test_the_temperature_has_the_least_loss(classes: int, sharper: float) -> None:
    probabilities, labels = drawn(4_000, classes, sharper=sharper)
    found = temperature(probabilities, labels)
    best = minimize_scalar(
        lambda by: proper_scores(tempered(probabilities, by), labels).loss, bounds=(0.05, 20), method="bounded"
    )
    assert found == pytest.approx(best.x, rel=1e-3)
    assert found == pytest.approx(sharper, rel=0.15)
    np.testing.assert_array_equal(tempered(probabilities, found).argmax(axis=1), probabilities.argmax(axis=1))


def test_where_nothing_is_wrong_the_temperature_stays_finite() -> None:
    probabilities = np.array([[0.9, 0.1], [0.2, 0.8]])
    assert 0.01 < temperature(probabilities, np.array([0, 1])) < 0.05
    assert 20 < temperature(probabilities, np.array([1, 0])) < 60


def test_no_text_has_a_temperature_that_its_own_label_chose() -> None:
    probabilities, labels = drawn(50, 3, sharper=2.0)
    found = cross_fitted(probabilities, labels)
    assert 2 <= len(set(found)) <= 5
    for position in range(50):
        changed = labels.copy()
        changed[position] = (labels[position] + 1) % 3
        assert cross_fitted(probabilities, changed)[position] == found[position]
    assert cross_fitted(probabilities[:1], labels[:1]) == [1]
