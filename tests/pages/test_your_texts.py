"""Your texts: a file becomes a training in the queue, and any classifier is measured on a file."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.data.own_texts.names import RECIPE
from nlpviz.data.own_texts.recipe import read_recipe
from nlpviz.training import queue
from tests.pages.conftest import Page, shown

GOOD = ("a wonderful film", "I loved every minute of it", "great acting and a fine story", "simply the best")
BAD = ("a waste of time", "boring and far too long", "the worst acting I have seen", "I want my money back")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of one's own beside the project's runs, in whose queue nothing begins by itself."""
    from nlpviz.runs.folders import PROJECT

    monkeypatch.setenv("NLPVIZ_TRAINED", f"{PROJECT}:{tmp_path / 'runs'}")
    monkeypatch.setattr(queue, "see_to_it", lambda: None)


def written(path: Path, rows: Iterable[tuple[str, ...]], header: tuple[str, ...] = ("review", "opinion")) -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([header, *rows])
    return path


def labelled(path: Path, good: str = "positive", bad: str = "negative") -> Path:
    rows = [(f"{text}, part {number}", label) for number in range(10) for text, label in _each(good, bad)]
    return written(path, rows)


def _each(good: str, bad: str) -> list[tuple[str, str]]:
    return [*((text, good) for text in GOOD), *((text, bad) for text in BAD)]


def training_on(page: Page, path: Path) -> AppTest:
    return page("Your texts").text_input(key="train_path").set_value(str(path)).run()


def evaluating(page: Page, path: Path, **address: str) -> AppTest:
    return page("Your texts", view="evaluate", **address).text_input(key="evaluate_path").set_value(str(path)).run()


def plain(app: AppTest) -> str:
    return shown(app).replace("\\", "")


def press(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label == label).click().run()


def errors(app: AppTest) -> str:
    return " ".join(error.value for error in app.error).replace("\\", "")


def test_a_file_becomes_a_training(page: Page, tmp_path: Path) -> None:
    app = training_on(page, labelled(tmp_path / "My films.csv"))
    assert not app.exception
    assert [box.value for box in app.selectbox][:4] == ["review", "opinion", "none", "none"]
    assert "80 rows, 80 texts used, 2 classes. Test set: 20% of the texts" in plain(app)
    assert app.text_input[1].value == "my-films"
    app = press(app, "Train")
    (job,) = queue.queued()
    assert (job.name, job.state) == ("my-films", "waiting")
    assert "my-films is queued" in plain(app.run()).replace("*", "")
    assert "A training run with this name is already listed below" in plain(app)
    assert not errors(app)
    app = press(app, "Stop")
    assert queue.queued()[0].state == "stopped"
    app = press(app.run(), "Resume")
    assert queue.queued()[0].state == "waiting"
    press(press(app.run(), "Stop").run(), "Delete, including unfinished files")
    assert queue.queued() == []


def test_plain_text_becomes_a_language_model_or_word_vectors(page: Page, tmp_path: Path) -> None:
    text = tmp_path / "plays.txt"
    text.write_text("".join(f"some words and more of them, in line {number}\n" for number in range(500)))
    app = training_on(page, text)
    assert not app.exception
    assert not errors(app)
    (task,) = app.radio
    assert task.value == "language"
    assert app.multiselect(key="train_models_language").value == ["lstm-lm"]
    assert "500 lines, " in plain(app)
    assert "Test set: the last 10% of the text" in plain(app)
    app = press(app.number_input(key="train_held_out_language").set_value(20).run(), "Train")
    app = press(app.radio[0].set_value("words").run().text_input[1].set_value("plays-words").run(), "Train")
    assert not errors(app)
    first, second = queue.queued()
    language, words = (read_recipe(job.folder / RECIPE) for job in (first, second))
    assert [run.name for run in language.runs] == ["plays-ngrams", "plays"]
    assert language.texts.held_out == 0.2
    assert [(run.name, run.kind) for run in words.runs] == [("plays-words", "word-vectors")]


