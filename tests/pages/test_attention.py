"""The attention page shows what the network attended to, and says whether that mattered."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.attribution import explain
from nlpviz.analysis.inspection.attention import attend
from nlpviz.analysis.inspection.attention_effect import attention_effect
from nlpviz.data.examples import examples
from nlpviz.results.attention import TextAttention
from nlpviz.results.attention_effect import Intervention
from nlpviz.runs import Run, open_run
from nlpviz.runs.attention_effects import ATTENTION, attention_survey
from nlpviz.runs.sharing import copied
from tests.pages.conftest import Page, asked_in_vain, figure, numbers, shown

PAGE = {"name": "One review", "view": "attention"}
HAN, RNN, TRANSFORMER = "toy-han", "toy-attentive-rnn", "toy-transformer-encoder"
TEXT = "There is a splendid film. We were in the house. It was dreadful!"
ODD = {
    "empty": "",
    "white space": " \n\t ",
    "one token": "splendid",
    "200 words": "the splendid film " * 70,
    "unknown words": "qqzzx wvvbt kkq",
    "another language": "Ein prächtiger Film, ganz ohne Zweifel. 素晴らしい映画。",
    "no sentence end": "the man saw the woman and the dog and the film and the town",
    "300 sentences": "Splendid. " * 300,
    "markup": "<script>alert(1)</script><img src=x onerror=alert(1)><b>bold</b> & **stars** $x$ {brace}",
    "null byte": "splendid\0film",
    "markup too long to be any": '<blockquote cite="https://www.example.org/a/title/tt01/">',
    "a boundary within a sign": "Splendid film\u203c\ufe0f It was dreadful.",
    "right to left": "פילם נהדר، فيلم رائع",
}


def typed(app: AppTest, text: str) -> AppTest:
    return app.text_area[0].set_value(text).run()


def html(app: AppTest) -> str:
    return "".join(str(element.proto.body) for element in app.get("html"))


def named(app: AppTest, name: str) -> dict[str, Any]:
    """Return what the browser gets of the figure whose files are called ``…-name``."""
    position = 0
    while not (payload := figure(app, position))["name"].endswith(f"-{name}"):
        position += 1
    return payload


def unescaped(markdown: str) -> str:
    return re.sub(r"\\([!-/;-@\[-`{-~])", r"\1", markdown)


def attended(run: str, text: str = TEXT, epoch: int | None = None) -> TextAttention:
    return attend(open_run(run).load(epoch), text)


@pytest.mark.parametrize("run", [HAN, RNN, TRANSFORMER])
def test_words_are_coloured_and_drawn_by_their_weights(attentive_page: Page, run: str) -> None:
    app = typed(attentive_page(**PAGE, run=run, weights="words"), TEXT)
    assert not app.exception
    result = attended(run)
    titles = re.findall(r'title="([^:"]+): [^"]*?([\d.]+)% of the text', html(app))
    assert [word for word, _ in titles] == [token.word for token in result.text.read]
    assert [float(weight) for _, weight in titles] == pytest.approx((100 * result.words).tolist(), abs=0.006)
    positions = sorted(result.strongest(14))
    drawn = numbers(named(app, "attention-words")["figure"]["data"][0]["x"])
    np.testing.assert_allclose(drawn, result.words[positions], atol=1e-6)
    word = result.text.read[result.strongest(1)[0]].word
    quoted = f"*{word}*" if word.isalnum() else f"“{word}”"
    assert f"{quoted}, {result.words.max():.0%}." in unescaped(shown(app))


def test_sentences_have_their_weights(attentive_page: Page) -> None:
    app = typed(attentive_page(**PAGE, run=HAN, fold="open"), TEXT)
    result = attended(HAN)
    assert len(result.sentences) == 3
    assert re.findall(r"<span>([\d.]+%)</span></span>", html(app)) == [
        f"{part.weight:.1%}" for part in result.sentences
    ]
    drawn = numbers(named(app, "attention-sentences")["figure"]["data"][0]["x"])
    np.testing.assert_allclose(drawn, [part.weight for part in result.sentences], rtol=1e-5)


def test_light_sentences_fold_away_unless_they_are_chosen(
    attentive_page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "nlpviz.figures.attention.attended.FOLDED", 1.0
    )  # toy texts have one sentence each: all weigh alike
    result = attended(HAN)
    light = [position for position, part in enumerate(result.sentences) if part.weight < 1 / 3]
    assert 0 < len(light) < 3
    app = typed(attentive_page(**PAGE, run=HAN), TEXT)
    assert "<details" in html(app)
    assert f"Collapsed sentences: {len(light)} of 3" in shown(app)
    assert "<details" not in html(app.selectbox(key="fold").set_value("expanded").run())
    app = app.selectbox(key="fold").set_value("collapsed").run()
    app = app.selectbox(key="sentence").set_value(str(light[0] + 1)).run()
    assert html(app).count('class="nlpviz-sentence nlpviz-sentence-selected"') == 1
    summaries = re.findall(r"<summary>(\d+) sentence", html(app))
    assert sum(map(int, summaries)) == len(light) - 1


def test_views_are_offered_where_there_are_sentences(attentive_page: Page) -> None:
    app = typed(attentive_page(**PAGE, run=HAN, weights="within"), TEXT)
    result = attended(HAN)
    assert result.within is not None
    bars = named(app, "attention-words")["figure"]["data"][0]
    np.testing.assert_allclose(numbers(bars["x"]).max(), result.within.max(), rtol=1e-5)
    keys = [box.key for box in attentive_page(**PAGE, run=RNN).selectbox]
    assert "view" not in keys
    assert "fold" not in keys


def test_epochs_and_runs_stand_side_by_side_on_one_scale(attentive_page: Page) -> None:
    app = typed(attentive_page(**PAGE, run=RNN, epoch=["0", "3"], beside=HAN), TEXT)
    assert not app.exception
    titles = [note["text"] for note in named(app, "attention-words")["figure"]["layout"]["annotations"]]
    rnn, han = (open_run(name).title for name in (RNN, HAN))
    assert titles[:3] == [f"<b>{rnn}, epoch 0</b>", f"<b>{rnn}, epoch 3</b>", f"<b>{han}, epoch 0</b>"]
    layout = named(app, "attention-words")["figure"]["layout"]
    assert layout["xaxis"]["range"] == layout["xaxis2"]["range"]
    untrained = attended(RNN, epoch=0)
    named_epoch = f"{open_run(RNN).title}, epoch 0: **{untrained.class_names[untrained.predicted]}**"
    assert named_epoch in unescaped(shown(app))


def test_only_runs_with_attention_are_offered(attentive_page: Page) -> None:
    app = attentive_page(**PAGE)
    *able, unable = app.selectbox(key="run").options
    assert len(able) == 3
    assert not any("no attention" in one for one in able)
    assert unable == "Toy cnn (no attention)"
    assert not any("Toy cnn" in one for one in app.selectbox(key="beside").options)
    app = attentive_page(**PAGE, run="toy-cnn")
    assert not app.exception
    assert "Toy cnn cannot be shown here (no attention). Choose another model." in unescaped(shown(app))
    assert not [one for one in app.get("bidi_component") if "attention-words" in str(one.proto.json)]


# ------------------------------------------------------------------------------------------------- self-attention


def test_matrix_and_lines_are_one_head(attentive_page: Page) -> None:
    app = typed(attentive_page(**PAGE, run=TRANSFORMER, layer="1", head="2"), TEXT)
    result = attended(TRANSFORMER)
    assert result.heads is not None
    count = len(result.words)
    cells = named(app, "self-attention")["figure"]["data"][0]
    np.testing.assert_allclose(numbers(cells["z"]).reshape(count, count), result.heads[0, 1], atol=1e-6)
    table = {column["heading"]: column["column"] for column in named(app, "self-attention-lines")["table"]}
    np.testing.assert_allclose(numbers(table["weight, epoch 3"]), result.heads[0, 1].ravel(), atol=1e-6)
    assert len(named(app, "attention-heads")["figure"]["data"]) == result.heads.shape[0] * result.heads.shape[1]
    assert f"directs {result.heads[0, 1].diagonal().mean():.1%} of its attention to itself" in shown(app)


def test_a_chosen_word_is_framed_and_alone_has_lines(attentive_page: Page) -> None:
    app = typed(attentive_page(**PAGE, run=TRANSFORMER), TEXT)
    app = app.selectbox(key="attended").set_value("from-4").run()
    assert app.query_params["attended"] in ("from-4", ["from-4"])
    (frame,) = named(app, "self-attention")["figure"]["layout"]["shapes"]
    assert (frame["y0"], frame["y1"]) == (2.5, 3.5)
    strokes = [trace for trace in named(app, "self-attention-lines")["figure"]["data"] if trace["mode"] == "lines"]
    assert {y for trace in strokes for x, y in zip(trace["x"], trace["y"], strict=True) if x == 0.0} == {3}
    assert "*splendid* attends most to" in unescaped(shown(app))
    app = typed(app, "Another text of five words.")
    assert app.selectbox(key="attended").value == "all", "a word is named by its place in a text"


@pytest.mark.parametrize(
    ("run", "unheard"),
    [
        (HAN, {"layer": "7", "head": "2", "window": "1-60", "attended": "from-4"}),
        (RNN, {"weights": "within", "fold": "open", "sentence": "2", "layer": "1"}),
        (TRANSFORMER, {"weights": "words", "window": "61-120"}),
    ],
)
def test_what_a_link_asks_of_controls_that_are_not_there_is_named_and_left_out(
    attentive_page: Page, run: str, unheard: dict[str, str]
) -> None:
    app = attentive_page(**PAGE, run=run, text=examples()[0].id, **unheard)
    warnings = [warning.value.replace("\\", "") for warning in app.warning]
    assert len(warnings) == len(unheard)
    for parameter, value in unheard.items():
        assert any(f"The link sets {parameter} to {value}, which does not exist." in one for one in warnings)
        assert parameter not in app.query_params
    assert not app.run().warning, "named once"


def test_a_choice_comes_back_with_its_control(attentive_page: Page) -> None:
    app = typed(attentive_page(**PAGE, run=TRANSFORMER), TEXT)
    app = app.selectbox(key="layer").set_value("1").run()
    app = app.selectbox(key="run").set_value(HAN).run()
    assert "layer" not in app.query_params
    assert not app.warning, "nobody asked for it in vain"
    app = app.selectbox(key="run").set_value(TRANSFORMER).run()
    assert app.selectbox(key="layer").value == "1"
    assert app.query_params["layer"] in ("1", ["1"])


def test_an_epoch_that_a_run_does_not_keep_is_named(page: Page) -> None:
    app = page("Translate", view="sentences", run="multi30k-en-fr-dot", epoch="3")
    (warning,) = app.warning
    best = open_run("multi30k-en-fr-dot").best_epoch
    assert f"The link sets epoch to 3, which does not exist. Available: {best}." in warning.value
    assert "epoch" not in app.query_params
    assert not page("Translate", view="sentences", run="multi30k-en-fr-dot", epoch=str(best)).warning


def test_a_text_has_a_greatest_length(attentive_page: Page) -> None:
    app = typed(attentive_page(**PAGE, run=RNN), "splendid film " * 20_000)
    assert not app.exception
    assert len(app.session_state["text"]) == app.text_area[0].max_chars == 200_000


def test_no_matrix_without_self_attention(attentive_page: Page) -> None:
    assert "What does each word attend to?" not in [header.value for header in attentive_page(**PAGE, run=RNN).header]


# ------------------------------------------------------------------------------------------ does attention matter?


@pytest.mark.parametrize("run", [HAN, RNN, TRANSFORMER])
def test_the_effect_on_this_text_is_what_was_computed(attentive_page: Page, run: str) -> None:
    app = typed(attentive_page(**PAGE, run=run), TEXT)
    trained = open_run(run).load()
    expected = attention_effect(trained, explain(trained, TEXT, "saliency"))
    said = shown(app)
    uniform, top = (expected.probability(one)[0] for one in (Intervention("uniform"), Intervention("top", 5)))
    assert f"with uniform attention **{uniform:.0%}**" in said
    table = next(one.value for one in app.table if "Range" in one.value)
    assert table.iloc[3, :2].tolist() == ["without the 5 heaviest words", f"{top:.0%}"]
    dots = named(app, "attention-effect")["figure"]["data"][2]
    wanted = [expected.probability(one)[0] for one in expected.answers if one.kind == "top"]
    np.testing.assert_allclose(numbers(dots["x"]), wanted, atol=1e-4)
    tau = expected.agreement.saliency
    assert tau is not None
    assert f"attention and gradient saliency **{tau:+.2f}**".replace("-", "−") in said


def test_each_word_of_a_long_text_is_left_out_when_somebody_asks(
    attentive_page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = len(attended(RNN).words)
    monkeypatch.setattr("nlpviz.ui.attention.effect._LONG", count - 1)
    app = typed(attentive_page(**PAGE, run=RNN, epoch=["0", "3"]), TEXT)
    asks = f"Leave-one-out runs the network {count} times, each time with one word left out."
    assert asks in shown(app)
    assert "Rank correlation of the words (Kendall’s τ)" not in shown(app)
    app = app.button(key="leave_one_out").click().run()
    assert not app.exception
    assert "Rank correlation of the words (Kendall’s τ)" in shown(app)
    assert len(numbers(named(app, "attention-agreement")["figure"]["data"][0]["y"])) == count
    assert asks not in shown(app)
    assert asks in shown(typed(app, TEXT.replace("splendid", "dull"))), "another text is asked for anew"


def test_a_run_with_other_classes_is_left_out_of_the_effect(
    attentive_page: Page, toy_attentive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (HAN, RNN):
        copied(Run.open(toy_attentive / name), tmp_path / "runs" / name)
    replace(Run.open(tmp_path / "runs" / RNN), class_names=("bad", "good")).save()
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    app = typed(attentive_page(**PAGE, run=HAN, beside=RNN), TEXT)
    assert not app.exception
    assert "cannot be compared, because it has no class" in shown(app)
    assert "attention-effect" in named(app, "attention-effect")["name"]


def test_the_test_documents_are_summed_up_in_words(attentive_page: Page) -> None:
    app = attentive_page(**PAGE, run=RNN)
    run = open_run(RNN)
    result = attention_survey(run, run.best_epoch)
    uniform = Intervention("uniform")
    removed = max(one.removed for one in result.interventions if one.removed <= 10)
    asked = [uniform, *(Intervention(kind, removed) for kind in ("top", "random", "mass"))]
    same = result.of_all([one for one in asked if one in result.interventions])
    changed = same.share_flipped(uniform)
    assert (
        f"changes the prediction in **{changed:.1%}** of {len(same.ids)} test texts (epoch {run.best_epoch})"
        in shown(app)
    )
    table = next(one.value for one in app.table if "Predictions changed" in one.value)
    assert table.iloc[0, 1:].tolist() == [
        f"{changed:.1%}", f"{1 - changed:.1%}", f"{np.median(same.changes(uniform)):.3f}"
    ]  # fmt: skip
    ends = named(app, "attention-survey")["figure"]["data"][5]
    assert ends["text"][0] == f"{result.share_flipped(uniform):.1%}"


def test_a_run_that_was_not_surveyed_says_how(
    attentive_page: Page, toy_attentive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(Run.open(toy_attentive / RNN), tmp_path / "runs" / RNN)
    (tmp_path / "runs" / RNN / ATTENTION).unlink()
    Run.open(tmp_path / "runs" / RNN).save()
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    app = attentive_page(**PAGE)
    assert not app.exception
    assert f"run `python -m nlpviz survey {RNN}`." in shown(app)


def test_no_run_with_attention(
    page: Page, toy_attentive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(Run.open(toy_attentive / "toy-cnn"), tmp_path / "runs" / "toy-cnn")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    app = page(**PAGE)
    assert not app.exception
    assert "There is no trained network with attention yet. Run `python -m nlpviz train imdb-han` first." in shown(app)


# ---------------------------------------------------------------------------------------------------------- input


@pytest.mark.ci
@pytest.mark.parametrize("run", [HAN, RNN, TRANSFORMER])
def test_any_text_gets_an_answer(attentive_page: Page, run: str) -> None:
    app = attentive_page(**PAGE, run=run, epoch=["0", "3"])
    for name, text in ODD.items():
        typed(app, text)
        assert not app.exception, name
        assert not app.error, name
        assert "Epoch 3: " in unescaped(shown(app)), name
        assert not re.search(r"<(script|img|b>bold)", html(app)), name
        assert ("there are no weights to replace" in shown(app)) is (len(attended(run, text).words) < 2), name


def test_typed_text_stays_out_of_the_address(attentive_page: Page) -> None:
    app = typed(attentive_page(**PAGE, run=HAN, text=examples()[2].id), "my own secret words. Very secret.")
    assert "secret" not in str(dict(app.query_params))
    assert app.query_params["text"] == "own"


@pytest.mark.parametrize(
    ("run", "wanted"),
    [
        ("nix", {"run": "nix"}),
        (HAN, {"epoch": "99", "weights": "x", "sentence": "99", "fold": "?", "text": "?"}),
        (TRANSFORMER, {"layer": "9", "head": "x", "attended": "from-999"}),
    ],
)
def test_an_address_that_names_nothing(attentive_page: Page, run: str, wanted: dict[str, str]) -> None:
    app = attentive_page(**PAGE, **{"run": run, **wanted})
    assert not app.exception
    assert asked_in_vain(app) == wanted.keys()


# -------------------------------------------------------------------------------------------- on the saliency page


def test_attention_is_an_attribution_method(attentive_page: Page) -> None:
    app = typed(attentive_page("One review", run=HAN, method="attention"), TEXT)
    assert not app.exception
    result = attended(HAN)
    bars = numbers(figure(app)["figure"]["data"][0]["x"])
    np.testing.assert_allclose(bars, result.words[sorted(result.strongest(14))], atol=1e-6)


def test_a_method_without_a_matrix_says_so(attentive_page: Page) -> None:
    app = attentive_page("One review", run=RNN, method="attention", show="matrix")
    assert not app.exception
    assert "so there is no matrix of dimensions. Bars are shown instead" in shown(app)
    assert figure(app)["figure"]["data"][0]["type"] == "bar"


def test_attention_is_offered_only_where_there_is_any(attentive_page: Page) -> None:
    app = attentive_page("One review", run="toy-cnn", method="attention")
    assert not app.exception
    assert "Attention" not in app.selectbox(key="method").options
    assert "The link sets method" in shown(app)
    app = attentive_page("One review", run=RNN, beside="toy-cnn", method="attention")
    assert not app.exception
    assert "Attention needs a network with attention, so Toy cnn is not shown." in shown(app)


# ------------------------------------------------------------------------------------------------ on the other pages


def _document(name: str) -> None:
    """A page with one document of a run."""
    from nlpviz.runs import open_run
    from nlpviz.runs.documents import documents_of
    from nlpviz.ui.documents import picked

    picked.show_document(open_run(name), documents_of(open_run(name)).ids[0])


@pytest.mark.usefixtures("attentive_page")
@pytest.mark.parametrize(
    ("run", "has", "lacks"),
    [(HAN, "What did the network attend to?", "n-grams"), ("toy-cnn", "Which n-grams did the network", "attend to")],
)
def test_a_document_leads_to_what_its_network_has(run: str, has: str, lacks: str) -> None:
    app = AppTest.from_function(_document, default_timeout=60, kwargs={"name": run}).run()
    assert not app.exception
    leads = "\n".join(str(caption.value) for caption in app.caption)
    assert has in leads
    assert lacks not in leads


def test_regions_are_offered_for_networks_that_pool_over_them(attentive_page: Page) -> None:
    for name, view in (("One review", "n-grams"), ("Inside the model", "filters"), ("Inside the model", "top-n-grams")):
        app = attentive_page(name, view=view)
        first, *others = app.selectbox(key="run").options
        assert first == "Toy cnn"
        assert len(others) == 3
        assert all(one.endswith(" (no convolution filters)") for one in others)
