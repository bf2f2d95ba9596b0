"""The views Drift and Disagreement on the toy runs: what is shown, what a click opens, what is said of one seed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from nlpviz.results.predictions import Predicted
from nlpviz.results.seeds import SeedAnswers
from nlpviz.runs import open_run
from nlpviz.runs.documents import documents_of, embeddings_of
from nlpviz.runs.more_seeds import write_seeds
from nlpviz.runs.predictions import predictions_of
from nlpviz.ui.documents import churn, drift
from tests.pages.conftest import Page, figure, shown


@pytest.fixture(autouse=True)
def trained(toy_trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the toy runs in the place of ``trained/``, and one of them twice."""
    folder = tmp_path / "trained"
    shutil.copytree(toy_trained, folder)
    shutil.copytree(folder / "toy-cnn", folder / "toy-again")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    return folder


def with_seeds() -> None:
    """Keep two more seeds with the toy run: vectors beside its own, answers of which a tenth are turned."""
    run, rng = open_run("toy-cnn"), np.random.default_rng(0)
    said, rows = predictions_of(run).predicted, embeddings_of(run, run.best_epoch)
    turned = said.classes.copy()
    turned[::10] = 1 - turned[::10]
    write_seeds(
        run,
        [
            SeedAnswers(
                seed, 1, 0.9, 1.0, "cpu", (rows + rng.normal(size=rows.shape) * rows.std()).astype(np.float32),
                Predicted(turned, said.probabilities),
            )
            for seed in (5, 6)
        ],
    )  # fmt: skip


def test_without_another_seed_nothing_is_called_a_change(page: Page) -> None:
    app = page("Explore", view="drift", run="toy-cnn")
    assert not app.exception
    said = shown(app).replace("\\", "")
    assert "Seed noise is unknown" in said
    assert "changes cannot be separated from seed noise" in said
    assert "with `python -m nlpviz seeds toy-cnn --seed 2`" in said
    assert "**more** than" not in said
    assert not [trace for trace in figure(app)["figure"]["data"] if trace["name"].startswith("change")]


def test_seeds_are_the_floor_and_a_row_lists_the_neighbours(page: Page) -> None:
    with_seeds()
    app = page("Explore", view="drift", run="toy-cnn", neighbours="5", compared="seed 6")
    assert not app.exception
    said = shown(app).replace("\\", "")
    assert "(3 seeds, band " in said
    assert "**seed 6** compared with epoch" in said
    assert "no more than with another seed of" in said
    assert "neighbours change than between any two seeds of" not in said, "a seed is no change of itself"
    other = documents_of(open_run("toy-cnn")).ids[7]
    app.session_state[drift.PICKED] = other
    app.run()
    assert re.search(rf"{other}\)?, labelled ", shown(app).replace("\\", "")), "in brackets where its text is known"
    assert other in app.query_params["document"]
    epochs = page("Explore", view="drift", run="toy-cnn", against="before", compared="epoch 1")
    assert not epochs.exception
    assert "**epoch 0 to 1** compared with epoch 0" in shown(epochs).replace("\\", "")
    assert "more neighbours change than between any two seeds of" in shown(epochs).replace("\\", "")


@pytest.mark.parametrize("what", ["networks", "epochs"])
def test_who_disagrees_with_whom_and_about_what(page: Page, what: str) -> None:
    with_seeds()
    app = page("Explore", view="disagreement", run="toy-cnn", what=what)
    assert not app.exception
    said = shown(app).replace("\\", "")
    assert ("Two seeds of the same recipe disagree on" if what == "networks" else "than another seed does (") in said
    ids = predictions_of(open_run("toy-cnn")).ids
    if what == "networks":
        app.session_state["pair"] = "toy-cnn · toy-cnn seed 5"
        app.run()
        assert "they differ only in their seed" in shown(app)
        app.session_state[churn.PICKED] = ids[10]
        app.run()
        assert re.search(rf"{ids[10]}\)?, labelled ", shown(app).replace("\\", ""))
        assert ids[10] in app.query_params["document"]


def test_whoever_is_alone_is_told(page: Page, trained: Path) -> None:
    for name in ("toy-again", "toy-ngrams"):
        shutil.rmtree(trained / name)
    app = page("Explore", view="disagreement", run="toy-cnn")
    assert not app.exception
    assert "There is no other classifier on this corpus" in shown(app)
    assert "is unknown" not in shown(app)
