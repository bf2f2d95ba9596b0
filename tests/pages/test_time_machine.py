"""One review through all kept epochs: every panel holds each of them, and the words say when the answer came."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.results.dynamics_neighbours import neighbours_of_document
from nlpviz.results.training_log import Role
from nlpviz.runs import open_run
from nlpviz.runs.documents import documents_of
from nlpviz.runs.sharing import copied
from nlpviz.runs.training_log import TRAINING_LOG, training_log
from nlpviz.ui import cache
from nlpviz.ui.recurrence.cache import states
from nlpviz.ui.time_machine import neighbours
from tests.pages.conftest import Page, figure, numbers, said

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
    assert f"CNN on IMDB: **positive** since epoch 1, finally {shares[-1]:.0%}." in said(app)
    table = {one["heading"]: one["column"] for one in figure(app)["table"]}
    assert len(table) == 2
    assert f"{shares[0]:.1%} at epoch 0" in figure(app)["alt"]


def test_a_pinned_word_has_its_story_and_another_run_its_own_epochs(page: Page) -> None:
    app = page("One review", **VIEW, run="imdb-bigru-attention", beside="imdb-lstm", pinned="2", epoch="2")
    assert "Score of “small” by epoch" in "".join(element.value for element in app.header)
    lead = figure(app)["playback"]
    assert lead["shown"] == "2"
    both = sorted({*open_run("imdb-bigru-attention").epochs, *open_run("imdb-lstm").epochs})
    assert [frame["value"] for frame in lead["frames"]] == [str(epoch) for epoch in both]
    assert "Attention" in said(app)
    assert "Prediction after each word" in said(app)
    assert not app.exception


@pytest.mark.ci
def test_odd_texts_get_a_page(page: Page) -> None:
    app = page("One review", **VIEW)
    for text in ("", "awful", "qqzzx", "<b>bold</b> & $x$"):
        app.text_area[0].set_value(text).run()
        assert not app.exception, text
        assert "<b>bold" not in said(app)


def test_an_epoch_that_no_run_keeps_is_named(page: Page) -> None:
    assert "epoch to 3, which does not exist" in said(page("One review", **VIEW, run="imdb-lstm", epoch="3"))


def test_a_part_of_the_cell_goes_with_the_slider(page: Page) -> None:
    app = page("One review", **VIEW, run="imdb-lstm", part="input gate")
    run = open_run("imdb-lstm")
    held = {epoch: states(run, epoch, app.text_area[0].value)() for epoch in run.epochs}
    drawn = figure(app, 2)
    assert drawn["playback"]["follows"]
    assert [one["value"] for one in drawn["playback"]["frames"]] == [str(epoch) for epoch in run.epochs]
    first, best = (drawn["playback"]["frames"][at] for at in (0, -1))
    assert best["data"] == [], "the figure is that of the best epoch"
    assert first["data"][0]["z"]["shape"] == f"{held[0].units}, {len(held[0].states)}"
    shown = np.sort(numbers(first["data"][0]["z"]))
    np.testing.assert_allclose(shown, np.sort(held[0].parts["input gate"].ravel()), rtol=1e-6)
    table = {one["heading"]: one["column"] for one in drawn["table"]}
    means = [one.parts["input gate"].mean(axis=(1, 2)) for one in held.values()]
    np.testing.assert_allclose(numbers(table["mean over units"]), np.concatenate(means), rtol=1e-5)
    assert f"the mean input gate over units and words is {held[0].parts['input gate'].mean():.2f} at epoch 0" in said(
        app
    )


@pytest.mark.parametrize("given", ["", "document", "no corpus"])
def test_neighbours_are_of_the_document_or_of_the_class_that_is_followed(
    page: Page, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    run = open_run("imdb-cnn")
    log, name = training_log(run).of(Role.TEST), documents_of(run).ids[0]
    if given == "document":
        monkeypatch.setattr(cache, "document_text", lambda _corpus, _document: TEXT)
    app = page("One review", **VIEW, run=run.name, text=name if given else "")
    named = [one.value.replace("\\", "") for one in app.caption if " nats" in one.value]  # links, in the whole app
    assert len(named) == 6
    ids = [one.split(" · ")[0].rpartition("(")[2].rstrip(")") for one in named]
    if given == "document":
        assert ids == list(neighbours_of_document(log, log.ids.index(name), 6).ids)
        assert "labelled positive" not in said(app)
    else:
        assert all(log.labels[log.ids.index(one)] == 1 for one in ids)
        assert "labelled positive" in said(app)
    near = [float(one.split(" · ")[1].split()[0]) for one in named]
    assert near == sorted(near)
    assert not app.exception


def test_a_run_without_a_log_says_what_makes_one(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = copied(open_run("imdb-cnn"), tmp_path / "trained" / "bare")
    bare.file(TRAINING_LOG).unlink()
    bare.save()
    monkeypatch.setenv("NLPVIZ_TRAINED", str(bare.folder.parent))
    app = page("One review", **VIEW, run="bare")
    assert "The run 'bare' has no training log" in said(app)
    assert not app.exception


def test_a_log_without_the_kept_epochs_says_so(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def other_moments(*_: object) -> None:
        raise ValueError("the log has none of these epochs as a moment")

    monkeypatch.setattr(neighbours, "neighbours_of_course", other_moments)
    app = page("One review", **VIEW, run="imdb-cnn")
    assert "the training log has no moment in common with the stored epochs" in said(app)
    assert not app.exception
