"""The log of a training changes nothing of it, and a stopped one goes on with it."""

from __future__ import annotations

import shutil
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import torch

from nlpviz.results.history import EpochRecord
from nlpviz.runs import Run
from nlpviz.runs.training_log import TRAINING_LOG, training_log
from nlpviz.training import Options, TrainingError, accelerator_for, classifier
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.batches import Labelled
from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.fit import FitSettings, fit
from nlpviz.training.log import Moment, MomentLog, ask, marks, moments_of
from nlpviz.training.logged import FITTED, finish_log, keep_fitted
from nlpviz.training.texts import encoded
from tests import toy
from tests.unit.training import test_training
from tests.unit.training.test_training import Given, contents, interrupt, network, without_time

TEXTS, HELD_OUT = toy.labelled("train", 100), toy.labelled("test", 41)
ALL = Labelled([*TEXTS.ids, *HELD_OUT.ids], np.concatenate([TEXTS.labels, HELD_OUT.labels]))
PARTS = np.split(np.arange(len(ALL)), [len(TEXTS)])

SETTINGS = replace(test_training.SETTINGS, moments=4)


def logged(folder: Path, settings: FitSettings = SETTINGS, seed: int = 0) -> tuple[list[EpochRecord], list[Moment]]:
    """Fit a network to the first toy texts, with a log of them and of those held out; return records and moments."""
    folder.mkdir(exist_ok=True)
    device = accelerator_for("cpu")
    log = MomentLog(ALL, PARTS, folder, device)
    records = fit(network(seed), TEXTS, HELD_OUT, settings, folder, device, log)
    return records, log.kept(len(records))


@pytest.mark.parametrize("averaging", [0.9, 0.0], ids=["of averaged weights", "of the latest weights"])
def test_what_is_trained_is_the_same_with_a_log_and_without(tmp_path: Path, averaging: float) -> None:
    """Dropout of both kinds is on, so that a random number drawn for the log would change all that follows."""
    settings = replace(SETTINGS, averaging=averaging)
    (tmp_path / "without").mkdir()
    device = accelerator_for("cpu")
    without = fit(network(), TEXTS, HELD_OUT, settings, tmp_path / "without", device)
    records, moments = logged(tmp_path / "with", settings)
    assert contents(tmp_path / "with") == contents(tmp_path / "without")
    for one, other in zip(without_time(records), without_time(without), strict=True):
        assert asdict(one) == pytest.approx(asdict(other), rel=1e-5), "measured by the log, in other batches"
    assert len(moments) == 1 + 4 * (len(records) - 1)
    accuracy = np.mean((moments[-1].levels[: len(TEXTS)] > 127) == TEXTS.labels)
    assert accuracy == pytest.approx(records[-1].train_accuracy, abs=1e-6)
    assert len({moment.levels.tobytes() for moment in moments}) == len(moments), "each moment has weights of its own"


@pytest.mark.parametrize("step", [1, 10, 14])
def test_a_stopped_training_ends_with_the_log_of_one_that_nobody_stopped(tmp_path: Path, step: int) -> None:
    _, expected = logged(tmp_path / "whole")
    with pytest.MonkeyPatch.context() as patch:
        interrupt(patch, WeightAverage, "update", step)
        with pytest.raises(KeyboardInterrupt):
            logged(tmp_path / "stopped")
    _, found = logged(tmp_path / "stopped", seed=99)
    np.testing.assert_array_equal(np.stack([one.levels for one in found]), np.stack([one.levels for one in expected]))


def test_moments_are_spread_evenly_over_the_batches() -> None:
    assert marks(8, 4) == [2, 4, 6, 8]
    assert marks(7, 4) == [2, 4, 6, 7]
    assert marks(2, 4) == [1, 1, 2, 2]
    assert moments_of(2, 2) == [0, 0.5, 1, 1.5, 2]


