"""Epoch 0 is said to be random as far as it was: its word vectors may be another run's, and a run need not keep it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nlpviz.analysis.projections import write_maps
from nlpviz.runs import Run, open_run
from nlpviz.runs.documents import projections_of
from nlpviz.runs.initial_weights import before_training
from nlpviz.runs.sharing import copied
from tests.pages.conftest import Page, shown

RUN = open_run("imdb-cnn")
PLACES = {
    "top n-grams": ("Inside the model", {}),
    "n-grams": ("One review", {"view": "n-grams"}),
    "saliency": ("One review", {"view": "saliency", "trust": "open"}),
    "saliency before training": ("One review", {"view": "saliency", "epoch": "0", "trust": "open"}),
}
places = pytest.mark.parametrize(("name", "address"), PLACES.values(), ids=PLACES)


def changed(folder: Path, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Run:
    """Return a copy of the committed run, so changed, in a folder of its own that pages see."""
    copied(RUN, folder / RUN.name)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    return replace(Run.open(folder / RUN.name), **changes).save()


@places
def test_vectors_of_another_run_are_not_called_random(page: Page, name: str, address: dict[str, str]) -> None:
    said = shown(page(name, **address)).replace("\\", "")
    assert "with the word vectors of Skip-gram on IMDB and all other weights random" in said
    assert "with random weights" not in said


@places
def test_a_run_that_began_with_none_was_random(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, address: dict[str, str]
) -> None:
    fit = {**RUN.recipe["fit"], "starts_from": ""}
    run = changed(tmp_path / "runs", monkeypatch, recipe={**RUN.recipe, "fit": fit})
    assert before_training(run) == "with random weights"
    said = shown(page(name, **address)).replace("\\", "")
    assert "with random weights" in said
    assert "imdb-skipgram" not in said


def test_a_run_that_does_not_keep_epoch_0_is_not_compared_with_it(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = changed(tmp_path / "runs", monkeypatch, epochs=RUN.epochs[1:])
    write_maps(run, [one for one in projections_of(RUN) if one.epoch])
    said = shown(page("Overview"))
    assert "before training" not in said
    assert f" at epoch {run.epochs[0]}, **" in said
    app = page("One review", view="saliency", epoch=[str(run.epochs[0]), str(run.best_epoch)], trust="open")
    assert not app.exception
    assert "This run does not store the weights before training" in shown(app)
    assert set(app.table[0].value["Sanity check"]) == {"–"}
