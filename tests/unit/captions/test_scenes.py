"""Scenes can be drawn and told truly: the grammar knows its captions, and truth is what is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.data import DataError, corpora
from nlpviz.data.scene_captions import claim_of, is_true, meant, relation_of, words
from nlpviz.data.scene_objects import (
    BACKGROUND,
    COLORS,
    MOST,
    SHAPES,
    SIDE,
    SIZES,
    UNSEEN,
    Shape,
    allowed,
    at,
    parsed,
    written,
)
from nlpviz.data.scene_pictures import render
from nlpviz.data.scenes import DrawnScenes, content, held_out, some

RED = Shape("red", "square", "small", 20, 15)
BLUE = Shape("blue", "circle", "large", 22, 44)
SCENE = (RED, BLUE)


def test_what_is_drawn_is_what_runs_were_measured_on() -> None:
    assert corpora()["scenes"].sha256 == (content(),)
    with pytest.raises(DataError, match="no split 'train'; available: validation, test, unseen"):
        held_out("train")
    with pytest.raises(DataError, match="no texts"):
        corpora()["scenes"].find("1")


def test_training_draws_no_unseen_pair_and_the_split_nothing_else() -> None:
    drawn = some(np.random.default_rng(0), 300).scenes
    assert not UNSEEN & {(one.color, one.shape) for scene in drawn for one in scene}
    assert {(one.color, one.shape) for scene in held_out("unseen", 100).scenes for one in scene} == UNSEEN
    assert {len(scene) for scene in drawn} == set(range(1, MOST + 1))


def test_a_training_begins_with_few_objects() -> None:
    rng = np.random.default_rng(0)
    most = [max(map(len, DrawnScenes().some(rng, 60, done).scenes)) for done in (0.0, 0.03, 0.1, 0.2, 1.0)]
    assert most == [1, 1, 2, MOST, MOST]


def test_captions_are_true_and_of_the_grammar() -> None:
    for split in ("test", "unseen"):
        told = held_out(split, 200)
        for (caption,), scene in zip(told.captions, told.scenes, strict=True):
            assert set(caption) <= set(words())
            assert is_true(caption, scene), (caption, scene)
            assert allowed(scene) == scene


@pytest.mark.parametrize(
    ("caption", "true"),
    [
        ("a red square", True),
        ("a small red square above a large blue circle", True),
        ("a red square above a blue circle", True),
        ("a blue circle below a red square", True),
        ("a large red square", False),
        ("a red circle", False),
        ("a red square below a blue circle", False),
        ("a red square to the left of a blue circle", False),  # by two pixels: nobody would say so
        ("a red square above a red square", False),
        ("red square", False),
        ("a red square above", False),
        ("a red square above a blue circle below a red square", False),
        ("", False),
    ],
)
def test_truth(caption: str, true: bool) -> None:
    assert is_true(caption.split(), SCENE) == true


def test_a_claim_says_which_words_mean_which_object() -> None:
    said = ["a", "small", "red", "square", "to", "the", "left", "of", "a", "blue", "circle"]
    claim = claim_of(said)
    assert claim is not None
    assert [said[one.start : one.stop] for one in claim.mentions] == [said[:4], said[8:]]
    assert claim.relation == "to the left of"
    claim = claim_of(["a", "red", "square", "above", "a", "large", "blue", "circle"])
    assert claim is not None
    assert meant(claim, SCENE) == SCENE
    assert relation_of(RED, BLUE) == "above"
    assert relation_of(RED, RED._replace(x=50, y=20)) == "to the left of"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", SIZES)
def test_an_object_is_painted_in_its_box_alone(shape: str, size: str) -> None:
    one = Shape("green", shape, size, 30, 33)
    image = render([one])
    assert image.shape == (3, SIDE, SIDE)
    left, top, right, bottom = one.box
    outside = np.ones((SIDE, SIDE), dtype=bool)
    outside[top:bottom, left:right] = False
    assert (image[:, outside] == BACKGROUND).all()
    assert tuple(image[:, 33, 30]) == COLORS["green"]
    assert 0.3 < (image[0, top:bottom, left:right] != BACKGROUND).mean() < 1


def test_scenes_are_written_and_read() -> None:
    assert parsed(written(SCENE)) == SCENE
    assert parsed(" Small RED square 20 15 ;") == (RED,)
    assert at(SCENE, 22, 40) == 1
    assert at(SCENE, 60, 60) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The scene is empty"),
        ("red square", "is not a valid object. Specify size, colour, shape"),
        ("small red square x 3", "is not a valid object"),
        ("small black square 20 20", "Unknown object small black square: colours are"),
        ("large red square 3 20", "extends beyond the 64-pixel image"),
        ("small red square 20 99999", "extends beyond the 64-pixel image"),
        ("; ".join(["small red square 20 20"] * 5), "at most 4 objects, not 5"),
        ("<b>" * 100_000, "is not a valid object"),
    ],
)
def test_what_is_no_scene_is_refused(text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        parsed(text)
