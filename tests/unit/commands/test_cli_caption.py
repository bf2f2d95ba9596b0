"""``caption``: a scene, a test scene or a picture of one's own, told by a network; and what cannot be told."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from nlpviz.commands.cli import main
from nlpviz.data.scene_captions import is_true
from nlpviz.data.scene_objects import parsed, written
from nlpviz.data.scene_pictures import render
from nlpviz.data.scenes import held_out
from nlpviz.language.decoding.captions import describe
from nlpviz.runs import open_run
from nlpviz.runs.captioners import load_captioner

SCENE = "small red square 20 24; large blue circle 44 40"


@pytest.fixture(autouse=True)
def _runs(toy_captioners: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_captioners))


def told(capsys: pytest.CaptureFixture[str], *asked: str) -> dict[str, object]:
    assert main(["caption", "scenes-hard", "--json", *asked]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_a_scene_is_told_with_its_truth_and_its_places(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "--scene", SCENE)
    (expected,) = describe(load_captioner(open_run("scenes-hard")), render(parsed(SCENE))[None])
    assert found["caption"] == expected.text
    assert found["scene"] == SCENE
    assert found["true"] == is_true(expected.words, parsed(SCENE))
    assert expected.places is not None
    assert found["places"] == expected.places.tolist()
    words = found["words"]
    assert isinstance(words, list)
    for word, weights in zip(words, expected.weights, strict=True):
        np.testing.assert_allclose(word["weights"], weights, atol=1e-5)


def test_test_scenes_have_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys)["scene"] == written(held_out("test").scenes[0])
    assert told(capsys, "--unseen", "17")["scene"] == written(held_out("unseen").scenes[16])
    assert main(["caption", "scenes-soft", "--test", "3", "--epoch", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == written(held_out("test").scenes[2])
    assert "correct" in lines[1]
    assert main(["caption", "scenes-soft", "--test", "1001"]) == 2
    assert "There is no image 1,001. The images are numbered 1 to 1,000." in capsys.readouterr().err


def test_a_picture_is_told_and_nobody_knows_whether_it_is_true(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    Image.fromarray(render(parsed(SCENE)).transpose(1, 2, 0)).save(tmp_path / "scene.png")
    found = told(capsys, "--image", str(tmp_path / "scene.png"))
    assert found["caption"] == told(capsys, "--scene", SCENE)["caption"]
    assert (found["true"], found["scene"], found["people"]) == (None, None, None)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("scenes-soft", "--scene", ""), "The scene is empty"),
        (("scenes-soft", "--scene", "a red square"), "is not a valid object"),
        (("scenes-soft", "--image", "missing.png"), "missing.png cannot be read as an image."),
        (("scenes-soft", "--epoch", "77"), "has no stored epoch 77"),
        (("nothing",), "nothing"),
    ],
)
def test_what_cannot_be_told_is_a_sentence(
    capsys: pytest.CaptureFixture[str], asked: tuple[str, ...], said: str
) -> None:
    assert main(["caption", *asked]) == 2
    assert said in capsys.readouterr().err


def test_evaluate_says_what_is_true_of_both_splits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from nlpviz.training.bounds import rehearsal

    monkeypatch.setenv("NLPVIZ_CACHE", "unused")
    with rehearsal(0.02):
        assert main(["evaluate", "scenes-soft", "--json", "--device", "cpu"]) == 0
    found, run = json.loads(capsys.readouterr().out), open_run("scenes-soft")
    for split in ("test", "unseen"):
        assert found[split]["documents"] == 20
        assert found[split] == pytest.approx(dict(run.metrics[split]), abs=1e-6)
