"""Epochs whose weights a run does not keep: what they said of the documents stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nlpviz.results.history import EpochRecord
from nlpviz.runs import Run
from nlpviz.runs.documents import every_epoch_of
from nlpviz.runs.history import read_history
from nlpviz.training import Options
from nlpviz.training.classifier import classifier_recipe
from tests import toy


@pytest.mark.ci
@pytest.mark.usefixtures("toy_modules")
def test_a_run_that_was_stopped_after_its_documents_is_made_once_more(tmp_path: Path) -> None:
    """Their weights are needed again, and are no part of the run."""
    folder = tmp_path / "toy-few"
    recipe = classifier_recipe("toy-few", "Few epochs", replace(toy.settings("cnn"), kept_epochs=(0,)))
    made = []
    for _ in range(2):
        folder.mkdir(exist_ok=True)
        recipe.make(folder, Options(device="cpu"))
        made.append(Run.open(folder))
    first, again = made
    assert set(first.epochs) == {0, first.best_epoch}
    epochs = {record.epoch for record in read_history(first, EpochRecord)}
    assert set(every_epoch_of(first)) == epochs > set(first.epochs)
    assert again.epochs == first.epochs
    assert again.files == first.files
    assert len([name for name in first.files if name.startswith("epoch-")]) == len(first.epochs)
