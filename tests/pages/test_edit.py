"""The view of edits: what an address asks for is done, words come and go, a search is shown, pairs are handed over."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.attribution import explain
from nlpviz.data.examples import examples
from nlpviz.data.own_texts import Source
from nlpviz.data.own_texts.minimal_pairs import read_minimal_pairs, written
from nlpviz.results.minimal_pairs import MinimalPair
from nlpviz.runs import open_run
from nlpviz.text.edits import apply, read
from nlpviz.text.vocabulary import tokenize
from tests.pages.conftest import Page, figure, numbers, said

PAGE = {"name": "One review", "view": "edit"}
RUN = "imdb-cnn"
TEXT = examples()[0]


def typed(page: Page, text: str) -> AppTest:
    """Return the view with a text that was typed."""
    return page(**PAGE, run=RUN).text_area(key="text").set_value(text).run()


def test_the_edits_of_an_address_are_made_and_measured(page: Page) -> None:
    app = page(**PAGE, run=RUN, edits="swap-5-dull.delete-0.1:swap-60-bad", at="2")
    assert not app.exception
    edited = TEXT.text
    for step in ("swap-5-dull", "delete-0"):
        edited = apply(edited, read(step), tokenize)
    trained = open_run(RUN).load()
    before, after = (explain(trained, text, "gradient-input", 1) for text in (TEXT.text, edited))
    old, new = (f"{one.class_names[one.predicted]}*, {one.probabilities.max():.0%}" for one in (before, after))
    assert f"→ **{new.replace('*', '**')}: the prediction" in said(app)
    assert old.replace("*", "") in said(app)
    assert "after 2 edited words." in said(app)
    bars, scores, trail = figure(app), figure(app, 1)["table"], figure(app, 2)
    shares = [float(one.probabilities[1]) for one in (before, after)]
    assert numbers(bars["table"][2]["column"]) == pytest.approx(shares, abs=1e-5), "two bars, before and after"
    assert [len(column["column"]) for column in scores[:2]] == [len(before.scores)] * 2
    assert scores[0]["column"][5:6] + scores[1]["column"][5:6] == ["luminous", "dull"]
    assert numbers(trail["figure"]["data"][1]["y"])[2] == pytest.approx(float(after.probabilities[1]), abs=1e-5)
    assert numbers(trail["table"][1]["column"])[1:].tolist() == [0, 1, 1]
    assert "the original · **1** luminous → dull · **2** “A” deleted" in said(app)


def test_words_are_negated_swapped_and_branched(page: Page) -> None:
    app = page(**PAGE, run=RUN, edit_word="5")
    app.button(key="edit_negate").click().run()
    assert app.query_params["edits"] == "insert-5-not"
    app.text_input(key="edit_words").set_value("zzzqq")
    app.button(key="edit_swap").click().run()
    assert app.query_params["edits"] == "insert-5-not.swap-5-zzzqq"
    assert any("Out of vocabulary" in one.value and "zzzqq" in one.value for one in app.info)
    assert "the edited text cannot be scored" in said(app)
    app.button[[one.label for one in app.button].index("Original")].click().run()
    app.button(key="edit_delete").click().run()
    assert app.query_params["edits"] == "insert-5-not.swap-5-zzzqq.0:delete-5"
    app.button[[one.label for one in app.button].index("Undo")].click().run()
    assert app.query_params["at"] == "0"
    app.button[[one.label for one in app.button].index("Remove all edits")].click().run()
    assert "edits" not in app.query_params
    assert not app.exception


def test_a_text_typed_anew_is_one_step(page: Page) -> None:
    app = typed(page, "not bad, quite good")
    (box,) = [one for one in app.text_area if str(one.key).startswith("edited text")]
    box.set_value("bad, quite dull really").run()
    app.button(key="edit_take").click().run()
    assert app.query_params["edits"] == "swap-4-dull%20really_delete-0"


def test_a_text_may_lose_all_its_words(page: Page) -> None:
    app = typed(page, "bad")
    app.button(key="edit_delete").click().run()
    assert not app.exception
    assert any("No words are left" in one.value for one in app.info)
    app.text_input(key="edit_words").set_value("good")
    app.button(key="edit_insert").click().run()
    assert app.query_params["edits"] == "delete-0.insert-0-good"
    assert not any("No words are left" in one.value for one in app.info)


@pytest.mark.parametrize(
    ("edits", "problem"),
    [
        ("delete-99999", "there is no word 100,000"),
        ("swap-1-a.nonsense", "in this link is invalid"),
        ("swap-1-a.7:delete-0", "in this link is invalid"),
        ("<b>", "in this link is invalid"),
    ],
)
def test_what_an_address_asks_in_vain_is_said(page: Page, edits: str, problem: str) -> None:
    app = page(**PAGE, run=RUN, edits=edits)
    assert not app.exception
    assert any(problem in one.value.replace("\\", "") for one in app.warning)


def test_edits_wait_for_their_text(page: Page) -> None:
    app = page(**PAGE, run=RUN, text="own", edits="swap-0-bad.delete-1", at="1")
    assert any("belong to a text that is not available here" in one.value for one in app.info)
    assert app.query_params["edits"] == "swap-0-bad.delete-1"
    assert "Click a word to change it." in said(app)


@pytest.mark.ci
@pytest.mark.parametrize("text", ["", " \n ", "…", "word " * 20_000, "<b>bold</b> & $x$ {y}"])
def test_whatever_is_typed_is_answered(page: Page, text: str) -> None:
    app = typed(page, text)
    assert not app.exception
    app.text_input(key="edit_words").set_value("good")
    app.button(key="edit_insert").click().run()
    assert not app.exception
    assert app.query_params["edits"] == "insert-0-good"


def test_a_search_is_offered_taken_and_scored(page: Page) -> None:
    app = typed(page, "A dull, lifeless film.")
    app.button(key="edit_search").click().run()
    assert not app.exception
    assert "can flip negative" in said(app)
    assert "the text is still predicted as" in said(app)
    app.button(key="edit_take_0").click().run()
    assert "the prediction flips after" in said(app)
    app.checkbox[0].check().run()
    assert "**Score" in said(app)


def test_a_kept_pair_is_asked_of_networks(page: Page, tmp_path: Path) -> None:
    app = typed(page, "The film is good.")
    app.selectbox(key="edit_word").set_value("2").run()
    app.button(key="edit_negate").click().run()
    assert app.button(key="edit_keep").disabled
    app.selectbox(key="edit expected False").set_value("positive/negative").run()
    app.button(key="edit_keep").click().run()
    kept = app.session_state["kept minimal pairs"]
    assert [(one.first, one.second) for one in kept] == [("The film is good.", "The film isn't good.")]
    (tmp_path / "pairs.csv").write_text(written(kept), encoding="utf-8")
    assert read_minimal_pairs(Source(str(tmp_path / "pairs.csv"))).rows == kept


def test_behaviours_ask_the_pairs_that_were_kept(page: Page) -> None:
    app = page("Inside the model", view="behaviours", run=RUN)
    app.session_state["kept minimal pairs"] = (
        MinimalPair("own pairs", "own pairs", "The film is good.", "The film is bad.", "lower"),
    )
    app.run()
    app.selectbox(key="asked_pairs").set_value("kept").run()
    assert not app.exception
    assert app.query_params["asked_pairs"] == "kept"
    assert "1 of 1 pairs" in said(app) or "1 of 1 pair" in said(app)
