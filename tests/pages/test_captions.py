"""The page on captions, on networks that learnt for seconds: scenes that are built, and images of one's own."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.data import corpus_named
from nlpviz.data.captioned import CaptionedImages
from nlpviz.data.scene_objects import Scene, parsed, written
from nlpviz.data.scene_pictures import render
from nlpviz.data.scenes import held_out
from nlpviz.language.decoding.captions import describe
from nlpviz.results.captions import Caption
from nlpviz.runs import open_run
from nlpviz.runs.captioners import load_captioner
from nlpviz.ui.captions import cache, truth
from tests.captions import OWN
from tests.pages import conftest as pages
from tests.pages.conftest import figure, numbers, said

Open = Callable[..., AppTest]
ONE = "small red square 20 24"
TWO = f"{ONE}; large blue circle 44 40"


@pytest.fixture
def opened(toy_captioners: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Open:
    """Return what opens the page on scenes, with parameters in its address."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_captioners))
    monkeypatch.setenv("NLPVIZ_CACHE", str(tmp_path))
    monkeypatch.delenv("NLPVIZ_DATA", raising=False)
    return lambda **address: pages.opened("Captions", **{"run": "scenes-soft", **address}).run()


@pytest.fixture
def own(own_images: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Open:
    """Return what opens the view of one's own images."""
    shutil.copytree(own_images / "runs", tmp_path / "runs")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    monkeypatch.setenv("NLPVIZ_CACHE", str(tmp_path))
    return lambda **address: pages.opened("Captions", view="your-images", **address).run()


def expected(scene: str, run: str = "scenes-soft", epoch: int | None = None) -> Caption:
    (caption,) = describe(load_captioner(open_run(run), epoch), render(parsed(scene))[None])
    return caption


def press(app: AppTest, label: str) -> AppTest:
    (button,) = [button for button in app.button if button.label == label]
    return button.click().run()


def address(app: AppTest) -> str:
    asked = app.query_params.get("scene", "")
    return asked if isinstance(asked, str) else asked[-1]


# --------------------------------------------------------------------------------------------------------------- scenes


def test_a_test_scene_is_told(opened: Open) -> None:
    app = opened()
    assert not app.exception
    assert app.title[0].value.startswith("How does a network describe a scene")
    first = written(held_out("test").scenes[0])
    caption = expected(first)
    assert f"“**{caption.text}**”" in said(app)
    assert truth.verdict(caption, parsed(first)) in said(app) + "not grammatical"
    veils = [trace for trace in figure(app)["figure"]["data"] if trace["type"] == "heatmap"]
    assert len(veils) == len(caption.words)
    np.testing.assert_allclose(numbers(veils[0]["z"]).reshape(8, 8), caption.weights[0], atol=1e-5)
    assert "scene" not in app.query_params


def test_every_epoch_of_both_networks_stands_beside(opened: Open) -> None:
    app = opened(scene=TWO, beside="scenes-hard", epoch="0")
    (table,) = app.dataframe
    rows = table.value
    assert len(rows) == sum(len(open_run(name).epochs) for name in ("scenes-soft", "scenes-hard"))
    assert rows["Epoch"].tolist()[0] == "0 (above)"
    for name, some in rows.groupby("Model", sort=False):
        run = next(one for one in map(open_run, ("scenes-soft", "scenes-hard")) if one.title == name)
        assert some["Caption"].tolist() == [expected(TWO, run.name, epoch).text for epoch in run.epochs]
    assert "Hard attention on scenes" in [one.value for one in app.header]
    assert figure(app, 1)["figure"]["layout"]["shapes"], "hard attention frames its places"


def test_objects_are_erased_placed_and_both_undone(opened: Open) -> None:
    app = opened(scene=TWO)
    app = press(app, "Erase small red square")
    assert address(app) == "large blue circle 44 40"
    assert f"“**{expected('large blue circle 44 40').text}**”" in said(app)
    app.selectbox(key="new_color").set_value("yellow").run()
    app.selectbox(key="new_shape").set_value("cross").run()
    assert "add a **small yellow cross**" in said(app)
    app = press(app, "Add to the scene")
    placed = parsed(address(app))
    assert [one.words for one in placed] == ["large blue circle", "small yellow cross"]
    app = press(press(app, "Undo"), "Undo")
    assert address(app) == TWO
    assert not [button for button in app.button if button.label == "Undo" and not button.disabled]


def test_an_empty_scene_says_so_and_can_be_undone(opened: Open) -> None:
    app = press(opened(scene=ONE), "Erase small red square")
    assert not app.exception
    assert [one.value for one in app.info] == [truth.NOTHING]
    assert address(app) == "nothing"
    assert not app.dataframe
    assert address(press(app, "Undo")) == ONE


def test_a_full_scene_takes_no_more_and_equal_objects_have_places(opened: Open) -> None:
    full = "; ".join(f"small red square {x} {y}" for x, y in ((10, 10), (50, 10), (10, 50), (50, 50)))
    app = opened(scene=full)
    (place,) = [button for button in app.button if button.label == "Add to the scene"]
    assert place.disabled
    assert "A scene has at most 4 objects" in said(app)
    assert "Erase small red square at 50, 10" in [button.label for button in app.button]


@pytest.mark.parametrize("scene", ["small black square 20 20", "<script>", "small red square 1 1", ";;"])
def test_an_address_that_asks_for_no_scene_is_answered(opened: Open, scene: str) -> None:
    app = opened(scene=scene)
    assert not app.exception
    assert len(app.error) == 1
    assert "The scene in the link cannot be drawn." in said(app)
    assert f"“**{expected(written(held_out('test').scenes[0])).text}**”" in said(app)
    app = press(app, next(button.label for button in app.button if button.label.startswith("Erase")))
    assert not app.error, "what was built goes on from the scene that was shown"


def test_another_test_scene_replaces_what_was_built(opened: Open) -> None:
    app = press(opened(scene=TWO), "Erase small red square")
    app.number_input(key="scene_number").set_value(3).run()
    assert "scene" not in app.query_params
    assert f"“**{expected(written(held_out('test').scenes[2])).text}**”" in said(app)
    app.selectbox(key="scenes").set_value("unseen").run()
    assert f"“**{expected(written(held_out('unseen').scenes[2])).text}**”" in said(app)


# --------------------------------------------------------------------------------------------- what is said of captions


def caption(text: str, place: tuple[int, int] = (3, 2), *, ended: bool = True) -> Caption:
    words = tuple(text.split())
    weights = np.full((len(words), 8, 8), 0.1 / 63, np.float32)
    weights[:, place[0], place[1]] = 0.9
    return Caption("toy", 1, words, np.full(len(words), 0.5, np.float32), weights, None, ended)


@pytest.mark.parametrize(
    ("text", "verdict", "sentence"),
    [
        ("a red square", "true", ", true of this scene (greedy caption, probability {probability})."),
        ("a blue square", "not true", ", not true of this scene ("),
        ("red a", "not grammatical", ", not grammatical ("),
        ("a red diamond", "not true", ", not true of this scene ("),
    ],
)
def test_a_caption_is_judged_in_words(text: str, verdict: str, sentence: str) -> None:
    scene: Scene = parsed(ONE)
    assert truth.verdict(caption(text), scene) == verdict
    told, pieces = truth.caption_said(caption(text), scene)
    assert sentence in told
    assert pieces["probability"] == f"{0.5 ** len(text.split()):.1%}"
    assert len(told.format(**pieces).split()) <= 25
    new = [one for one in truth.notes(caption(text), scene) if "No training scene" in one]
    assert new == ["No training scene contained a red diamond."] * ("diamond" in text)


def test_what_is_cut_off_or_empty_or_improbable_says_so() -> None:
    scene: Scene = parsed(ONE)
    told, pieces = truth.caption_said(caption("a " * 12, ended=False), scene)
    assert "cut off after 12 words" in told.format(**pieces)
    assert "less than 0.1%" in told.format(**pieces)
    assert truth.verdict(caption("a red square", ended=False), scene) == "not grammatical"
    told, pieces = truth.caption_said(caption(""), scene)
    assert told.format(**pieces) == "At epoch 1, the network generates an empty caption."


def test_where_it_looked_is_said_of_true_captions_alone() -> None:
    scene: Scene = parsed(ONE)
    told, pieces = truth.looks_said(caption("a red square"), scene)
    assert "For 2 of 2 size, colour and shape words" in told.format(**pieces)
    assert "9" in told.format(**pieces).split("by chance: ")[1][:3]  # 6 of 64 places
    assert len(told.format(**pieces).split()) <= 25
    assert truth.notes(caption("a red square"), scene) == ["The object receives 91% of the attention weight."]
    assert "For 0 of 2 size, colour and shape words" in (
        one := truth.looks_said(caption("a red square", (7, 7)), scene)
    )[0].format(**one[1])
    assert truth.looks_said(caption("a blue square"), scene) == ("", {})
    assert truth.notes(caption("a blue square"), scene) == []


# --------------------------------------------------------------------------------------------------------- own images


def test_an_image_of_ones_own_is_shown_with_what_people_wrote(own: Open) -> None:
    app = own(run=f"{OWN}-hard", image_number="2", beside=f"{OWN}-soft")
    assert not app.exception
    told = corpus_named(open_run(f"{OWN}-hard").corpus["name"]).read("test")
    assert isinstance(told, CaptionedImages)
    for text in (*told.texts(1), told.names[1]):
        assert text in said(app)
    for name in ("hard", "soft"):
        (one,) = describe(load_captioner(open_run(f"{OWN}-{name}")), told.images[1:2])
        assert f"“**{one.text}**”" in said(app) or not one.words
    assert len(app.dataframe[0].value) == sum(len(open_run(f"{OWN}-{name}").epochs) for name in ("hard", "soft"))
    assert "The correctness of these captions is not measured." in said(app)
    assert "true of this scene" not in said(app)


def test_images_that_are_gone_cost_a_sentence(own: Open, tmp_path: Path) -> None:
    for recipe in (tmp_path / "runs").glob("*/recipe.toml"):
        recipe.write_text(recipe.read_text(encoding="utf-8").replace("/photos", "/nowhere"), encoding="utf-8")
    cache.told.clear()
    app = own(run=f"{OWN}-soft")
    assert not app.exception
    assert len(app.error) == 1
    assert "nowhere no longer exists, and the run stores no images." in said(app)


def test_without_images_the_view_says_how_to_begin(opened: Open) -> None:
    app = opened(view="your-images", run="")
    assert "train my-images --texts captions.json --images FOLDER" in app.info[0].value
