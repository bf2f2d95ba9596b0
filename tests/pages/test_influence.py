"""The view Influence on toy runs: documents and words as the backend finds them, or what is said instead."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.figures.attribution.influence import MILLI
from nlpviz.results.left_out import LeftOut
from nlpviz.run_kinds.influence import influence, sketch
from nlpviz.runs import open_run
from nlpviz.runs.left_out import write_left_out
from nlpviz.ui.attribution.influence import PICKED
from tests.pages.code_states import State, wrong_code
from tests.pages.conftest import Page, faults, figure, numbers, shown

TEXT = "the dreadful film was splendid"

pytestmark = pytest.mark.usefixtures("toy_modules")


@pytest.fixture
def toy_modules(tmp_path: Path) -> Iterator[None]:
    """The toy corpus stands where the package looks for its own."""
    from tests import toy

    with toy.discovered(tmp_path / "modules"):
        yield


@pytest.fixture(autouse=True)
def trained(toy_trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the toy runs in the place of ``trained/``."""
    folder = tmp_path / "trained"
    shutil.copytree(toy_trained, folder)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    return folder


def opened(page: Page, text: str = TEXT, **address: str) -> AppTest:
    app = page("One review", view="influence", run="toy-cnn", **address)
    assert not app.exception
    app = app.text_area[0].set_value(text).run()
    assert not app.exception
    return app


def test_documents_and_words_are_those_of_the_backend(page: Page) -> None:
    run = sketch(open_run("toy-cnn"), lambda _: None)
    app, found = opened(page), influence(run, TEXT)
    order = [*found.helpful(), *found.harmful()]
    bars = figure(app)["figure"]["data"][0]
    np.testing.assert_allclose(numbers(bars["x"]), found.scores[order] * MILLI, rtol=1e-4)
    assert bars["customdata"] == [found.ids[place] for place in order]
    said = shown(app).replace("\\", "")
    first = found.ids[order[0]]
    own, other = (run.class_names[place] for place in (found.target, 1 - found.target))
    word, part = found.strongest_words(int(order[0]), 1)[0]
    assert f"The most helpful review shares the word *{word}*." in said
    assert f"({first}), labelled {own}, lowered the loss of **{own}** most" in said
    assert f"; {part / found.scores[order[0]]:.0%} of this effect comes through *{word}*." in said
    words = figure(app, 1)["figure"]["data"][0]
    np.testing.assert_allclose(
        numbers(words["x"]), [value * MILLI for _, value in found.strongest_words(int(order[0]), 12)], rtol=1e-4
    )
    np.testing.assert_allclose(
        numbers(figure(app, 2)["figure"]["data"][0]["y"]), found.by_epoch[:, order[0]] * MILLI, rtol=1e-4
    )
    assert not list(wrong_code(app, State(3))), "elsewhere there is no corpus, and so no words"
    assert "leave-out toy-cnn --again" in said
    last = found.ids[order[-1]]
    app.session_state[PICKED] = last
    app.run()
    assert last in app.query_params["because"]
    assert f"({last}), labelled {other}" in shown(app).replace("\\", "")


def test_odd_texts_get_an_answer(page: Page) -> None:
    sketch(open_run("toy-cnn"), lambda _: None)
    app = opened(page)
    for text in ("", "   ", "xyzzy", "splendid", "<b>bold</b> & <script>"):
        app.text_area(key="text").set_value(text).run()
        assert not faults(app), text
        assert text.strip() or "No word of the text affects the prediction" in shown(app)


def test_a_run_without_sketches_says_what_makes_them(page: Page) -> None:
    app = page("One review", view="influence", run="toy-cnn")
    assert not app.exception
    assert "`python -m nlpviz influence toy-cnn --sketch` computes it" in shown(app)


def test_the_proof_is_told_with_its_intervals(page: Page) -> None:
    run = sketch(open_run("toy-cnn"), lambda _: None)
    whole = np.ones(3, dtype=np.float32)
    others = np.array([[1.1, 0.9], [1.2, 0.8], [1.1, 1.1]], dtype=np.float32)
    top = np.array([0, 0.5, 2], dtype=np.float32)
    ids, classes = ("test/0", "test/1", "test/2"), ("positive",) * 3
    found = LeftOut("toy-cnn", 5, 180, "for one epoch", 2.0, ids, classes, whole, top, others, others, others)
    write_left_out(run, found)
    app = opened(page)
    said = shown(app)
    assert "without the 5 most helpful reviews moves the log-odds **6.2 times as far** as training" in said
    table = next(one.value for one in app.table if "Measure" in one.value)
    rows = dict(zip(table["Measure"], table["Value"], strict=True))
    assert rows["Test reviews whose predicted class became less probable"] == "2 of 3"
    assert "for one epoch" in said
    dots = figure(app, 3)["figure"]["data"]
    np.testing.assert_allclose(numbers(dots[-1]["x"]), [-1, -0.5, 1])


def test_without_the_corpus_there_are_ids_alone(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    from nlpviz.data import CorpusMissing

    sketch(open_run("toy-cnn"), lambda _: None)

    def missing(*_: object) -> None:
        raise CorpusMissing("not here")

    monkeypatch.setattr("nlpviz.training.texts.labelled_texts", missing)
    app = opened(page, "such a splendid film")
    assert "The corpus is not on this computer" in shown(app)
    assert "influence_words" not in str(app.get("bidi_component"))
