"""What is said of a run after its training is what it predicts for its test split, beside its baseline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nlpviz.run_kinds.after_training import of_test_split, said
from nlpviz.runs import Run, open_run
from nlpviz.runs.predictions import PREDICTIONS, predictions_of
from nlpviz.stats.calibration import temperature
from nlpviz.training.predictions import probabilities
from nlpviz.training.temperature import with_temperature
from tests import toy


@pytest.fixture
def run(trained: Path) -> Run:  # noqa: ARG001 - the toy runs, in the place of trained/
    return open_run("toy-cnn")


def test_it_is_read_off_the_run_alone(run: Run) -> None:
    whole = of_test_split(run)
    assert whole is not None
    assert (whole.run, whole.epoch, whole.source) == ("toy-cnn", run.best_epoch, "the test split of toy")
    assert whole.documents == toy.SIZES["test"]
    assert whole.accuracy == run.metrics["test"]["accuracy"]
    known = whole.calibration
    assert known.scores is not None
    assert known.scores.loss == pytest.approx(run.metrics["test"]["loss"], abs=1e-3)
    assert known.temperature is not None
    assert known.temperature.fitted_on == "validation"
    assert known.temperature.value == pytest.approx(run.metrics["validation"]["temperature"])


def test_another_epoch_has_no_temperature_of_the_best_one(run: Run) -> None:
    whole = of_test_split(run, 0)
    assert whole is not None
    assert whole.epoch == 0
    assert whole.calibration.temperature is not None
    assert whole.calibration.temperature.fitted_on == "cross-fitting"
    assert whole.accuracy == np.mean(predictions_of(run, 0).right)


def test_the_baseline_stands_beside(run: Run) -> None:
    lines = said(run)
    assert lines[0].startswith("toy-cnn, epoch ")
    assert "bag of n-grams" in lines[-1]
    assert not any("bag of n-grams" in line for line in said(open_run("toy-ngrams")))


def test_of_a_run_without_predictions_that_is_said_which_its_curves_show(run: Run) -> None:
    (run.folder / PREDICTIONS).unlink()
    (line,) = said(run.save())
    assert f"{run.metrics['test']['accuracy']:.1%}" in line
    assert "*" not in line


@pytest.mark.usefixtures("toy_modules")
def test_the_temperature_is_that_of_the_validation_texts(run: Run) -> None:
    """They are the last ones of each label, 30 of 120."""
    train = toy.read("train")
    held = np.concatenate([np.flatnonzero(train.labels == label)[-30:] for label in (0, 1)])
    rows = [run.vocabulary.ids(train.texts[position].split()) for position in held]
    expected = temperature(probabilities(run.load(), rows), train.labels[held])
    assert with_temperature(run).metrics["validation"]["temperature"] == pytest.approx(expected, abs=1e-3)
