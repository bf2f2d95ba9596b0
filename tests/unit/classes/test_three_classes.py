"""Runs of more than two classes: what is trained, kept, surveyed and said of them."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

from nlpviz.figures.class_names import short_names
from nlpviz.figures.documents.confusion import confusion_matrix, largest_confusions
from nlpviz.figures.documents.maps import MapStyle, document_map
from nlpviz.networks.architectures import class_probabilities
from nlpviz.results.confusion import Confusion
from nlpviz.runs import Run
from nlpviz.runs.counts import NGRAMS
from nlpviz.runs.documents import (
    DOCUMENTS,
    documents_of,
    every_epoch_of,
    probabilities_of,
    projections_of,
    run_documents,
)
from nlpviz.runs.predictions import PREDICTIONS, RATINGS_MASKED, masked_predictions, predictions_of
from nlpviz.runs.surveys import document_regions, filters, top_ngrams
from nlpviz.training.baseline import BaselineSettings, fit
from tests import three


@pytest.fixture(scope="module")
def run(three_trained: Path) -> Run:
    """The network of three classes."""
    return Run.open(three_trained / "three-cnn")


@pytest.fixture(scope="module")
def baseline(three_trained: Path) -> Run:
    """Its yardstick."""
    return Run.open(three_trained / "three-ngrams")


def test_network_and_yardstick_learn_the_planted_rule(run: Run, baseline: Run) -> None:
    assert run.metrics["test"]["accuracy"] > 0.9
    assert baseline.metrics["test"]["accuracy"] > 0.9
    assert run.config["classes"] == len(run.class_names) == 3


def test_the_documents_kept_have_a_word_and_the_probabilities_of_all_classes(run: Run) -> None:
    kept = documents_of(run)
    assert np.bincount(kept.labels).tolist() == [20, 20, 20]
    assert kept.lengths.min() > 0
    assert set(every_epoch_of(run)) == {0, 1, 2, 3} > set(run.epochs)
    trained, answers = run.load(), probabilities_of(run, run.best_epoch)
    for position in range(0, 60, 13):
        row = torch.from_numpy(trained.encode(three.find(kept.ids[position])).row).unsqueeze(0)
        expected = class_probabilities(trained.module(row))[0].numpy()
        np.testing.assert_allclose(answers[position], expected, atol=1e-4)
    assert pq.read_schema(run.file(DOCUMENTS)).field("probability.00").type.list_size == 3


def test_nothing_is_measured_or_said_of_ratings(run: Run, baseline: Run) -> None:
    for one in (run, baseline):
        assert set(one.metrics) <= {"validation", "test"}
        assert RATINGS_MASKED not in one.metrics
        assert masked_predictions(one) is None
        assert not {"rated", "masked.predicted"} & set(pq.read_schema(one.file(PREDICTIONS)).names)
        card = (one.folder / "README.md").read_text(encoding="utf-8")
        assert "rating" not in card
        assert "trained only on notes that a program made up" in card
    assert len(predictions_of(run).ids) == run.metrics["test"]["documents"] == 90


def test_the_yardstick_has_a_regression_for_each_class_against_the_rest(baseline: Run) -> None:
    train = three.read("train")
    fitted = fit(train.texts, train.labels, BaselineSettings("three", three.CLASSES))
    answers = fitted.probabilities(["a dreadful day", "a middling day", "a splendid day"])
    assert answers.argmax(axis=1).tolist() == [0, 1, 2]
    np.testing.assert_allclose(answers.sum(axis=1), 1)
    assert fitted.ratios.shape == fitted.weights.shape
    assert baseline.parameter_count == 3 * fitted.ratios.shape[1] + 3
    with baseline.file(NGRAMS).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for name, planted in zip(three.CLASSES, three.PLANTED, strict=True):
        strongest = max((row for row in rows if row["class"] == name), key=lambda row: float(row["weight"]))
        assert planted in strongest["ngram"]


def test_each_class_has_top_ngrams_and_weights_of_filters(run: Run) -> None:
    for target, planted in enumerate(three.PLANTED):
        rows = top_ngrams(run, run.best_epoch, target)
        assert planted in rows[0].ngram
        assert rows[-1].contribution < 0
        weights = run.load().module.output.weight[target].tolist()
        assert [one.weight for one in filters(run, run.best_epoch, target)] == pytest.approx(weights, abs=1e-6)
    said, predicted = document_regions(run), probabilities_of(run, run.best_epoch).argmax(axis=1)
    assert [one.target for one in said.values()] == predicted.tolist()
    named = [any(three.PLANTED[one.target] in ngram for ngram, _ in one.pro) for one in said.values()]
    assert np.mean(named) > 0.9


def test_a_map_colours_labels_one_class_or_the_probability_of_the_predicted_one(run: Run) -> None:
    chart = next(one for one in projections_of(run) if (one.projector, one.dimensions) == ("pca", 2))
    documents, answers = run_documents(run), probabilities_of(run, chart.epoch)
    view = document_map([documents], [chart], "PCA", MapStyle())
    named = [trace.name for trace in view.figure.data if trace.customdata is not None]
    assert named == list(three.CLASSES)
    looks = {(trace.marker.color, trace.marker.symbol) for trace in view.figure.data if trace.customdata is not None}
    assert len(looks) == 3
    one = document_map([documents], [chart], "PCA", MapStyle(target=1))
    sizes = {trace.name: len(trace.customdata) for trace in one.figure.data if trace.customdata is not None}
    assert sizes == {"other classes": 40, "dull.middling": 20}
    np.testing.assert_array_equal(one.table[f"P(dull.middling), epoch {chart.epoch}"], answers[:, 1])
    colored = document_map([documents], [chart], "PCA", MapStyle(color="probability"))
    np.testing.assert_array_equal(colored.figure.data[0].marker.color, answers.max(axis=1))


def test_a_confusion_matrix_by_hand() -> None:
    found = Confusion(("a", "b<"), np.array([[3, 1], [0, 0]]))
    view = confusion_matrix(found, "run 1", document="note")
    assert view.table["count"] == [3, 1, 0, 0]
    assert view.table["share of the row"] == [0.75, 0.25, 0.0, 0.0]
    assert "3 of 4 notes on the diagonal. Most often confused: 1 of a predicted as b<" in view.alt
    assert view.figure.data[0].x[1] == "b&lt;"
    assert largest_confusions(found) == [("a", "b<", 1)]


def test_short_names_of_classes_are_each_their_own() -> None:
    assert short_names(["a.b.misc", "a.c.misc", "a.windows.x", "a.hockey"]) == [
        "b.misc",
        "c.misc",
        "windows.x",
        "hockey",
    ]
    long = ["the same long beginning, one", "the same long beginning, two"]
    assert short_names(long) == long
