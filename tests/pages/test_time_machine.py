"""One review through all kept epochs: every panel holds each of them, and the words say when the answer came."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.runs import open_run
from nlpviz.ui import cache
from tests.pages.conftest import Page, figure, said

VIEW = {"view": "time-machine"}
TEXT = "A small, patient, luminous film."


def texts_of(app: AppTest) -> list[dict[str, Any]]:
    """Return what the browser gets of each coloured text that goes with the slider."""
    payloads = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return [payload for payload in payloads if "moments" in payload]


def test_every_panel_holds_all_kept_epochs(page: Page) -> None:
    app = page("One review", **VIEW, run="imdb-cnn")
    run = open_run("imdb-cnn")
    epochs = [str(epoch) for epoch in run.epochs]
    lead, placed = figure(app)["playback"], figure(app, 1)["playback"]
    assert [frame["value"] for frame in lead["frames"]] == epochs
    assert [frame["value"] for frame in placed["frames"]] == epochs
    assert "follows" not in lead
    assert placed["follows"]
    assert lead["clock"] == placed["clock"]
    assert [list(one["moments"]) for one in texts_of(app)] == [epochs, epochs]
    html = next(element.proto.body for element in app.get("html") if "data-moment" in element.proto.body)
    assert html.count("data-moment") == len(epochs)
    assert html.count(" hidden>") == len(epochs) - 1


def test_the_answer_is_that_of_the_networks(page: Page) -> None:
    app = page("One review", **VIEW, run="imdb-cnn")
    run = open_run("imdb-cnn")
    text = app.text_area[0].value
    shares = [cache.probabilities(run, epoch, text)[1] for epoch in run.epochs]
    assert f"ends with **positive**, {shares[-1]:.0%}" in said(app)
    table = {one["heading"]: one["column"] for one in figure(app)["table"]}
    assert len(table) == 2
    assert f"{shares[0]:.1%} at epoch 0" in figure(app)["alt"]


def test_a_pinned_word_has_its_story_and_another_run_its_own_epochs(page: Page) -> None:
    app = page("One review", **VIEW, run="imdb-bigru-attention", beside="imdb-lstm", pinned="2", epoch="2")
    assert "The story of “small”" in "".join(element.value for element in app.header)
    lead = figure(app)["playback"]
    assert lead["shown"] == "2"
    both = sorted({*open_run("imdb-bigru-attention").epochs, *open_run("imdb-lstm").epochs})
    assert [frame["value"] for frame in lead["frames"]] == [str(epoch) for epoch in both]
    assert "Attention" in said(app)
    assert "Prediction after each word" in said(app)
    assert not app.exception


@pytest.mark.parametrize("text", ["", "awful", "qqzzx", "<b>bold</b> & $x$"])
def test_odd_texts_get_a_page(page: Page, text: str) -> None:
    app = page("One review", **VIEW)
    app.text_area[0].set_value(text).run()
    assert not app.exception
    assert "<b>bold" not in said(app)


def test_an_epoch_that_no_run_keeps_is_named(page: Page) -> None:
    assert "the epoch 3, which is not there" in said(page("One review", **VIEW, run="imdb-lstm", epoch="3"))
