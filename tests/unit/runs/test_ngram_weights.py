"""The weights of a baseline, kept by hash and rounded: what they answer is what scikit-learn's own fit does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.results.ngram_weights import NgramWeights
from nlpviz.runs import Run, RunError
from nlpviz.runs.ngram_weights import WEIGHTS, read_weights, write_weights
from nlpviz.training.baseline import BaselineSettings, fit, kept_weights
from tests import toy

NGRAMS = ["good", "not good", "not", "bad", "not a good"]


def two_classes() -> NgramWeights:
    return NgramWeights.of(NGRAMS, np.array([[1.0, -2, 0.5, -1, 4]]), np.array([0.25]), 3)


@pytest.mark.parametrize(
    ("text", "log_odds"),
    [
        ("Good good", 1.25),
        ("not good!", 1 - 2 + 0.5 + 0.25),
        ("not a GOOD", 1 + 0.5 + 4 + 0.25),
        ("", 0.25),
        ("something else", 0.25),
    ],
)
def test_each_ngram_of_a_text_counts_once(text: str, log_odds: float) -> None:
    (found,) = two_classes().probabilities([text])
    assert found == pytest.approx([1 / (1 + np.exp(log_odds)), 1 / (1 + np.exp(-log_odds))])


@pytest.mark.parametrize("text", ["Good good", "not good!", "not a GOOD", "", "something else", "bad not good " * 50])
def test_the_terms_of_a_text_add_up_to_its_log_odds(text: str) -> None:
    known = two_classes()
    terms = known.terms(text, 0)
    assert sum(one.weight for one in terms) + 0.25 == pytest.approx(float(known.weigh(text).scores[0]))
    assert len({one.ngram for one in terms}) == len(terms)
    assert all(one.ngram in text.lower() for one in terms)


def test_of_more_classes_each_has_a_regression_against_the_rest() -> None:
    known = NgramWeights.of(["a", "b"], np.array([[2.0, 0], [0, 1], [-1, -1]]), np.array([0.0, 0.5, 0]), 1)
    (found,) = known.probabilities(["a"])
    own = 1 / (1 + np.exp(-np.array([2.0, 0.5, -1])))
    assert found == pytest.approx(own / own.sum())
    assert known.probabilities([]).shape == (0, 3)


def test_they_are_written_and_read(trained: Path) -> None:
    run = Run.open(trained / "toy-ngrams")
    rng = np.random.default_rng(0)
    names = [f"w{number} x{number % 7}" for number in range(5_000)]
    known = NgramWeights.of(names, rng.normal(size=(3, 5_000)), np.array([0.1, -0.2, 3]), 2)
    write_weights(run.folder, known)
    again = read_weights(run.save())
    np.testing.assert_array_equal(again.hashes, known.hashes)
    np.testing.assert_array_equal(again.biases, known.biases)
    np.testing.assert_allclose(again.weights, known.weights, atol=1 / 1024)
    assert (again.longest, again.space) == (2, known.space)
    assert (run.folder / WEIGHTS).stat().st_size < 8 * 5_000, "six bytes of weights, and two of its hash"


@pytest.mark.parametrize("classes", [2, 3])
def test_weights_answer_as_their_fit_did(trained: Path, classes: int) -> None:
    train, test = toy.read("train"), toy.read("test")
    settings = BaselineSettings(corpus="toy", class_names=tuple("abc"[:classes]))
    labels = train.labels if classes == 2 else np.arange(len(train.labels)) % 3
    fitted = fit(train.texts, labels, settings)
    expected = fitted.probabilities(test.texts)
    known = kept_weights(fitted, settings)
    np.testing.assert_allclose(known.probabilities(test.texts), expected, atol=1e-5)
    run = Run.open(trained / "toy-ngrams")
    if classes > 2:
        write_weights(run.folder, known)
    np.testing.assert_allclose(read_weights(run.save()).probabilities(test.texts), expected, atol=0.01)


def test_a_run_without_them_says_how_to_get_them(trained: Path) -> None:
    run = Run.open(trained / "toy-ngrams")
    (run.folder / WEIGHTS).unlink()
    with pytest.raises(RunError, match="python -m nlpviz survey toy-ngrams"):
        read_weights(run.save())


def test_a_damaged_file_is_a_sentence(trained: Path) -> None:
    run = Run.open(trained / "toy-ngrams")
    (run.folder / WEIGHTS).write_bytes((run.folder / "predictions.parquet").read_bytes())
    with pytest.raises(RunError, match="lacks the column gap"):
        read_weights(replace(run, files={}).save())
