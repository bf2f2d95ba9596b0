"""Figures of words: labels that do not overlap, marks, matrices on one scale, axes with zero in one place."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape

import numpy as np
import pytest

from nlpviz.analysis.projections.words import WordMapSettings, place_directions, word_maps
from nlpviz.figures import theme
from nlpviz.figures.map_labels import Label, filling, fitting, shadow, to_scale
from nlpviz.figures.phone import NARROW
from nlpviz.figures.view import FigureView
from nlpviz.figures.words.axes import word_axes
from nlpviz.figures.words.maps import word_map
from nlpviz.figures.words.panels import WordMapStyle, WordPanel
from nlpviz.figures.words.similarity_matrix import similarity_matrices
from nlpviz.results.vectors import WordVectors
from nlpviz.results.word_queries import Axes, SimilarityMatrix
from nlpviz.word_vectors.neighbours import neighbours
from tests.words import toy_vectors

TOY = toy_vectors()
WORDS = TOY.words[5:]
NASTY = "<b>&x"


def panel(dimensions: int = 2, **marks: object) -> WordPanel:
    (drawn,) = word_maps([TOY], [2], WORDS, WordMapSettings("pca", dimensions))
    return WordPanel(drawn, "Epoch 2", "chosen", **marks)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------------- labels


def boxes(
    labels: list[Label], positions: np.ndarray, words: list[str], size: tuple[float, float]
) -> list[tuple[float, float, float, float]]:
    """Return the boxes of the labels that fit, from their anchors alone: nothing of how they were found."""
    result = []
    for label in labels:
        x, y = positions[label.position] * size
        wide, high = 6.6 * len(words[label.position]), 18.0
        left = {"center": x - wide / 2, "left": x + 6, "right": x - 6 - wide}[label.xanchor]
        low = {"middle": y - high / 2, "bottom": y + 3, "top": y - 3 - high}[label.yanchor]
        result.append((left, low, left + wide, low + high))
    return result


@pytest.mark.parametrize("width", [300, 431, 700, 1200])
@pytest.mark.parametrize("scaled", [False, True])
def test_labels_overlap_neither_each_other_nor_the_edge_at_any_width(width: int, *, scaled: bool) -> None:
    positions = np.random.default_rng(3).random((300, 2))
    words = [f"word{number}" for number in range(300)]
    height = 500
    if scaled:  # units as long each way
        labels = fitting(to_scale(positions, [[0, 1], [0, 1]], (300, 1200), (500, 500)), words, 300)
        width = height = min(width, 500)
    else:
        labels = fitting(filling(positions, (300, 1200), 500), words, 300)
    assert len(labels) > 30
    drawn = boxes(labels, positions, words, (width, height))
    for position, (left, low, right, high) in enumerate(drawn):
        assert left >= 0 <= low
        assert right <= width
        assert high <= height
        for other in drawn[position + 1 :]:
            gaps = (other[0] - right, left - other[2], other[1] - high, low - other[3])
            assert max(gaps) > -1e-9


def test_the_first_label_wins() -> None:
    positions = np.full((9, 2), 0.5)
    panel = filling(positions, (400, 800), 400)
    result = fitting(panel, ["same"] * 9, 9)
    assert [(label.position, label.yanchor) for label in result] == [(0, "bottom"), (1, "top")]
    assert len(fitting(panel, ["same"] * 9, 1)) == 1


def test_a_label_goes_where_it_covers_no_point() -> None:
    positions = np.array([[0.5, 0.5], [0.5, 0.53]])  # the second lies 12 pixels over the first
    first, second = fitting(filling(positions, (400, 400), 400), ["low", "high"], 2)
    assert (first.yanchor, second.yanchor) == ("top", "bottom")


def test_shadow_keeps_the_middle_and_raises_what_is_high() -> None:
    middle, above = shadow(np.array([[0.5, 0.5, 0.5], [0.5, 0.5, 1.0]], dtype=np.float32))
    np.testing.assert_allclose(middle, [0.5, 0.5])
    assert above[0] == pytest.approx(0.5)
    assert above[1] > 0.6


# --------------------------------------------------------------------------------------------------------------- maps


def test_a_chosen_word_and_its_neighbours_are_marked() -> None:
    near = neighbours(TOY, "king", 3).neighbours
    view = word_map([panel(nearest=near)], "PCA", WordMapStyle(word="king"))
    traces = {trace.name: trace for trace in view.figure.data}
    assert list(traces["king"].customdata) == ["king"]
    assert set(traces["nearest to king"].customdata) == {one.word for one in near}
    assert sum(len(trace.customdata) for trace in view.figure.data) == len(WORDS), "each word once"
    assert all(trace.mode == "markers" for trace in view.figure.data), "so that points move between epochs"
    assert "<b>king</b>" in [note.text for note in view.figure.layout.annotations]
    assert view.table["cosine with king, Epoch 2"][list(view.table["word"]).index(near[0].word)] == pytest.approx(
        near[0].score
    )


def test_a_unit_is_as_long_on_each_axis() -> None:
    assert word_map([panel()], "PCA", WordMapStyle()).figure.layout.yaxis.scaleanchor == "x"
    scene = word_map([panel(3)], "PCA", WordMapStyle()).figure.layout.scene
    spans = np.array([np.ptp(scene[f"{axis}axis"].range) for axis in "xyz"])
    drawn = np.array([scene.aspectratio[axis] for axis in "xyz"])
    np.testing.assert_allclose(drawn / drawn[0], spans / spans[0], rtol=1e-6)
    assert drawn.max() == 1


def test_a_relation_called_like_the_chosen_word_keeps_its_points() -> None:
    near = neighbours(TOY, "king", 3).neighbours
    style = WordMapStyle(word="king", pairs=(("paris", "france"), ("king", "queen")), relation="king")
    drawn = word_map([panel(nearest=near), panel()], "PCA", style).figure
    first = drawn.data[: len(drawn.data) // 2]
    assert {"paris", "france"} <= set(next(trace for trace in first if trace.legendgroup == "pairs").customdata)
    assert sorted(word for trace in first for word in trace.customdata) == sorted(WORDS), "each word once"
    assert [trace.name for trace in first if trace.showlegend] == ["nearest to king", "king"]
    assert len({trace.legendgroup for trace in drawn.data}) == len(first), "one in the legend hides its own points"


def test_the_table_holds_every_panel_whatever_stands_over_it() -> None:
    panels = [WordPanel(panel().map, "enwiki-cbow", f"epoch {epoch}", full=f"CBOW, epoch {epoch}") for epoch in (0, 10)]
    view = word_map(panels, "PCA", WordMapStyle())
    assert list(view.table) == ["word", *(f"{axis}, CBOW, epoch {epoch}" for epoch in (0, 10) for axis in "xy")]
    assert "CBOW, epoch 0: trust" in view.alt
    assert "CBOW, epoch 10: trust" in view.alt


@pytest.mark.parametrize("dimensions", [2, 3])
def test_pairs_are_joined_where_both_are_drawn(dimensions: int) -> None:
    style = WordMapStyle(pairs=(("man", "woman"), ("king", "nix")), relation="family")
    own = panel(dimensions)
    drawn = word_map([own], "PCA", style).figure
    positions = own.positions()
    if dimensions == 2:
        (line,) = drawn.layout.shapes
        assert (line.x0, line.y0) == tuple(positions["man"].tolist())
        assert (line.x1, line.y1) == tuple(positions["woman"].tolist())
    else:
        (segment,) = [trace for trace in drawn.data if trace.mode == "lines"]
        np.testing.assert_allclose(segment.z, [positions["man"][2], positions["woman"][2]])


def boxes_drawn(view: FigureView, width: float, height: float) -> list[tuple[float, float, float, float]]:
    """Return left, low, right and high of the labels of a map in pixels, as the only map has them."""
    layout = view.figure.layout
    ranges = np.array([layout.xaxis.range, layout.yaxis.range])
    scale = min(np.array([width, height]) / np.ptp(ranges, axis=1))
    result = []
    for note in layout.annotations:
        if note.xref == "paper" or note.name == ("where narrow" if width >= NARROW else "where wide"):
            continue
        text = re.sub("<[^>]+>", "", note.text)
        x = (note.x - ranges[0][0]) * scale + note.xshift + (note.ax or 0)
        y = (note.y - ranges[1][0]) * scale + note.yshift - (note.ay or 0)
        wide = 6.6 * len(text)
        left = x - {"left": 0.0, "center": 0.5, "right": 1.0}[note.xanchor] * wide
        low = y - {"bottom": 0.0, "middle": 0.5, "top": 1.0}[note.yanchor] * 18
        result.append((left, low, left + wide, low + 18))
    return result


def crowd() -> WordPanel:
    """Return a map of 600 words, twelve of which lie on one spot, and one far away."""
    words = tuple(f"word{number}" for number in range(600))
    rng = np.random.default_rng(0)
    places = rng.uniform(-10, 10, size=(600, 2)).astype(np.float32)
    places[:12] = [4, 4]
    places[12] = [300, 0]
    (drawn,) = word_maps([TOY], [2], WORDS, WordMapSettings("pca", 2))
    return WordPanel(replace(drawn, words=words, coordinates=places), "Epoch 2")


@pytest.mark.parametrize(("width", "height"), [(340, 560), (600, 560), (960, 560), (2000, 1100)])
def test_no_two_labels_of_a_map_overlap_and_marked_words_are_all_there(width: float, height: float) -> None:
    pairs = tuple((f"word{number}", f"word{number + 6}") for number in range(6))
    view = word_map([crowd()], "t-SNE", WordMapStyle(pairs=pairs, relation="family"))
    drawn = boxes_drawn(view, width, height)
    assert len(drawn) > (15 if width < NARROW else 60)
    for number, (left, low, right, high) in enumerate(drawn):
        for other in drawn[:number]:
            assert max(left - other[2], other[0] - right, low - other[3], other[1] - high) > -1e-6
    said = [note.text for note in view.figure.layout.annotations if note.name != "where narrow"]
    assert {word for pair in pairs for word in pair} <= set(said)
    assert said.count("<i>family</i>") == 1
    assert view.figure.layout.showlegend is False


def test_a_word_far_away_stands_at_the_edge_and_squeezes_nothing() -> None:
    view = word_map([crowd()], "t-SNE", WordMapStyle(pairs=(("word12", "word1"),)))
    low, high = view.figure.layout.xaxis.range
    assert high - low < 30
    drawn = {word: (x, told) for trace in view.figure.data for word, x, told in
             zip(trace.customdata, trace.x, trace.hovertext, strict=True)}  # fmt: skip
    assert low < drawn["word12"][0] < high
    assert drawn["word12"][1] == "word12 (outside the frame, →)"
    assert "word12 →" in [note.text for note in view.figure.layout.annotations]
    assert view.table["x, Epoch 2"][12] == 300, "the table holds where it lies"


def test_the_only_map_fills_the_column_and_grows_with_the_window() -> None:
    layout = word_map([panel()], "PCA", WordMapStyle()).figure.layout
    assert layout.height >= 560
    assert (layout.xaxis.constrain, layout.yaxis.constrain) == ("range", "range")
    assert layout.meta["grows"]
    assert not word_map([panel(), panel()], "PCA", WordMapStyle()).figure.layout.meta["grows"]
    assert "trust" in layout.annotations[0].text


def test_words_put_there_afterwards_are_hollow() -> None:
    (drawn,) = word_maps([TOY], [2], WORDS[4:], WordMapSettings("pca", 2))
    (position,) = place_directions(drawn, TOY, TOY, TOY.directions[5:6])
    own = WordPanel(drawn, "Epoch 2", placed={WORDS[0]: tuple(position.tolist())})
    view = word_map([own], "PCA", WordMapStyle(word=WORDS[0]))
    (trace,) = [trace for trace in view.figure.data if trace.name == WORDS[0]]
    assert trace.marker.symbol == ("circle-open",)
    assert view.table["word"][-1] == WORDS[0]


def test_axes_hold_all_epochs_and_the_review() -> None:
    far = np.array([[9.0, 9.0]], dtype=np.float32)
    view = word_map([panel(review=(-7.0, 0.0))], "PCA", WordMapStyle(), [far])
    assert view.figure.layout.xaxis.range[0] < -7
    assert view.figure.layout.xaxis.range[1] > 9
    assert "your text" in [trace.name for trace in view.figure.data]
    assert "marks your review" in view.alt


def test_words_are_no_markup() -> None:
    rows = np.random.default_rng(0).normal(size=(20, 6)).astype(np.float32)
    own = WordVectors.of("<i>own", [NASTY, *(f"w{number}" for number in range(19))], rows)
    (drawn,) = word_maps([own], [None], own.words, WordMapSettings("pca", 2))
    near = neighbours(own, "w1", 19).neighbours
    view = word_map([WordPanel(drawn, "<i>own", nearest=near)], "PCA", WordMapStyle(word="w1", relation="<u>"))
    said = [text for trace in view.figure.data for text in trace.hovertext] + [
        note.text for note in view.figure.layout.annotations
    ]
    assert not [text for text in said if NASTY in text or "<i>" in text]
    assert [text for text in said if escape(NASTY) in text]


# ---------------------------------------------------------------------------------------------- matrices


def square(words: str, values: list[list[float]], source: str = "toy") -> SimilarityMatrix:
    return SimilarityMatrix(source, tuple(words.split()), np.array(values, dtype=np.float32))


def test_matrices_have_one_order_and_one_scale() -> None:
    first = square("a b c", [[1, 0.4, -0.1], [0.4, 1, 0.2], [-0.1, 0.2, 1]], "one")
    other = square("c a", [[1, -0.8], [-0.8, 1]])
    view = similarity_matrices([first, other])
    cells = [trace.z for trace in view.figure.data if trace.type == "heatmap"]
    assert cells[1][0, 2] == pytest.approx(-0.8)
    assert np.isnan(cells[1][1]).all(), "the second does not know b"
    scale = view.figure.layout.coloraxis
    assert (scale.cmin, scale.cmax) == pytest.approx((-0.8, 0.8)), "the diagonal does not count"
    assert list(view.table["cosine, one"]) == pytest.approx([0.4, -0.1, 0.2])
    assert "-0.80 (a and c)" in view.alt or "-0.80 (c and a)" in view.alt


def test_numbers_stand_on_few_cells_and_dashes_on_many() -> None:
    rng = np.random.default_rng(1)
    for count in (3, 20):
        directions = rng.normal(size=(count, 3))
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        words = [f"w{position}" for position in range(count)]
        cosines = (directions @ directions.T).astype(np.float32)
        figure = similarity_matrices([SimilarityMatrix("toy", tuple(words), cosines)]).figure
        kinds = [trace.type for trace in figure.data]
        if count == 3:
            assert kinds == ["heatmap", "scatter", "scatter"]
            written = {(one.x[n], one.y[n]): one.text[n] for one in figure.data[1:] for n in range(len(one.x))}
            assert written[words[0], words[1]] == f"{cosines[0, 1]:.2f}".replace("-", "−")
            assert len(written) == 9
            assert {one.textfont.color for one in figure.data[1:]} == {theme.INK, theme.SURFACE}
        else:
            largest = np.abs(cosines - np.eye(count)).max()
            assert len(figure.data[1].x) == int((cosines < -largest / 3).sum()) > 0


def test_long_words_with_one_beginning_keep_their_own_rows() -> None:
    words = ["internationalization", "internationalists"]
    figure = similarity_matrices([square(" ".join(words), [[1, 0.5], [0.5, 1]])]).figure
    assert len(set(figure.data[0].x)) == 2


# --------------------------------------------------------------------------------------------------------------- axes


def test_a_sum_has_a_name_at_one_end_alone() -> None:
    one = Axes("one", ("a", "b"), *np.eye(2, dtype=np.float32), ("king - man + woman", "good, great | bad"))
    said = [note.text for note in word_axes([one], "2 words").figure.layout.annotations]
    assert [text for text in said if "→" in text or "←" in text] == ["king − man + woman →", "← bad", "good, great →"]


def test_every_listed_word_is_named_between_the_axes() -> None:
    words = tuple(f"word{number}" for number in range(30))
    x, y = np.random.default_rng(1).normal(scale=0.01, size=(2, 30)).astype(np.float32)
    drawn = word_axes([Axes("one", words, x, y, ("good | bad", "new | old"))], "30 words").figure
    wide = [note.text for note in drawn.layout.annotations if note.name != "where narrow"]
    assert set(words) <= set(wide)


def test_a_scale_offers_no_sign_that_does_not_occur() -> None:
    cells = np.full((20, 20), 0.5, dtype=np.float32)
    words = [f"w{number}" for number in range(20)]
    bare = similarity_matrices([SimilarityMatrix("toy", tuple(words), cells)])
    scale = bare.figure.layout.coloraxis
    assert scale.cmin == 0
    assert theme.NEGATIVE not in {color for _, color in scale.colorscale}
    assert scale.showscale, "no numbers stand in so many cells"
    few = similarity_matrices([square("a b", [[1, -0.4], [-0.4, 1]])])
    assert few.figure.layout.coloraxis.cmin < 0
    assert not few.figure.layout.coloraxis.showscale


def test_axes_share_limits_and_hold_zero() -> None:
    names = ("good | bad", "king - man")
    values = [np.array([0.1, 0.3], np.float32), np.array([0.2, 0.6], np.float32)]
    one = Axes("one", ("a", "b"), values[0], values[1], names)
    two = Axes("two", (NASTY, "b"), -values[0], values[1], names)
    view = word_axes([one, two], "2 words")
    layout = view.figure.layout
    assert layout.xaxis.range == layout.xaxis2.range
    assert layout.xaxis.range[0] < -0.3 < 0.3 < layout.xaxis.range[1]
    assert layout.yaxis.range[0] < 0
    assert {"← bad", "good →", "← man", "king →"} <= {note.text for note in layout.annotations}, "at their ends"
    assert escape(NASTY) in view.figure.data[1].hovertext[0]
    assert np.isnan(view.table["cosine with x, two"][0]), "the second does not know a"
    assert "along x from a to b" in view.alt
