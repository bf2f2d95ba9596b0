"""The saliency page says what the model says, of any text."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.attribution import explain, methods_for
from nlpviz.analysis.attribution.deletion import deletion_curve
from nlpviz.data.examples import examples
from nlpviz.results.deletion import DeletionCurve
from nlpviz.runs import Run, open_run
from nlpviz.runs.documents import documents_of
from nlpviz.runs.sharing import copied
from nlpviz.ui.attribution import trust
from tests.pages.conftest import Page, asked_in_vain, figure, numbers, shown

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


def test_cells_are_the_matrix(page: Page) -> None:
    app = page("One review", method="integrated-gradients", text=examples()[3].id, show="matrix")
    expected = explain(open_run(RUN).load(), examples()[3].text, "integrated-gradients", target=1)
    cells = figure(app)["figure"]["data"][0]
    positions = sorted(expected.strongest(len(cells["y"])))
    drawn = numbers(cells["z"]).reshape(len(positions), -1)
    np.testing.assert_allclose(drawn, expected.matrix[positions], rtol=1e-4, atol=1e-6)
    assert "top 30 of" in figure(app)["caption"]


def test_random_orders_are_told_by_their_mean_and_their_range() -> None:
    at_random = np.array([[0.9, 0.8, 0.5], [0.9, 0.6, 0.5]], np.float32)
    own = np.array([0.9, 0.2, 0.5], np.float32)
    curve = DeletionCurve(RUN, 1, "saliency", "positive", 8, np.array([0, 2, 8]), own, at_random, 0)
    assert "to **20%**. Removing the same number of random tokens moves it to 70% (60% to 80%)." in trust._deletion(
        curve
    )


@pytest.mark.parametrize("method", sorted(methods_for(open_run(RUN))))
def test_bars_are_the_scores_and_trust_is_said_in_the_numbers_of_this_text(page: Page, method: str) -> None:
    app = page("One review", method=method, text=examples()[3].id, trust="open")
    trained, untrained = open_run(RUN).load(), open_run(RUN).load(0)
    explained, before = (explain(model, examples()[3].text, method, target=1) for model in (trained, untrained))
    bars = figure(app)["figure"]["data"][0]
    positions = sorted(explained.strongest(len(bars["y"])))
    np.testing.assert_allclose(numbers(bars["x"]), explained.scores[positions], rtol=1e-4)
    curve = deletion_curve(trained, explained)
    drawn = figure(app, 1)["figure"]["data"][-1]
    np.testing.assert_allclose(numbers(drawn["y"]), curve.probability, atol=1e-4)
    position = int(np.searchsorted(curve.share, 0.1))
    words = shown(app)
    assert f"Removing the first {curve.taken[position]} of {curve.tokens} tokens in this order" in words
    assert f"to **{curve.probability[position]:.0%}**" in words
    random = curve.random[:, position]
    assert f"random tokens moves it to {random.mean():.0%} ({random.min():.0%} to {random.max():.0%})" in words
    assert f"**{signed(explained.rank_correlation(before))}** with those before training" in words
    if explained.residual is None:
        assert "do not sum to the class score" in words
    else:
        residual = f"{explained.residual:+.2g}" if abs(explained.residual) >= 0.001 else "under 0.001"
        taken = "" if explained.steps is None else f" (computed in {explained.steps} steps)"
        assert f"{taken}. The residual is **{residual}**".replace("-", "−") in words


def signed(number: float | None) -> str:
    return f"{number:+.2f}".replace("-", "−")


def test_before_training_there_is_nothing_to_compare_with(page: Page) -> None:
    words = shown(page("One review", epoch="0", trust="open"))
    assert "This is the network before training, with the word vectors of Skip-gram on IMDB" in words.replace("\\", "")
    assert "by chance" not in words


@pytest.mark.parametrize("text", ["", " \n ", "?"], ids=ascii)
def test_a_text_that_gives_nothing_to_test(page: Page, text: str) -> None:
    app = typed(page("One review", epoch=["0", str(open_run(RUN).best_epoch)]), text)
    assert not app.exception
    assert ("there is nothing to test" in shown(app)) is not text.strip()
    assert figure(app)


@pytest.fixture
def two_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the committed run, and one beside it that reads less and was chosen at another epoch."""
    folder = tmp_path / "runs"
    for name in (RUN, "other"):
        copied(open_run(RUN), folder / name)
    other = Run.open(folder / "other")
    replace(other, title="Another", max_length=9, best_epoch=other.epochs[1]).save()
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    return folder


