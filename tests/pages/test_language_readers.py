"""The views of Recurrent networks, asked of language models: of words and of characters, with any text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.inspection.context_loss import lose_context
from nlpviz.analysis.inspection.language_units import survey_language_units
from nlpviz.analysis.inspection.state_path import state_path
from nlpviz.analysis.inspection.states import read_states
from nlpviz.language.logit_difference import ask
from nlpviz.language.surprisal import opened
from nlpviz.results.sentiment_unit import SentimentUnit
from nlpviz.results.units import Unit
from nlpviz.runs import open_run
from nlpviz.runs.sentiment_unit import write_sentiment_unit
from nlpviz.runs.units import unit_survey
from nlpviz.stats.significance import wilson
from nlpviz.text.tokenizers import CHARACTERS, EOS, REVIEWS, WIKITEXT
from tests.language import NAMES, write_language_run
from tests.pages.conftest import Page, faults, figure, numbers, said, shown

NAME = "Recurrent networks"
VIEWS = ("gates", "memory", "states")
"""Those that ask for two words."""
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


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of toy language models whose units were searched, one with a unit of sentiment."""
    into = tmp_path_factory.mktemp("language-units")
    for tokenizer in NAMES:
        run = write_language_run(into, tokenizer)
        sample = [(f"test/{place}", f"{TEXT[tokenizer]} " * 9) for place in range(1, 9)]
        weights = np.linspace(-1, 1, 10, dtype=np.float32) if tokenizer == REVIEWS else np.empty(0, dtype=np.float32)
        run = survey_language_units(run, sample, weights)
        if tokenizer == REVIEWS:
            unit = Unit("hidden state", 0, 7, 2)
            write_sentiment_unit(
                run,
                SentimentUnit(run.name, 1, unit, "mean", 0.5, "positive", "negative", 96, 40, 20, 0.8, 200, 150, 400),
            )
    return into


@pytest.fixture
def units_page(page: Page, monkeypatch: pytest.MonkeyPatch, searched: Path) -> Page:
    """Return what runs a page where these runs are all there are, on a machine without corpora."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(searched))
    return page


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


@pytest.mark.ci
@pytest.mark.parametrize("tokenizer", [CHARACTERS, WIKITEXT])
@pytest.mark.parametrize("view", VIEWS)
def test_any_text_has_an_answer(readers: Page, view: str, tokenizer: str) -> None:
    app = readers(NAME, view=view, run=NAMES[tokenizer])
    for name, text in ODD.items():
        assert not faults(typed(app, text)), name


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
    assert "state settle" not in "".join(str(one.value) for one in app.header)


@pytest.mark.ci
@pytest.mark.parametrize("tokenizer", NAMES)
def test_units_over_any_text(units_page: Page, tokenizer: str) -> None:
    app = units_page(NAME, view="units", run=NAMES[tokenizer])
    for name, text in ODD.items():
        assert not faults(typed(app, text)), name


@pytest.mark.parametrize("feature", ["line-position", "word-position", "quotation", "speaker", "capital", "position"])
def test_units_of_characters_are_searched_for_what_characters_have(units_page: Page, feature: str) -> None:
    app = typed(units_page(NAME, view="units", run="toy-characters", feature=feature), TEXT[CHARACTERS])
    assert not app.exception
    found = unit_survey(open_run("toy-characters"), 1).searches[feature]
    if found.ever:
        assert found.units[found.best].id in shown(app)
        assert "excerpts of the test text" in shown(app)
    assert "Ablat" not in shown(app)
    if found.ever:
        assert "reads characters" in shown(app)
    assert "sentiment" not in "".join(str(one.value) for one in app.header)


def test_the_unit_of_sentiment_is_measured_with_its_interval(units_page: Page) -> None:
    app = units_page(NAME, view="units", run="toy-reviews", feature="position")
    assert "Is there a sentiment unit?" in [one.value for one in app.header]
    interval = wilson(0.75, 200)
    assert "**75.0%** of 200 test reviews correctly: " in said(app)
    assert f"95% CI {interval.low:.1%} to {interval.high:.1%} (Wilson)" in said(app)


def test_memory_says_what_earlier_words_are_worth(readers: Page) -> None:
    app = typed(readers(NAME, view="memory", run="toy-wikitext"), TEXT[WIKITEXT])
    assert not app.exception
    found = lose_context(ask(open_run("toy-wikitext")).load(), TEXT[WIKITEXT])
    assert f"the mean loss is **{found.means[-1]:.2f} nats per word** with the full context" in said(app)
    drawn = numbers(figure(app, 1)["figure"]["data"][-1]["y"])
    np.testing.assert_allclose(drawn, found.means, atol=1e-6)


def test_units_that_nobody_searched_are_said_to_be_so(readers: Page) -> None:
    app = readers(NAME, view="units", run="toy-characters")
    assert not app.exception
    assert "python -m nlpviz survey toy-characters" in shown(app)


@pytest.mark.parametrize(
    ("tokenizer", "asked", "told"),
    [
        (WIKITEXT, {"next": "qqx"}, "is not in the vocabulary of Toy wikitext"),
        (WIKITEXT, {"next": "two words"}, "is not a single word"),
        (WIKITEXT, {"next": "he"}, "The two words are the same"),
        (CHARACTERS, {"other": "ab"}, "is not a single character"),
        (CHARACTERS, {"other": "<b>"}, "is not a single character"),
    ],
)
def test_what_cannot_be_asked_is_said(readers: Page, tokenizer: str, asked: dict[str, str], told: str) -> None:
    app = readers(NAME, view="gates", run=NAMES[tokenizer], **asked)
    assert not app.exception
    assert told in shown(app)
    assert "instead." in shown(app)


def test_characters_that_cannot_be_seen_are_typed_by_their_signs(readers: Page) -> None:
    app = readers(NAME, view="gates", run="toy-characters")
    assert [app.text_input(key=key).value for key in ("next", "other")] == ["↵", "␣"]
    app = app.text_input(key="next").set_value("e").run()
    assert "e rather than ␣" in html(app)
    assert app.query_params["next"] == "e"
