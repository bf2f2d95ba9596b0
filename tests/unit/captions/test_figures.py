"""Figures of captions: the image as it is, each word with its places, hostile words as text."""

from __future__ import annotations

import numpy as np

from nlpviz.data.scene_objects import BACKGROUND, COLORS, Shape
from nlpviz.data.scene_pictures import render
from nlpviz.figures.captions.scene import CLICKED, image_figure, scene_figure
from nlpviz.figures.captions.words import words_figure
from nlpviz.results.captions import Caption

SCENE = (Shape("red", "square", "small", 20, 12),)


def caption(words: tuple[str, ...], *, hard: bool) -> Caption:
    weights = np.full((len(words), 8, 8), 0.5 / 63, dtype=np.float32)
    places = np.array([(number % 8, 3) for number in range(len(words))], dtype=np.int64).reshape(-1, 2)
    weights[np.arange(len(words)), places[:, 0], places[:, 1]] = 0.5
    return Caption("toy", 4, words, np.full(len(words), 0.25, np.float32), weights, places if hard else None)


def test_a_click_on_the_scene_says_which_pixel() -> None:
    view = scene_figure(render(SCENE), ["small red square at 20, 12"], "1 object")
    image, clicked = view.figure.data
    assert tuple(image.z[12, 20]) == COLORS["red"]  # rows are y
    assert tuple(image.z[20, 12]) == (BACKGROUND,) * 3
    identifiers = np.asarray(clicked.customdata)
    assert identifiers.shape == (64 // CLICKED, 64 // CLICKED)
    assert divmod(int(identifiers[3, 5]), 1000) == (clicked.y[3], clicked.x[5])
    assert "small red square at 20, 12" in view.alt
    assert "empty." in scene_figure(render(()), [], "empty").alt
    assert view.figure.layout.yaxis.range == (63.5, -0.5)


def test_every_word_has_the_image_lit_by_its_weights() -> None:
    words = ("a", "red", "square", "above", "a", "blue")
    told = caption(words, hard=False)
    view = words_figure(told, render(SCENE))
    images, veils = view.figure.data[::2], view.figure.data[1::2]
    assert len(images) == len(veils) == 6
    for number, veil in enumerate(veils):
        np.testing.assert_allclose(veil.z, told.weights[number])
        assert (veil.x[0], veil.x[-1]) == (3.5, 59.5)  # the middle of eight pixels, the first of which is 0
        assert veil.colorscale[0][1].endswith("0.72)")
        assert veil.colorscale[1][1].endswith(",0)")
    assert [note.text for note in view.figure.layout.annotations] == [f"<b>{word}</b> 25%" for word in words]
    assert not view.figure.layout.shapes
    assert view.table["row"].tolist() == [1, 2, 3, 4, 5, 6]
    assert view.table["column"].tolist() == [4] * 6
    assert "red (25%) attends most to row 2, column 4 (50%)" in view.alt


def test_hard_attention_frames_its_place_to_be_seen_on_any_image() -> None:
    view = words_figure(caption(("a", "square"), hard=True), render(SCENE))
    shapes = view.figure.layout.shapes
    assert [(one.x0, one.x1, one.y0, one.y1) for one in shapes[2:]] == [(23.5, 31.5, 7.5, 15.5)] * 2
    assert [one.line.color for one in shapes[2:]] == ["#FFFFFF", "#16181D"]
    assert "frame: attended position" in view.caption


def test_rows_stand_below_each_other() -> None:
    view = words_figure(caption(tuple("abcdefghi"), hard=False), render(SCENE))
    tops = [view.figure.layout[f"yaxis{n or ''}"].domain[1] for n in ("", 5, 9)]
    assert tops == sorted(tops, reverse=True)
    assert len(set(tops)) == 3
    assert view.figure.layout.xaxis.domain == view.figure.layout.xaxis5.domain


def test_no_word_is_markup_and_no_word_is_a_figure_too() -> None:
    view = words_figure(caption(("<b>x</b>",), hard=False), render(SCENE))
    assert view.figure.layout.annotations[0].text == "<b>&lt;b&gt;x&lt;/b&gt;</b> 25%"
    assert "&lt;b&gt;" in view.figure.data[1].hovertemplate
    assert words_figure(caption((), hard=True), render(SCENE)).alt == "The caption is empty."


def test_an_image_of_ones_own_says_what_people_wrote() -> None:
    view = image_figure(render(SCENE), "test image 3 of my-images", ["a thing.", "a square."])
    assert "Human captions: a thing.; a square." in view.alt
    assert view.table == {"human captions": ["a thing.", "a square."]}