@pytest.mark.parametrize("picture", ["bars", "matrix"])
def test_runs_stand_side_by_side_like_epochs(page: Page, two_runs: Path, picture: str) -> None:
    other = Run.open(two_runs / "other")
    app = page("One review", run=RUN, beside="other", show=picture, method="gradient-input", trust="open")
    assert not app.exception
    assert not app.error
    best = open_run(RUN).best_epoch
    titles = [note["text"] for note in figure(app)["figure"]["layout"]["annotations"]]
    assert titles == [f"<b>{open_run(RUN).title}, epoch {best}</b>", f"<b>Another, epoch {other.best_epoch}</b>"]
    explained = explain(other.load(), examples()[0].text, "gradient-input", 1)
    answer = f"Another: **{explained.class_names[explained.predicted]}**"
    assert answer in unescaped(shown(app))
    tables = [list(table.value["Checkpoint"]) for table in app.table]
    assert [[unescaped(row) for row in rows] for rows in tables] == [[open_run(RUN).title, "Another"]]
    labels = [expander.label for expander in app.expander]
    assert any("(Another)" in label and "9 tokens read" in label for label in labels)


def unescaped(markdown: str) -> str:
    return re.sub(r"\\([!-/;-@\[-`{-~])", r"\1", markdown)


def test_a_run_with_other_classes(page: Page, two_runs: Path) -> None:
    """Beside another one it is left out, with the reason; alone it is explained in its own words."""
    replace(Run.open(two_runs / "other"), class_names=("thumb <down>", "thumb up")).save()
    app = page("One review", run=RUN, beside="other")
    assert not app.exception
    assert "has no class positive" in unescaped(shown(app))
    app = page("One review", run="other")
    assert not app.exception
    assert app.selectbox(key="target").options == ["predicted · thumb up", "thumb up", "thumb <down>"]
    assert "contributes to the score (logit) of **thumb up**" in unescaped(shown(app))


@pytest.mark.ci
def test_any_text_gets_an_answer_from_several_checkpoints(page: Page, two_runs: Path) -> None:
    epochs = [str(epoch) for epoch in Run.open(two_runs / RUN).epochs[:3]]
    app = page("One review", run=RUN, beside="other", epoch=epochs, show="matrix", method="integrated-gradients")
    for name, text in ODD.items():
        typed(app, text)
        assert not app.exception, name
        assert not app.error, name
        assert len(figure(app)["figure"]["layout"]["annotations"]) == 6, name
        assert "<script" not in html(app) + str(figure(app)["figure"]), name


def test_other_words_other_answer(page: Page) -> None:
    app = page("One review")
    first = shown(typed(app, "A wonderful, moving film. I loved it."))
    second = shown(typed(app, "The worst film ever. Awful, a waste of money."))
    assert "positive" in first
    assert "negative" in second


def test_any_text_gets_an_answer(page: Page) -> None:
    app = page("One review")
    for name, text in ODD.items():
        typed(app, text)
        assert not app.exception, name
        assert not app.error, name
        assert "CNN on IMDB: " in shown(app), name
        assert not re.search(r"<(script|img|b>bold)", html(app)), name


def test_what_cannot_be_shown_is_read_as_a_space_and_said(page: Page) -> None:
    app = typed(page("One review"), "good\0bad \ufffd film\x1b")
    assert [note.value for note in app.info] == [
        "3 control or invalid characters were replaced by spaces, because this page cannot display such characters."
    ]
    titles = re.findall(r'title="([^":]+)', html(app))
    assert {"good", "bad", "film"} <= set(titles)
    assert not typed(app, "good, bad film").info


def test_typed_text_stays_out_of_the_address(page: Page) -> None:
    app = typed(page("One review", text=examples()[2].id), "my own secret words")
    assert "secret" not in str(dict(app.query_params))
    assert app.query_params["text"] == "own"


def test_epochs_stand_side_by_side_on_one_scale(page: Page) -> None:
    epochs = [str(epoch) for epoch in open_run(RUN).epochs[:3]]
    layout = figure(page("One review", epoch=epochs))["figure"]["layout"]
    assert layout["xaxis"]["range"] == layout["xaxis2"]["range"] == layout["xaxis3"]["range"]


def test_an_address_that_names_nothing(page: Page) -> None:
    wanted = {"run": "nix", "epoch": "99", "method": "<b>x</b>", "target": "7", "text": "?"}
    app = page("One review", **wanted)
    assert not app.exception
    assert asked_in_vain(app) == wanted.keys()
    assert figure(app)


def test_a_review_of_a_corpus_that_is_not_there(page: Page) -> None:
    app = page("One review", text=documents_of(open_run(RUN)).ids[0])
    assert not app.exception
    assert [button for button in app.button if "Download" in button.label]
    assert figure(app), "the example is shown in its place"
