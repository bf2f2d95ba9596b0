"""Views of a run whose documents are surveyed at some epochs: all are offered where weights are enough."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nlpviz.runs import Run
from nlpviz.ui.views import views_of
from tests import toy
from tests.pages.conftest import Page, asked_in_vain, faults

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"10_Explore.py": "toy-cnn", "20_One_review.py": "toy-cnn", "30_Inside_the_model.py": "toy-cnn"}
READERS = {"20_One_review.py": "toy-attentive-rnn", "32_Recurrent_networks.py": "toy-recurrent-network"}
SURVEYED = {"map", "attention", "top n-grams", "filters", "states", "units"}
"""Views that show what was computed of many documents, by their slugs."""


@pytest.fixture
def folder(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    toy_trained: Path,
    toy_surveyed: Callable[[str], Path],
) -> Iterator[Path]:
    """A folder of runs of the epochs 0 to 3 of which 0 and 3 are surveyed."""
    made = tmp_path / "trained"
    for source in (toy_trained / "toy-cnn", toy_surveyed("attentive-rnn"), toy_surveyed("recurrent-network")):
        shutil.copytree(source, made / source.name)
        run = Run.open(made / source.name)
        replace(run, recipe={**run.recipe, "surveyed_epochs": [0, 3]}).write()
    monkeypatch.setenv("NLPVIZ_TRAINED", str(made))
    with toy.discovered(tmp_path / "modules"):
        yield made


@pytest.mark.ci
@pytest.mark.usefixtures("folder")
def test_every_view_opens_at_an_epoch_that_is_not_surveyed(page: Page, subtests: pytest.Subtests) -> None:
    for of_pages in (PAGES, READERS):
        for file, run in of_pages.items():
            for view in views_of(ROOT / "pages" / file):
                with subtests.test(run=run, view=view.slug):
                    app = page(file[3:-3].replace("_", " "), view=view.slug, run=run, epoch="2")
                    assert not faults(app)
                    if view.slug in SURVEYED:
                        assert "epoch" in asked_in_vain(app) or not app.get("button_group")