def test_a_column_may_be_read_as_one_text(page: Page, tmp_path: Path) -> None:
    rows = [(f"{text}, part {number}", label) for number in range(40) for text, label in _each("good", "bad")]
    app = training_on(page, written(tmp_path / "films.csv", rows)).radio[0].set_value("language").run()
    assert not app.exception
    assert not errors(app)
    assert [box.label for box in app.selectbox] == ["Text", "Unit of prediction"]
    assert app.selectbox[0].value == "review"
    assert "320 lines, " in plain(app)


def _pairs() -> list[tuple[str, str]]:
    return [(f"{text}, part {number}", f"{text[::-1]}, {number}") for number in range(40) for text in (*GOOD, *BAD)]


def test_two_columns_become_a_translator(page: Page, tmp_path: Path) -> None:
    path = written(
        tmp_path / "films.csv",
        [(*pair, f"note {number}") for number, pair in enumerate(_pairs())],
        ("en", "fr", "note"),
    )
    app = training_on(page, path).radio[0].set_value("translation").run()
    assert not app.exception
    assert not errors(app)
    assert [(box.label, box.value) for box in app.selectbox] == [("Text", "en"), ("Translation", "fr")]
    assert app.text_input[1].value == "en-fr"
    assert "320 rows, 320 pairs used." in plain(app)
    same = app.selectbox[1].set_value("en").run()
    assert "both in the column" in errors(same)
    app = app.selectbox[1].set_value("note").run()
    app = app.text_input[1].set_value("English-Notes").run()
    press(app, "Train")
    (job,) = queue.queued()
    texts = read_recipe(job.folder / RECIPE).texts
    assert (texts.text, texts.translations, texts.languages) == ("en", "note", ("en", "Notes"))


def test_a_language_with_a_region_is_one_language(page: Page, tmp_path: Path) -> None:
    path = written(tmp_path / "films.csv", _pairs(), ("en", "pt-BR"))
    app = training_on(page, path).radio[0].set_value("translation").run()
    assert not app.exception
    assert not errors(app)
    assert app.text_input[1].value == "en,pt-BR"


def test_two_files_become_a_translator(page: Page, tmp_path: Path) -> None:
    for number, code in enumerate(("en", "fr")):
        (tmp_path / f"films.{code}").write_text("".join(f"{pair[number]}\n" for pair in _pairs()))
    app = training_on(page, tmp_path / "films.en").radio[0].set_value("translation").run()
    assert any("Choose the file with the translations" in info.value for info in app.info)
    app = app.text_input(key="train_second_path").set_value(str(tmp_path / "films.fr")).run()
    assert not app.exception
    assert not errors(app)
    assert "320 rows, 320 pairs used." in plain(app)
    assert next(one.value for one in app.text_input if one.label == "Languages") == "en-fr"
    press(app, "Train")
    (job,) = queue.queued()
    assert read_recipe(job.folder / RECIPE).texts.translations == str(tmp_path / "films.fr")
    (tmp_path / "films.fr").write_text("one line\n")
    app = app.text_input(key="train_second_path").set_value(str(tmp_path / "films.fr")).run()
    app = app.text_input(key="train_second_path").set_value(str(tmp_path / "nothing.fr")).run()
    assert "nothing.fr' cannot be read" in errors(app)


def test_columns_can_be_named_instead(page: Page, tmp_path: Path) -> None:
    rows = [(text, label, f"author {number}") for number in range(8) for text, label in _each("good", "bad")]
    app = training_on(page, written(tmp_path / "films.csv", rows, ("text", "label", "author")))
    app = app.selectbox[2].set_value("author").run()
    assert not app.exception
    assert "whole groups of 'author'" in plain(app)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "films.csv is empty"),
        ("text,label\n" + "fine film,good\n" * 20, "All texts have the label 'good'"),
        ("text,label\na film,good\nanother film,bad\n", "have at least 3 texts"),
        ("text,label\n" + "".join(f"a film,class {number}\n" for number in range(300)), "300 different values"),
    ],
    ids=["empty", "one class", "one row a class", "300 classes"],
)
def test_what_cannot_be_learnt_from_is_said(page: Page, tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / "films.csv").write_text(content)
    app = training_on(page, tmp_path / "films.csv")
    assert not app.exception
    assert sentence in errors(app)
    assert not [button for button in app.button if button.label == "Train"]