def test_log_odds_are_those_of_the_last_of_two_classes_and_else_of_the_label() -> None:
    two, three = (Labelled([np.array([0]), np.array([1])], np.array([0, last])) for last in (1, 2))
    order = [np.array([1]), np.array([0])]
    for logits in ([[-1.0], [2.0]], [[0.5, -0.5], [1.0, 3.0]]):
        said, lost = ask(Given(logits), two, order, accelerator_for("cpu"))
        assert lost.tolist() == pytest.approx([np.log1p(np.exp(-1)), np.log1p(np.exp(-2))])
        assert said.predicted.tolist() == [0, 1]
        assert said.levels.tolist() == [127 - 16, 127 + 32]
    three_logits = torch.tensor([[1.0, 0.0, 0.0], [1.0, 1.0, 0.5]], dtype=torch.float64)
    said, lost = ask(Given(three_logits.tolist()), three, order, accelerator_for("cpu"))
    given = torch.softmax(three_logits, dim=1)[torch.arange(2), torch.tensor([0, 2])]
    assert lost.tolist() == pytest.approx((-given.log()).tolist())
    odds = torch.log(given / (1 - given)).numpy()
    assert said.levels.tolist() == (np.ceil(odds * 16) + 127).tolist()
    assert said.predicted.tolist() == [0, 0]


def test_three_classes_are_logged_as_well(three_trained: Path) -> None:
    log = training_log(Run.open(three_trained / "three-cnn"))
    assert log.right[:, -1].mean() > 0.9
    given = log.probabilities[:, -1]
    assert given[log.right[:, -1]].min() > 1 / 3 - 1 / 128
    assert log.right[given > 0.51, -1].all(), "more than half is the largest share"


@pytest.mark.usefixtures("toy_modules")
@pytest.mark.parametrize("other", ["", "toy-cnn"], ids=["own words", "words of another run"])
def test_test_texts_are_asked_about_as_the_finished_run_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toy_trained: Path, other: str
) -> None:
    """Of a network that reads sentences, with words of its own and with those of another run."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_trained))
    settings = replace(toy.settings("han"), words_of=other)
    stages = classifier_recipe("toy-read", "Read", settings).stages
    assert stages is not None
    arrays = stages.from_corpus(tmp_path, Options())
    vocabulary, train, test = classifier.rows_as_read(arrays, settings)
    for rows, split in ((train, "train"), (test, "test")):
        expected = encoded(vocabulary, toy.read(split).texts, sentences=True)
        assert [row.tolist() for row in rows] == [row.tolist() for row in expected]
    assert len(test) == len(toy.read("test"))
    if other:
        assert vocabulary.words == Run.open(toy_trained / other).vocabulary.words


@pytest.mark.usefixtures("toy_modules")
def test_a_training_that_asks_for_no_moments_keeps_no_log(tmp_path: Path) -> None:
    folder = tmp_path / "toy-none"
    folder.mkdir()
    settings = toy.settings("cnn", replace(toy.FIT, epochs=1, moments=0))
    classifier_recipe("toy-none", "None", settings).make(folder, Options(device="cpu"))
    assert TRAINING_LOG not in Run.open(folder).files


@pytest.mark.usefixtures("toy_modules")
def test_a_log_of_other_documents_is_refused(toy_trained: Path, tmp_path: Path) -> None:
    """Of training texts alone it may be: that is what a training with planted labels keeps."""
    train, test = toy.read("train").ids, toy.read("test").ids
    run = Run.open(Path(shutil.copytree(toy_trained / "toy-cnn", tmp_path / "toy-cnn")))
    for count, ids in ((len(train), tuple(train)), (len(train) + len(test), (*train, *test)), (9, ())):
        said = [Moment(np.zeros(count, dtype=np.uint8), np.zeros(count, dtype=np.int16))]
        keep_fitted(run.folder, said, [0.0], dict.fromkeys(("label", "part", "tokens"), np.zeros(count, dtype=int)))
        if ids:
            finish_log(run, test)
            assert training_log(Run.open(run.folder).save()).ids == ids
            assert not (run.folder / FITTED).exists()
        else:
            with pytest.raises(TrainingError, match="does not match the documents of its corpus"):
                finish_log(run, test)
