"""Pictures of neighbours and analogies hold the numbers worked by hand here, and tell things apart by more than hue."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpviz.figures.words.analogy_plane import analogy_plane
from nlpviz.figures.words.analogy_scores import AtEpoch, accuracy_by_section, rank_by_epoch
from nlpviz.figures.words.neighbours import SHARED, answer_bars, common_scale, file_name, neighbour_bars
from nlpviz.results.word_queries import (
    Analogy,
    AnalogyScores,
    Expression,
    Neighbour,
    Neighbours,
    Plane,
    SectionScore,
    Term,
)

MARKUP = '<b>x</b><a href="x">'
FOUND = Neighbours(
    "Toy, epoch 2", "cat", 7, 12,
    (Neighbour("dog", 3, 40, 0.75), Neighbour(MARKUP, 5, 20, 0.5), Neighbour("kitten", 90, None, -0.25)),
)  # fmt: skip
KING = Analogy(
    "Toy, epoch 2",
    Expression((Term(1, "king", "king"), Term(-1, "man", "man"), Term(1, "woman", "woman"))),
    "3CosAdd", True, (Neighbour("queen", 9, 5, 0.8), Neighbour("throne", 4, 6, 0.7)), "throne", 2,
)  # fmt: skip
PLANE = Plane(
    ("king", "man", "woman", "queen"), (1, -1, 1, 0), np.array([[0.0, 1], [0, 0], [1, 0], [0.9, 0.9]]), 0.9,
    np.array([1.0, 1]),
)  # fmt: skip


def asked(*terms: tuple[int, str]) -> Analogy:
    """Return an analogy of other signed words, with the answers of ``KING``."""
    return replace(KING, expression=Expression(tuple(Term(sign, word, word) for sign, word in terms)))


def scores(right: int) -> AnalogyScores:
    return AnalogyScores("Toy", "3CosMul", (SectionScore("a", 10, 8, right), SectionScore(MARKUP, 4, 0, 0)), 30_000)


def test_bars_are_the_cosines_on_the_common_scale() -> None:
    scale = common_scale([FOUND.neighbours, KING.neighbours])
    assert scale.longest == 0.8
    view = neighbour_bars(FOUND, scale)
    bar, labels = view.figure.data
    assert list(bar.x) == [0.75, 0.5, -0.25]
    assert list(bar.text) == ["0.75", "0.50", "−0.25"]
    assert bar.marker.opacity is None, "with one source nothing is shared, and nothing pale"
    low, high = view.figure.layout.xaxis.range
    assert low < -0.25
    assert high > 0.8
    assert not any(SHARED in label for label in labels.text)
    assert view.table["frequency"] == [40, 20, None]
    assert view.table["rank"] == [4, 6, None]


def test_shared_neighbours_have_a_mark_and_a_full_bar() -> None:
    other = replace(FOUND, source="CBOW, epoch 1", neighbours=FOUND.neighbours[:1])
    view = neighbour_bars(FOUND, common_scale([FOUND.neighbours]), [other])
    bar, labels = view.figure.data
    assert [SHARED in label for label in labels.text] == [True, False, False]
    assert bar.marker.opacity[0] == 1 > bar.marker.opacity[1]
    assert "also in CBOW, epoch 1" in bar.hovertext[0]
    assert view.table["shared"] == ["yes", "", ""]
    assert "Shared with another source: dog." in view.alt
    alone = neighbour_bars(FOUND, common_scale([FOUND.neighbours]), [])
    assert "Shared with another source: none." in alone.alt
    assert max(alone.figure.data[0].marker.opacity) < 1


def test_words_are_escaped_in_figures_and_plain_in_tables() -> None:
    view = neighbour_bars(FOUND, common_scale([FOUND.neighbours]))
    drawn = [*view.figure.data[0].hovertext, *view.figure.data[1].text]
    assert not any("<b>" in text or "<a" in text for text in drawn)
    assert MARKUP in view.table["word"]
    marked = Plane((MARKUP, "man", "woman", "queen"), PLANE.signs, PLANE.coordinates, 0.9, PLANE.target)
    strange = asked((1, MARKUP), (-1, "man"), (1, "woman"))
    texts = [text for trace in analogy_plane(marked, strange).figure.data for text in trace.text or ()]
    assert any("&lt;b&gt;" in text for text in texts)
    assert not any("<b>x" in text for text in texts)
    assert "<b>x" not in accuracy_by_section("toy", "Toy", {1: scores(4)}).figure.to_json().replace("\\u003c", "<")
    drawn = rank_by_epoch([AtEpoch(MARKUP, 0, 3, MARKUP, 0.1)], MARKUP, "a - b", "3CosAdd").figure
    assert "<b>x" not in drawn.to_json().replace("\\u003c", "<")


def test_longer_words_get_more_room_up_to_a_bound() -> None:
    short, long, endless = (common_scale([[Neighbour("a" * size, 0, 1, 1.0)]]).room for size in (3, 18, 400))
    assert short < long < endless
    assert endless == common_scale([[Neighbour("a" * 900, 0, 1, 1.0)]]).room


def test_nothing_found_is_a_picture_too() -> None:
    empty = Neighbours("Toy", "zero", 0, None, ())
    assert "none" in neighbour_bars(empty, common_scale([()])).alt


def test_the_expected_answer_stands_out() -> None:
    view = answer_bars(KING, common_scale([KING.neighbours]))
    assert list(view.figure.data[0].marker.line.width) == [0, 2]
    assert "input words excluded" in view.alt
    assert "man : king :: woman" in view.caption


def test_the_sides_of_the_parallelogram_are_the_same_steps() -> None:
    traces = analogy_plane(PLANE, KING).figure.data
    lines = [np.stack([trace.x, trace.y], axis=1) for trace in traces if trace.mode == "lines"]
    full, other, down, right, way = (line[1] - line[0] for line in lines)
    np.testing.assert_allclose(full, other)
    np.testing.assert_allclose(down, right)
    np.testing.assert_allclose(way, [-0.1, -0.1])
    assert [trace.line.dash for trace in traces if trace.mode == "lines"] == ["solid", "solid", "dash", "dash", "dot"]


def test_roles_differ_in_shape_as_well() -> None:
    marks = [trace for trace in analogy_plane(PLANE, KING).figure.data if "markers" in trace.mode]
    assert len({trace.marker.symbol for trace in marks}) == len({trace.name for trace in marks}) == 4
    assert "90% of their variance" in analogy_plane(PLANE, KING).alt


def test_other_expressions_have_no_parallelogram() -> None:
    sum_of_two = Plane(("king", "woman", "queen"), (1, 1, 0), PLANE.coordinates[[0, 2, 3]], 1.0, PLANE.target)
    sum_alone = asked((1, "king"), (1, "woman"))
    lines = [trace for trace in analogy_plane(sum_of_two, sum_alone).figure.data if trace.mode == "lines"]
    assert [line.line.dash for line in lines] == ["dot"]


def test_a_word_typed_twice_leaves_no_parallelogram() -> None:
    """The plane holds it once, but the sum goes a step further than from man to king."""
    twice = asked((1, "king"), (1, "king"), (-1, "man"), (1, "woman"))
    drawn = analogy_plane(replace(PLANE, target=np.array([0.5, 1.0])), twice).figure
    assert [trace.line.dash for trace in drawn.data if trace.mode == "lines"] == ["dot"]


def test_the_same_word_added_twice_is_the_same_step_twice() -> None:
    plane = Plane(("king", "man", "queen"), (1, -1, 0), PLANE.coordinates[[0, 1, 3]], 1.0, np.array([0.0, 2]))
    drawn = analogy_plane(plane, asked((1, "king"), (-1, "man"), (1, "king"))).figure
    lines = [np.stack([trace.x, trace.y], axis=1) for trace in drawn.data if trace.line.dash == "solid"]
    np.testing.assert_allclose(lines, [[[0, 0], [0, 1]], [[0, 1], [0, 2]]])


def test_one_point_alone_has_a_plane_that_can_be_drawn() -> None:
    alone = Plane(("king",), (1,), np.zeros((1, 2)), 1.0, np.zeros(2))
    low, high = analogy_plane(alone, asked((1, "king"))).figure.layout.xaxis.range
    assert low < 0 < high


def test_accuracies_by_hand() -> None:
    view = accuracy_by_section("toy", "Toy", {0: scores(0), 2: scores(6)})
    before, after = view.figure.data
    np.testing.assert_allclose(before.x, [0, 0, np.nan])
    np.testing.assert_allclose(after.x, [0.75, 0.75, np.nan])
    assert list(after.text) == ["  75%", "  75%", "  no in-vocabulary question"]
    assert before.marker.symbol != after.marker.symbol
    assert view.table["right"] == [0, 0, 0, 6, 6, 0]
    assert view.table["section"][:2] == ["all", "a"]


def test_ranks_by_epoch() -> None:
    followed = [
        AtEpoch("SG", 0, 900, "the", 0.3), AtEpoch("SG", 2, 1, "queen", 0.8), AtEpoch("CBOW", 0, 30, "a", 0.2),
        AtEpoch("CBOW", 2, None, "b", 0.4),
    ]  # fmt: skip
    view = rank_by_epoch(followed, "queen", "king - man + woman", "3CosAdd")
    one, other = view.figure.data
    assert (list(one.y), list(other.y)) == ([900, 1], [30, None])
    assert (list(one.text), list(other.text)) == (["900", "1"], ["30", ""])
    assert (one.textposition[0], other.textposition[0]) == ("bottom center", "top center"), "the better one on top"
    top, bottom = view.figure.layout.yaxis.range[::-1]
    assert top < 0, "rank 1 lies inside the picture, on top"
    assert bottom > np.log10(900)
    assert "CBOW, epoch 2: not among the answers" in view.alt
    assert one.marker.symbol != other.marker.symbol


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("king - man", "plane-king-man-toy"),
        ("../../x", "plane-x-toy"),
        ("日本", "plane-日本-toy"),
        ("a" * 99, f"plane-{'a' * 40}-toy"),
    ],
)
def test_names_of_files_hold_no_path(asked: str, expected: str) -> None:
    assert file_name("plane", asked, "Toy") == expected
