"""The views of Word by word, asked of language models: of words and of characters, with any text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.language.asking import opened
from nlpviz.language.two_words import ask
from nlpviz.reading.state_path import state_path
from nlpviz.reading.states import read_states
from nlpviz.runs import open_run
from nlpviz.text.tokenizers import CHARACTERS, EOS, REVIEWS, WIKITEXT
from tests.language import NAMES, write_language_run
from tests.pages.conftest import Page, figure, numbers, shown

NAME = "Word by word"
VIEWS = ("gates", "memory", "states")
TEXT = {CHARACTERS: "KING:\nshe was not good", WIKITEXT: "she was in town . he was not", REVIEWS: "the film was good"}
ODD = {
    "empty": "",
    "white space": " \n\t ",
    "one character": "a",
    "unknown words": "犬 猫 鳥",
    "markup": "<script>alert(1)</script><img src=x onerror=alert(1)> **stars** $x$ {brace}",
    "very long": "she was not good . " * 2000,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of toy language models."""
    into = tmp_path_factory.mktemp("language-readers")
    for tokenizer in NAMES:
        write_language_run(into, tokenizer)
    return into


@pytest.fixture
def readers(page: Page, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Page:
    """Return what runs a page where these runs are all there are."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    return page


def typed(app: AppTest, text: str) -> AppTest:
    return app.text_area[0].set_value(text).run()


def html(app: AppTest) -> str:
    return "".join(str(element.proto.body) for element in app.get("html"))


@pytest.mark.parametrize("tokenizer", NAMES)
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_is_offered_and_says_what_is_asked(readers: Page, view: str, tokenizer: str) -> None:
    app = typed(readers(NAME, view=view, run=NAMES[tokenizer], epoch=["0", "1"]), TEXT[tokenizer])
    assert not app.exception
    assert not app.error
    assert "is the probability of" in shown(app)
    assert ("reads characters" in shown(app)) == (tokenizer == CHARACTERS)
    assert figure(app)


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
@pytest.mark.parametrize("tokenizer", [CHARACTERS, WIKITEXT])
@pytest.mark.parametrize("view", VIEWS)
def test_any_text_has_an_answer(readers: Page, view: str, tokenizer: str, text: str) -> None:
    app = typed(readers(NAME, view=view, run=NAMES[tokenizer]), text)
    assert not app.exception
    assert not app.error
    assert "<script" not in html(app)


def test_gates_are_drawn_beside_the_probability_of_the_word(readers: Page) -> None:
    app = typed(readers(NAME, view="gates", run="toy-wikitext", next="film", other="town", layer="2"), TEXT[WIKITEXT])
    assert not app.exception
    states = read_states(ask(open_run("toy-wikitext"), ("film", "town")).load(), TEXT[WIKITEXT])
    line = figure(app)["figure"]["data"][0]
    np.testing.assert_allclose(numbers(line["y"]), states.after[:, 1], atol=1e-6)
    assert "film rather than town" in html(app)
    assert app.selectbox(key="layer").value == "2"


def test_pushes_add_up_to_the_log_odds_of_one_word_over_another(readers: Page) -> None:
    app = typed(readers(NAME, view="states", run="toy-characters", plane="score"), TEXT[CHARACTERS])
    path = state_path(ask(open_run("toy-characters")).load(), TEXT[CHARACTERS])
    model = opened(open_run("toy-characters"))
    logs = model.model.distributions(model.model.begin(), model.ids(TEXT[CHARACTERS]))
    end, space = (model.vocabulary.id(sign) for sign in (EOS, " "))
    np.testing.assert_allclose(path.scores, logs[:, end] - logs[:, space], atol=1e-5)
    drawn = [trace for trace in figure(app, 1)["figure"]["data"] if trace["type"] == "bar"]
    np.testing.assert_allclose(numbers(drawn[0]["y"]), path.pushes, atol=1e-6)
    assert "come to rest" not in "".join(str(one.value) for one in app.header)


@pytest.mark.parametrize(
    ("tokenizer", "asked", "told"),
    [
        (WIKITEXT, {"next": "qqx"}, "is not in the vocabulary of Toy wikitext"),
        (WIKITEXT, {"next": "two words"}, "is not one word"),
        (WIKITEXT, {"next": "he"}, "The two words are the same"),
        (CHARACTERS, {"other": "ab"}, "is not one character"),
        (CHARACTERS, {"other": "<b>"}, "is not one character"),
    ],
)
def test_what_cannot_be_asked_is_said(readers: Page, tokenizer: str, asked: dict[str, str], told: str) -> None:
    app = readers(NAME, view="gates", run=NAMES[tokenizer], **asked)
    assert not app.exception
    assert told in shown(app)
    assert "Meanwhile you see" in shown(app)


def test_characters_that_cannot_be_seen_are_typed_by_their_signs(readers: Page) -> None:
    app = readers(NAME, view="gates", run="toy-characters")
    assert [app.text_input(key=key).value for key in ("next", "other")] == ["↵", "␣"]
    app = app.text_input(key="next").set_value("e").run()
    assert "e rather than ␣" in html(app)
    assert app.query_params["next"] == "e"
