"""The view Inferred on toy runs: a cloud on the map, its numbers in words, and bad input in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import paragraphs
from tests.pages.conftest import Page, figure, shown


@pytest.fixture
def inferred_page(page: Page, monkeypatch: pytest.MonkeyPatch, toy_paragraphs: Path) -> Page:
    """Return what runs a page where toy paragraph vectors are all the runs there are."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_paragraphs))
    return page


def test_a_text_is_a_cloud_with_its_numbers(inferred_page: Page) -> None:
    app = inferred_page("Explore", view="inferred", run=paragraphs.RUNS[0], times="5")
    assert not app.exception
    traces = figure(app)["figure"]["data"]
    cloud = [trace for trace in traces if trace["name"].startswith("inferred: ")]
    assert sum(len(trace["text"]) for trace in cloud) == 5
    assert "two inferences (of 5) share **" in shown(app)
    assert "the corpus is on this computer" in shown(app)
    assert "uses seeds 0 to 4" in shown(app)


def test_a_text_without_a_known_word_is_told(inferred_page: Page) -> None:
    app = inferred_page("Explore", view="inferred", run=paragraphs.RUNS[0])
    app.text_area(key="text").set_value("zzz qqq").run()
    assert not app.exception
    assert any("No word of this text is in the vocabulary" in error.value for error in app.error)


def test_maps_and_tables_take_such_runs_up(inferred_page: Page) -> None:
    for view in ("map", "table"):
        app = inferred_page("Explore", view=view, run=paragraphs.RUNS[0], beside=paragraphs.RUNS[1])
        assert not app.exception, view
        assert app.selectbox(key="beside").value == paragraphs.RUNS[1]
