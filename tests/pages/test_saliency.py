"""The saliency page says what the model says, of any text."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.attribution import explain, methods
from nlpviz.data.examples import examples
from nlpviz.runs import open_run
from tests.pages.conftest import Page, figure, numbers, shown

RUN = "imdb-cnn"
ODD = {
    "empty": "",
    "white space": " \n\t ",
    "one token": "awful",
    "unknown words": "qqzzx wvvbt",
    "punctuation": "?!... ,,;",
    "100,000 characters": "a rather long review , " * 4348,
    "null byte": "good\0bad",
    "right to left": "פילם נהדר، فيلم رائع",
    "emoji": "👨‍👩‍👧 🇫🇷 ❤️ 👍🏽",
    "markup": "<script>alert(1)</script><img src=x onerror=alert(1)><b>bold</b> & **stars** $x$",
    "control signs": "\u202e\u200f\ufeff\x1b[31m",
}


def typed(app: AppTest, text: str) -> AppTest:
    return app.text_area[0].set_value(text).run()


def html(app: AppTest) -> str:
    return "".join(str(element.proto.body) for element in app.get("html"))


@pytest.mark.parametrize("method", sorted(methods()))
def test_bars_are_the_scores(page: Page, method: str) -> None:
    app = page("Saliency", method=method, example=examples()[3].id)
    expected = explain(open_run(RUN).load(), examples()[3].text, method)
    bars = figure(app)["figure"]["data"][0]
    places = sorted(expected.strongest(len(bars["y"])))
    np.testing.assert_allclose(numbers(bars["x"]), expected.scores[places], rtol=1e-4)


def test_other_words_other_answer(page: Page) -> None:
    app = page("Saliency")
    first = shown(typed(app, "A wonderful, moving film. I loved it."))
    second = shown(typed(app, "The worst film ever. Awful, a waste of money."))
    assert "positive" in first
    assert "negative" in second


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_any_text_gets_an_answer(page: Page, text: str) -> None:
    app = typed(page("Saliency"), text)
    assert not app.exception
    assert not app.error
    assert "Epoch" in shown(app)
    assert "<script" not in html(app)
    assert "<img" not in html(app)
    assert "<b>bold" not in html(app)


def test_typed_text_stays_out_of_the_address(page: Page) -> None:
    app = typed(page("Saliency", example=examples()[2].id), "my own secret words")
    assert "secret" not in str(dict(app.query_params))
    assert app.query_params["example"] == "own"


def test_epochs_stand_side_by_side_on_one_scale(page: Page) -> None:
    epochs = [str(epoch) for epoch in open_run(RUN).epochs[:3]]
    layout = figure(page("Saliency", epoch=epochs))["figure"]["layout"]
    assert layout["xaxis"]["range"] == layout["xaxis2"]["range"] == layout["xaxis3"]["range"]


@pytest.mark.parametrize(
    ("parameter", "value"), [("run", "nix"), ("epoch", "99"), ("method", "<b>x</b>"), ("target", "7"), ("example", "?")]
)
def test_an_address_that_names_nothing(page: Page, parameter: str, value: str) -> None:
    app = page("Saliency", **{parameter: value})
    assert not app.exception
    assert f"The address asks for the {parameter}" in shown(app)
    assert figure(app)


def test_a_review_of_a_corpus_that_is_not_there(page: Page) -> None:
    app = page("Saliency", doc="test/pos/1")
    assert not app.exception
    assert [button for button in app.button if "Download" in button.label]
    assert figure(app), "the example is shown in its place"
