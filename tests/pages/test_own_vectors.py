"""Own vectors are read from a path or an upload, become a source everywhere, and go when they are removed."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from nlpviz.results.vectors import WordVectors
from nlpviz.ui.words import own_vectors
from nlpviz.word_vectors.formats import write_binary, write_text
from tests.pages.conftest import Page, opened, shown
from tests.words import toy_vectors, write_toy_run

VECTORS = toy_vectors()


@pytest.fixture(autouse=True)
def _run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of toy words, the only one there is."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    write_toy_run(tmp_path / "runs")


def reading(page: Page, path: Path | str) -> AppTest:
    """Return the page after the file at ``path`` was asked for."""
    return asked(page("Your texts", view="word-vectors"), path)


def asked(app: AppTest, path: Path | str) -> AppTest:
    app.text_input(key="own_path").set_value(str(path))
    return next(button for button in app.button if button.label == "Read this file").click().run()


def uploaded(page: Page, name: str, content: bytes) -> AppTest:
    """Return the page after a file was uploaded."""
    app = page("Your texts", view="word-vectors")
    app.file_uploader[0].upload(name, content).run()
    return app


def kept(app: AppTest) -> dict[str, WordVectors]:
    return app.session_state["tab contents"]["own vectors"]


def test_a_path_is_read_and_told(page: Page, tmp_path: Path) -> None:
    write_binary(tmp_path / "my toy.bin", VECTORS)
    app = reading(page, tmp_path / "my toy.bin")
    assert not app.exception
    told = shown(app).replace("\\", "")
    size = f"{len(VECTORS)} words, {VECTORS.dimensions} dimensions"
    assert f"Read as word2vec binary: {size}. On the pages about words, these vectors are listed as my-toy" in told
    assert app.table[0].value["Format"].tolist() == ["word2vec binary"]
    assert kept(app)["my-toy"].words == VECTORS.words


def test_an_upload_is_read_once(page: Page, tmp_path: Path) -> None:
    write_text(tmp_path / "toy.txt", VECTORS)
    app = uploaded(page, "../../toy <b>.txt", (tmp_path / "toy.txt").read_bytes())
    assert not app.exception
    assert list(kept(app)) == ["toy-b"]
    app.run()
    assert list(kept(app)) == ["toy-b"], "not a second time"


@pytest.mark.parametrize(
    ("name", "view"),
    [("Words", ""), ("Words", "analogies"), ("Words", "map"), ("Words", "similarity"), ("Words", "axes")],
)
def test_own_vectors_are_a_source_on_every_page(page: Page, tmp_path: Path, name: str, view: str) -> None:
    write_text(tmp_path / "mine.txt", VECTORS)
    read = reading(page, tmp_path / "mine.txt")
    app = opened(name, view=view, run="mine")
    app.session_state["tab contents"] = read.session_state["tab contents"]
    app.run()
    assert not app.exception
    assert not [one.value for one in app.warning], "the address may name it"
    assert "mine" in str([select.value for select in (*app.multiselect, *app.selectbox)])


def test_removed_vectors_are_gone(page: Page, tmp_path: Path) -> None:
    write_text(tmp_path / "mine.txt", VECTORS)
    app = reading(page, tmp_path / "mine.txt")
    next(button for button in app.button if button.label == "Remove mine").click().run()
    assert not kept(app)
    assert "Choose a file to begin" in shown(app)


def test_a_session_keeps_a_bounded_number(page: Page, tmp_path: Path) -> None:
    write_text(tmp_path / "mine.txt", VECTORS)
    app = page("Your texts", view="word-vectors")
    for _ in range(own_vectors.MOST + 1):
        app = asked(app, tmp_path / "mine.txt")
    assert list(kept(app)) == ["mine", "mine-2", "mine-3", "mine-4"]
    assert "Remove a file first" in shown(app)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"\x80\x04\x95pickle", "is a pickle"),
        (b"<html><body>vectors</body></html>", "HTML"),
        (b"2 3\na 1 2 3\nb 1 2\n", "ine 3"),
        (b"a 1 2 3\nb 1 nan 3\n", "ine 2"),
        (b"1000000000000 300\na 1 2 3\n", "words"),
        (b"no vectors at all\n", "is not a file of word vectors"),
    ],
)
def test_files_that_are_no_vectors(page: Page, tmp_path: Path, content: bytes, sentence: str) -> None:
    write_text(tmp_path / "mine.txt", VECTORS)
    (tmp_path / "bad.txt").write_bytes(content)
    app = asked(reading(page, tmp_path / "mine.txt"), tmp_path / "bad.txt")
    assert not app.exception
    (error,) = [error.value.replace("\\", "") for error in app.error]
    assert sentence in error
    assert list(kept(app)) == ["mine"], "what was there stays"


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("", "Type the path of a file first"),
        ("vectors.txt", "is not an absolute path"),
        ("/no/such/file.txt", "is not a file"),
        ("/", "is not a file"),
        ("/dev/zero", "is not a file"),
        ("/\x00", "is not an absolute path"),
        ("/" + "x" * 100_000, ""),
    ],
)
def test_paths_that_are_no_files(page: Page, path: str, sentence: str) -> None:
    app = reading(page, path)
    assert not app.exception
    (error,) = [error.value.replace("\\", "") for error in app.error]
    assert sentence in error
    assert len(error) < 5_000


def test_repeated_words_are_counted(page: Page, tmp_path: Path) -> None:
    (tmp_path / "twice.txt").write_text("a 1 2\na 3 4\nb 5 6\n", encoding="utf-8")
    app = reading(page, tmp_path / "twice.txt")
    assert app.table[0].value["Duplicates skipped"].tolist() == ["1"]


def test_no_path_is_read_for_others_machines(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    known = st.get_option
    monkeypatch.setattr(st, "get_option", lambda key: "0.0.0.0" if key == "server.address" else known(key))
    app = page("Your texts", view="word-vectors")
    assert not app.text_input
    assert "This server accepts connections from other computers" in shown(app)


def test_own_vectors_that_come_back_after_a_reload_are_chosen_as_the_address_says(page: Page, tmp_path: Path) -> None:
    write_binary(tmp_path / "mine.bin", VECTORS)
    before = reading(page, tmp_path / "mine.bin")
    app = page("Words", run="mine")
    assert "The link sets run to mine" in shown(app)
    assert "mine" not in app.multiselect(key="word_runs").value
    app.session_state["tab contents"] = before.session_state["tab contents"]
    app.run()
    assert not app.exception
    assert app.multiselect(key="word_runs").value == ["mine"]
    assert "".join(app.query_params["run"]) == "mine"
