"""What visitors of a public server are refused, and that a sentence says so; what they keep when a server is gone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates

from nlpviz.runs import open_run
from nlpviz.runs.documents import documents_of
from nlpviz.ui import races
from tests.pages.conftest import Page, opened, said


@pytest.fixture(autouse=True)
def _public(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server that says of itself that strangers visit it; the worker for toy tasks is made under its limits."""
    monkeypatch.setenv("NLPVIZ_PUBLIC", "1")
    races.worker.clear()
    yield
    races.worker.clear()


def test_a_path_is_not_read(page: Page) -> None:
    app = page("Your texts", view="word-vectors")
    assert not app.exception
    assert not app.text_input
    assert "This server accepts connections from other computers" in said(app)
    assert "files and 64 MiB are stored" in said(app)


def test_a_text_is_shorter(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TEXT_CHARACTERS", "15000")
    app = page("One review")
    assert not app.exception
    assert app.text_area(key="text").max_chars == 15_000


def test_a_corpus_is_not_downloaded(page: Page) -> None:
    run = open_run("imdb-cnn")
    app = page("Explore", run=run.name, text=documents_of(run).ids[7])
    assert not app.exception
    assert not [button for button in app.button if "Download" in button.label]
    assert "is not on this server, and visitors cannot download it" in said(app)


def test_maps_may_be_off(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_MAPS", "0")
    app = page("Explore", map="tsne", seed="7")
    next(button for button in app.button if button.label == "Compute this map").click().run()
    assert not app.exception
    assert len(app.error) == 1
    assert "Visitors cannot compute new maps on this server." in said(app)
    assert "map_job" not in app.session_state


def test_toy_tasks_may_be_off(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_RACES", "0")
    app = page("Toy tasks", view="live")
    assert not app.exception
    (error,) = (error.value for error in app.error)
    assert error.startswith("Visitors cannot train networks on this server")
    assert "being built" not in said(app)


@pytest.mark.parametrize(
    ("name", "view", "key", "text"),
    [
        ("One review", "saliency", "text", "an awful waste of time"),
        ("Translate", "alignment", "source_sentence", "a man is sleeping."),
        ("Translate", "sentences", "phrases", "a man\na woman\n\na dog\na cat\na child"),
    ],
)
def test_an_open_tab_brings_its_text_along_to_another_server(
    page: Page, name: str, view: str, key: str, text: str
) -> None:
    """It sends what stands in its fields to a session that has never drawn them."""
    box = page(name, view=view).text_area(key=key)
    assert box.value != text
    app = opened(name, view=view)
    app._run(WidgetStates(widgets=[WidgetState(id=box.id, string_value=text)]))
    assert not app.exception
    assert app.text_area(key=key).value == text
    app.run()
    assert app.text_area(key=key).value == text
