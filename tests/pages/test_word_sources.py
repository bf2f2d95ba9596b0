"""What the pages of words have in common: which vectors are shown, what a link asks in vain, how much may be typed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.results.vectors import WordVectors
from nlpviz.runs import Run
from nlpviz.runs.run import MANIFEST
from nlpviz.runs.weights import weights_file
from nlpviz.ui import limits
from nlpviz.ui.words.lists import LONGEST_EXPRESSION, LONGEST_LIST
from tests.pages.conftest import Page, opened, shown
from tests.words import write_toy_run

NEIGHBOURS, ANALOGIES, SIMILARITY, MAP, AXES = VIEWS = (
    ("Words", "neighbours"),
    ("Words", "analogies"),
    ("Words", "similarity"),
    ("Words", "map"),
    ("Words", "axes"),
)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two runs: ``toy-all`` of three epochs, ``toy-one`` of one and without output vectors."""
    folder = tmp_path / "runs"
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    write_toy_run(folder, "toy-all")
    last(write_toy_run(folder, "toy-one"))
    return folder


def last(run: Run) -> Run:
    """Return a run of which the epoch 1 alone is kept, which has no output vectors."""
    for epoch in (0, 2):
        (run.folder / weights_file(epoch)).unlink()
    return replace(run, epochs=(1,), best_epoch=1, title="One epoch").save()


def warnings(app: AppTest) -> list[str]:
    return [warning.value.replace("\\", "") for warning in app.warning]


# --------------------------------------------------------------------------------------------------------- the address


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(("name", "view"), VIEWS)
def test_an_epoch_that_the_only_one_is_not_is_named_and_cleared(page: Page, name: str, view: str) -> None:
    app = page(name, view=view, run="toy-one", epoch="0")
    assert not app.exception
    assert warnings(app) == ["The link sets epoch to 0, which does not exist. Available: 1."]
    assert "epoch" not in app.query_params
    assert not warnings(app.run()), "it is said once"


@pytest.mark.usefixtures("runs")
def test_the_only_epoch_may_be_named(page: Page) -> None:
    app = page("Words", view="similarity", run="toy-one", epoch="1")
    assert not warnings(app)
    assert "epoch" not in app.query_params


@pytest.mark.usefixtures("runs")
def test_vectors_that_no_chosen_run_keeps_are_named_and_cleared(page: Page) -> None:
    app = page("Words", run="toy-one", vectors="output")
    assert warnings(app) == ["The link sets vectors to output, which does not exist. Available: input."]
    assert "vectors" not in app.query_params


@pytest.mark.usefixtures("runs")
def test_own_vectors_have_no_epoch(page: Page) -> None:
    assert page
    app = opened("Words")
    mine = WordVectors.of("mine", ("a", "b", "c"), np.eye(3, dtype=np.float32))
    app.session_state["tab contents"] = {"own vectors": {"mine": mine}}
    app.query_params["run"], app.query_params["epoch"] = "mine", "2"
    app.run()
    assert not app.exception
    assert warnings(app) == ["The link sets epoch to 2, which does not exist. Available: none."]
    assert "epoch" not in app.query_params


@pytest.mark.usefixtures("runs")
def test_a_choice_of_epochs_outlives_a_run_that_keeps_one(page: Page) -> None:
    app = page("Words", view="similarity", run="toy-all", epoch=["0", "1"])
    app.multiselect(key="word_runs").set_value(["toy-one"]).run()
    assert not warnings(app), "no link asked for these epochs: they were chosen of another run"
    assert "epoch" not in app.query_params
    app.multiselect(key="word_runs").set_value(["toy-all"]).run()
    assert app.query_params["epoch"] == ["0", "1"]


# ------------------------------------------------------------------------------------------------- from view to view


