"""The linear baseline: its features by hand, its fit, and the run that it leaves."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.metrics import log_loss

from nlpviz.runs import Run
from nlpviz.runs.counts import NGRAMS
from nlpviz.training.baseline import BaselineSettings, fit, log_count_ratio, ngrams, weigh
from tests import toy

SETTINGS = BaselineSettings(corpus="toy", class_names=toy.CLASSES)


def test_ngrams_are_of_one_to_so_many_words() -> None:
    assert ngrams("Not <b>bad</b>!!!", 3) == ["not", "bad", "!!!", "not bad", "bad !!!", "not bad !!!"]
    assert ngrams("a b", 1) == ["a", "b"]
    assert ngrams("", 3) == []


def test_log_count_ratio_by_hand() -> None:
    """Wang and Manning 2012, section 2.1: two texts of each label, two n-grams, alpha = 1."""
    present = csr_matrix(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]]))
    ratio = log_count_ratio(present, np.array([1, 1, 0, 0]), smoothing=1.0)
    p, q = np.array([1 + 2, 1 + 1]), np.array([1 + 0, 1 + 1])
    np.testing.assert_allclose(ratio, np.log((p / 5) / (q / 3)))
    np.testing.assert_allclose(weigh(present, ratio).toarray(), present.toarray() * ratio)


def test_fit_finds_the_words_that_decide() -> None:
    train, test = toy.read("train"), toy.read("test")
    fitted = fit(train.texts, train.labels, SETTINGS)
    (weights,) = fitted.weights
    names = fitted.counter.get_feature_names_out()
    assert names[weights.argmax()] in toy.PLANTED
    assert (fitted.probabilities(test.texts).argmax(axis=1) == test.labels).all()
    assert np.isfinite(fitted.probabilities(["", "zzz"])).all()


def test_run_holds_what_was_measured_and_the_strongest_ngrams(toy_trained: Path) -> None:
    run = Run.open(toy_trained / "toy-ngrams")
    train, test = toy.read("train"), toy.read("test")
    fitted = fit(train.texts, train.labels, SETTINGS)
    assert run.kind == "baseline"
    assert run.metrics["test"]["loss"] == pytest.approx(log_loss(test.labels, fitted.probabilities(test.texts)))
    assert run.metrics["test"]["documents"] == len(test)
    assert run.parameter_count == fitted.ratios.size + 1
    assert run.corpus["train"] == len(train)
    with run.file(NGRAMS).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [set(row) for row in rows] == [{"ngram", "weight"}] * len(rows)
    weights = {row["ngram"]: float(row["weight"]) for row in rows}
    assert {"splendid", "dreadful"} <= set(weights)
    assert all(np.isfinite(list(weights.values())))
