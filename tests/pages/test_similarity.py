"""The matrix holds the cosines of a list, the axes those of words with two poles; whatever is typed gets a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nlpviz.runs import Run
from nlpviz.runs.vectors import read_vectors
from nlpviz.ui.words.lists import LONGEST_EXPRESSION, LONGEST_LIST
from tests.pages.conftest import Page, figure, numbers, shown
from tests.words import write_toy_run

HTML = "<script>alert(1)</script>, <b>king</b>"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run of toy words, the only one there is."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    return write_toy_run(tmp_path / "runs")


def test_cells_are_cosines(page: Page, run: Run) -> None:
    app = page("Words", view="similarity", list="King, queen, paris, berlin, new york, nix")
    assert not app.exception
    (cells,) = [trace for trace in figure(app)["figure"]["data"] if trace["type"] == "heatmap"]
    words, vectors = cells["y"], read_vectors(run)
    assert set(words) == {"king", "queen", "paris", "berlin", "new_york"}
    rows = vectors.directions[[vectors.positions[word] for word in words]]
    values = numbers(cells["z"]).reshape(5, 5)
    np.testing.assert_allclose(values, rows @ rows.T, atol=1e-5)
    assert abs(words.index("king") - words.index("queen")) == 1, "similar words stand together"
    assert "left out: nix" in shown(app)
    assert app.query_params["list"] == "King, queen, paris, berlin, new york, nix"


@pytest.mark.usefixtures("run")
def test_epochs_side_by_side_have_one_scale(page: Page) -> None:
    app = page("Words", view="similarity", list="king, queen, paris, berlin", epoch=["0", "2"])
    drawn = figure(app)["figure"]
    cells = [trace for trace in drawn["data"] if trace["type"] == "heatmap"]
    assert len(cells) == 2
    assert cells[0]["y"] == cells[1]["y"]
    assert "epoch 2: *" in shown(app).replace("\\", ""), "the order and the sentence are those of the latest epoch"
    assert "Most similar: *" in shown(app)
    alone = page("Words", view="similarity", list="king, queen, paris, berlin", epoch="2")
    assert cells[0]["y"] == next(t for t in figure(alone)["figure"]["data"] if t["type"] == "heatmap")["y"]
    assert {trace["coloraxis"] for trace in cells} == {"coloraxis"}
    assert drawn["layout"]["coloraxis"]["cmin"] == -drawn["layout"]["coloraxis"]["cmax"]


@pytest.mark.usefixtures("run")
def test_whatever_is_typed(page: Page) -> None:
    app = page("Words", view="similarity")
    for typed, sentence in (
        ("", "A matrix needs at least two words from the vocabulary"),
        ("king", "A matrix needs at least two words from the vocabulary"),
        ("king KING King", "A matrix needs at least two words from the vocabulary"),
        (HTML, "A matrix needs at least two words from the vocabulary"),
        (" ".join(f"word{number}" for number in range(1000)), "and 992 more"),
        ("x" * 100_000, "Out of vocabulary and left out"),
        ("quen, man", "did you mean queen"),
    ):
        app.text_area(key="list").set_value(typed).run()
        assert not app.exception, typed[:40]
        assert sentence in shown(app).replace("\\", "")
        assert app.text_area(key="list").value == typed[:LONGEST_LIST], "nothing is lost that fits"


def test_as_many_known_words_as_fit_are_shown(page: Page, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nlpviz.ui.words.similarity._MOST", 4)
    app = page("Words", view="similarity", list="nix, king, nux, queen, man, woman, nox, paris, berlin")
    (cells,) = [trace for trace in figure(app)["figure"]["data"] if trace["type"] == "heatmap"]
    assert set(cells["y"]) == {"king", "queen", "man", "woman"}
    assert "6 listed words are in the vocabulary, but only 4 fit in the figure" in shown(app)
    assert set(cells["y"]) <= set(read_vectors(run).words)


@pytest.mark.usefixtures("run")
def test_a_long_list_is_not_put_into_the_link(page: Page) -> None:
    app = page("Words", view="similarity")
    app.text_area(key="list").set_value("king, " * 200).run()
    assert "list" not in app.query_params
    assert "do not fit into a link" in shown(app)


@pytest.mark.usefixtures("run")
def test_a_ready_list_is_a_button(page: Page) -> None:
    app = page("Words", view="similarity")
    next(button for button in app.button if button.label == "Men and women").click().run()
    assert app.text_area(key="list").value.startswith("man, woman")
    assert "king and" in figure(app)["alt"] or "and king" in figure(app)["alt"] or "man" in figure(app)["alt"]


# --------------------------------------------------------------------------------------------------------------- axes


def test_places_are_cosines_with_the_difference_of_the_poles(page: Page, run: Run) -> None:
    app = page("Words", view="axes", x="woman, girl | man, boy", y="paris", axes_list="king, queen, prince, nix")
    assert not app.exception
    (drawn,) = figure(app)["figure"]["data"]
    vectors = read_vectors(run)
    unit = {word: vectors.directions[vectors.positions[word]] for word in vectors.words}
    between = (unit["woman"] + unit["girl"]) / 2 - (unit["man"] + unit["boy"]) / 2
    for word, x, y in zip(drawn["customdata"], numbers(drawn["x"]), numbers(drawn["y"]), strict=True):
        assert x == pytest.approx(unit[word] @ between / np.linalg.norm(between), abs=1e-5)
        assert y == pytest.approx(unit[word] @ unit["paris"], abs=1e-5)
    assert drawn["customdata"] == ["king", "queen", "prince"]
    assert "to *queen*" in shown(app)


@pytest.mark.usefixtures("run")
def test_axes_that_say_nothing(page: Page) -> None:
    app = page("Words", view="axes")
    app.text_input(key="axis_y").set_value("king | man").run()
    for axis in (
        "", "|", "king |", "king - king", "quen", HTML, "a|b|c", "king " * 1000, "x" * 100_000, "3 king", "+ -",
    ):  # fmt: skip
        app.text_input(key="axis_x").set_value(axis).run()
        assert not app.exception, axis[:40]
        assert len(app.error) == 1, axis[:40]
        assert app.text_input(key="axis_x").value == axis[:LONGEST_EXPRESSION], "nothing is lost that fits"


@pytest.mark.usefixtures("run")
def test_an_example_sets_axes_and_words(page: Page) -> None:
    app = page("Words", view="axes", x="king | queen")
    next(button for button in app.button if button.label == "Differences as axes").click().run()
    assert app.text_input(key="axis_x").value == "woman − man"
    assert app.query_params["x"] == "woman − man"
    assert "princess" in figure(app)["figure"]["data"][0]["customdata"]


def test_a_pole_is_not_said_to_lie_at_an_end(page: Page, run: Run) -> None:
    """On an axis from a word to one that has much in common with it, others lie farther out."""
    said = shown(page("Words", view="axes", x="king | prince", y="paris"))
    assert "tend to lie near the ends" in " ".join(said.split())
    assert "by construction" not in said
    vectors = read_vectors(run)
    king, prince = (vectors.directions[vectors.positions[word]] for word in ("king", "prince"))
    assert int((vectors.directions @ (king - prince)).argmin()) != vectors.positions["prince"]


def test_the_commonest_words_between_poles(page: Page, run: Run) -> None:
    app = page("Words", view="axes", x="king | man", y="paris | france", axes_words="200")
    assert len(figure(app)["figure"]["data"][0]["customdata"]) == len(read_vectors(run)) - 3
    assert "most frequent words after the first 3" in figure(app)["caption"]
