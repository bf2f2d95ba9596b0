"""The map of documents shows the stored coordinates, and what is known of a chosen document."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.figures.documents import COLORINGS
from nlpviz.projections import projectors
from nlpviz.runs import Run, open_run
from tests.pages.conftest import Page, figure, numbers, shown

RUN = open_run("imdb-cnn")


@pytest.mark.parametrize("dimensions", ["2", "3"])
@pytest.mark.parametrize("projector", sorted(projectors()))
def test_points_are_the_stored_map(page: Page, projector: str, dimensions: str) -> None:
    epoch = RUN.epochs[1]
    app = page("Documents", map=projector, dimensions=dimensions, epoch=str(epoch))
    stored = next(
        p for p in RUN.projections if (p.projector, p.dimensions, p.epoch) == (projector, int(dimensions), epoch)
    )
    traces = [trace for trace in figure(app)["figure"]["data"] if trace.get("customdata")]
    places = {
        identifier: place
        for trace in traces
        for identifier, *place in zip(trace["customdata"], numbers(trace["x"]), numbers(trace["y"]), strict=True)
    }
    assert set(places) == set(RUN.documents.ids)
    drawn = np.array([places[identifier] for identifier in RUN.documents.ids])
    np.testing.assert_allclose(drawn, stored.coordinates[:, :2], rtol=1e-5)


@pytest.mark.parametrize("color", COLORINGS)
def test_every_colour(page: Page, color: str) -> None:
    app = page("Documents", color=color)
    assert not app.exception
    assert f"coloured by {color}" in figure(app)["alt"]


def test_a_chosen_document_is_described_and_ringed(page: Page) -> None:
    document = RUN.documents.ids[7]
    app = page("Documents", doc=document)
    assert f"{RUN.documents.ratings[7]} stars" in shown(app)
    assert f"{RUN.probabilities(RUN.best_epoch)[7]:.0%} at epoch {RUN.best_epoch}" in shown(app)
    rings = [trace for trace in figure(app)["figure"]["data"] if trace["name"] == "selected"]
    assert all(len(numbers(ring["x"])) == 1 for ring in rings)
    assert [button for button in app.button if "Download" in button.label], "its text is offered, not committed"


def test_a_document_that_is_not_there(page: Page) -> None:
    app = page("Documents", doc="test/pos/999999")
    assert not app.exception
    assert "The address asks for the doc" in shown(app)


def test_the_link_says_what_is_shown(page: Page) -> None:
    app = page("Documents")
    app.selectbox(key="color").set_value("rating").run()
    app.selectbox(key="doc").set_value(RUN.documents.ids[0]).run()
    assert app.query_params["color"] == "rating"
    assert app.query_params["doc"] == RUN.documents.ids[0]
    app.selectbox(key="color").set_value("label").run()
    assert "color" not in app.query_params


def test_a_run_of_an_unknown_corpus(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(RUN.folder, tmp_path / "runs" / RUN.name)
    replace(Run.open(tmp_path / "runs" / RUN.name), corpus={**RUN.corpus, "name": "nix"}).save()
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    app = page("Documents", doc=RUN.documents.ids[0])
    assert not app.exception
    assert [error for error in app.error if "There is no corpus" in error.value]