@pytest.mark.parametrize("name", ["my films", "../films", "imdb", "imdb-cnn", ""])
def test_a_name_that_cannot_be_is_refused(page: Page, tmp_path: Path, name: str) -> None:
    app = training_on(page, labelled(tmp_path / "films.csv"))
    app = app.text_input[1].set_value(name).run()
    assert not app.exception
    assert errors(app)
    assert not [button for button in app.button if button.label == "Train"]


@pytest.mark.parametrize("typed", ["films.csv", "/no/such/file.csv", "/\x00", "/dev/null"])
def test_a_path_that_cannot_be_read_is_said(page: Page, typed: str) -> None:
    app = page("Your texts").text_input(key="train_path").set_value(typed).run()
    assert not app.exception
    assert errors(app)


def test_a_server_for_others_trains_nothing_and_reads_no_path(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_PUBLIC", "1")
    app = page("Your texts")
    assert "disabled on this server" in plain(app)
    assert not app.text_input
    assert not page("Your texts", view="evaluate").text_input


def test_more_rows_than_the_server_reads_are_refused(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINING_ROWS", "79")
    app = training_on(page, labelled(tmp_path / "films.csv"))
    assert "at most 79" in errors(app)


def test_a_run_is_measured_on_a_file(page: Page, tmp_path: Path) -> None:
    path = labelled(tmp_path / "films.csv", "Positive ", "NEGATIVE")
    path.write_text(path.read_text() + "a film,mixed\n,positive\n")
    app = evaluating(page, path, run="imdb-cnn", against="imdb-ngrams")
    assert not app.exception
    told = plain(app)
    assert "80 of 82 rows of films.csv were evaluated" in told
    assert "1 with an unknown label ('mixed' 1), 1 without a text" in told
    assert "McNemar’s test p = " in told
    assert "of 80 texts correctly" in told


def test_rows_beyond_the_limit_are_said_not_to_be_measured(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINING_ROWS", "16")
    told = plain(evaluating(page, labelled(tmp_path / "films.csv"), run="imdb-cnn"))
    assert "16 of 16 rows of films.csv were evaluated" in told
    assert "This server reads at most 16 rows" in told


def test_labels_may_be_called_otherwise(page: Page, tmp_path: Path) -> None:
    app = evaluating(page, labelled(tmp_path / "films.csv", "5", "1"), run="imdb-cnn")
    assert "No column seems to contain labels" in plain(app)
    app = app.selectbox[3].set_value("opinion").run()
    assert "No label of films.csv (column 'opinion') is a class of 'imdb-cnn'" in errors(app)
    app = app.text_input[1].set_value("5=positive,1=negative").run()
    assert not errors(app)
    assert "80 of 80 rows of films.csv were evaluated" in plain(app)


def test_an_error_leads_to_what_moved_it(page: Page, tmp_path: Path) -> None:
    rows = [("a wonderful film <b>&</b> *the best*", "negative"), ("a waste of time", "negative")] * 4
    app = (
        evaluating(page, written(tmp_path / "films.csv", rows), run="imdb-cnn").selectbox[3].set_value("opinion").run()
    )
    assert not app.exception
    assert "Row" in plain(app)
    assert "<b>&</b> *the best*" in plain(app), "what was typed, not markup"
    press(app, "Which words mattered?")
    assert rows[0][0] in str(app.session_state["text from a link"])
    assert "wonderful" not in str(app.query_params), "a text of one's own is in no address"