@pytest.mark.usefixtures("runs")
def test_what_is_chosen_on_one_view_is_chosen_on_all(page: Page) -> None:
    app = page("Words")
    app.multiselect(key="word_runs").set_value(["toy-all", "toy-one"]).run()
    for epochs in (["0", "2"], ["0", "1"]):
        app.pills(key="word_epochs").set_value(epochs).run()
        for _, view in (*VIEWS[::-1], *VIEWS, MAP):
            viewed(app, view)
            assert app.multiselect(key="word_runs").value == ["toy-all", "toy-one"], view
            assert app.pills(key="word_epochs").value == epochs, view
            assert app.query_params["epoch"] == epochs, view


@pytest.mark.usefixtures("runs")
def test_every_view_begins_with_the_best_epoch(page: Page) -> None:
    app = page("Words", run="toy-all")
    for view in ("map", "axes", "map", "neighbours"):
        assert viewed(app, view).pills(key="word_epochs").value == ["2"], view
        assert "epoch" not in app.query_params, view


@pytest.mark.usefixtures("runs")
def test_a_word_is_marked_on_the_map_once_it_was_chosen(page: Page) -> None:
    app = viewed(page("Words", run="toy-all"), "map")
    assert not app.text_input(key="word").value, "nobody chose the word that the neighbours begin with"
    for view, word in (("neighbours", "king"), ("map", "queen"), ("neighbours", "paris")):
        viewed(app, view).text_input(key="word").set_value(word).run()
        assert viewed(app, "map" if view == "neighbours" else "neighbours").text_input(key="word").value == word


def viewed(app: AppTest, view: str) -> AppTest:
    """Return the page as it is after that view was chosen."""
    app.segmented_control(key="view of Words").set_value(view).run()
    assert not app.exception, view
    assert not warnings(app), view
    return app


# -------------------------------------------------------------------------------------------------------- broken runs


@pytest.mark.parametrize(("name", "view"), VIEWS)
def test_a_broken_run_is_said_once(page: Page, runs: Path, name: str, view: str) -> None:
    (runs / "toy-one" / MANIFEST).write_text("{", encoding="utf-8")
    app = page(name, view=view)
    assert not app.exception
    assert ["toy-one" in error.value.replace("\\", "") for error in app.error].count(True) == 1


@pytest.mark.parametrize(("name", "view"), VIEWS)
def test_where_every_run_is_broken_that_is_said_once(page: Page, runs: Path, name: str, view: str) -> None:
    for run in ("toy-one", "toy-all"):
        (runs / run / MANIFEST).write_text("{", encoding="utf-8")
    app = page(name, view=view)
    assert not app.exception
    assert len(app.error) == 2
    assert "There are no word vectors yet" in shown(app)


# --------------------------------------------------------------------------------------------------- how much is typed


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(("name", "view"), [*VIEWS, ("Your texts", "word-vectors")])
def test_every_field_has_a_longest_text(page: Page, name: str, view: str) -> None:
    app = page(name, view=view, words="typed")
    fields = [*app.text_area, *app.text_input]
    longest = {field.label: limits.most_characters() if field.key == "text" else LONGEST_LIST for field in fields}
    assert [one.label for one in fields if not 0 < one.proto.max_chars <= longest[one.label]] == []


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(("place", "key"), [(SIMILARITY, "list"), (AXES, "axes_list"), (MAP, "list")])
def test_a_thousand_pasted_words_fit_and_a_book_does_not(page: Page, place: tuple[str, str], key: str) -> None:
    app = page(place[0], view=place[1], words="typed")
    words = ", ".join(f"counterrevolutionary{number}" for number in range(1000))
    app.text_area(key=key).set_value(words).run()
    assert app.text_area(key=key).value == words
    app.text_area(key=key).set_value("x" * 100_000).run()
    assert not app.exception
    assert len(app.text_area(key=key).value) == LONGEST_LIST


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(("place", "key"), [(ANALOGIES, "analogy"), (ANALOGIES, "expected"), (AXES, "axis_x")])
def test_an_expression_is_cut(page: Page, place: tuple[str, str], key: str) -> None:
    app = page(place[0], view=place[1])
    app.text_input(key=key).set_value("king " * 10_000).run()
    assert not app.exception
    assert len(app.text_input(key=key).value) == LONGEST_EXPRESSION
