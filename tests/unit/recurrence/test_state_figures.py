"""Paths, pushes, slow points and modifiers as they are drawn: the numbers that were computed, every word escaped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpviz.figures import theme
from nlpviz.figures.recurrence.modifier_factors import factor_dots
from nlpviz.figures.recurrence.modifiers import push_against_push
from nlpviz.figures.recurrence.plane import PLANES
from nlpviz.figures.recurrence.pushes import push_bars
from nlpviz.figures.recurrence.review_ends import bounds
from nlpviz.figures.recurrence.slow_points import slow_points_map, time_constant_curves
from nlpviz.figures.recurrence.state_path import DrawnPath, state_paths
from nlpviz.results.state_plane import StatePlane
from tests.dynamics import CLASSES, modifiers, path, slow_points, space


def plane(kind: str) -> StatePlane:
    """Return the plane of the path made by hand."""
    return StatePlane.of(space(path()), path(), kind)


def test_a_point_lies_where_its_projection_says() -> None:
    one = path()
    places = plane("components").place(space(one).project(one.points), one.scores)
    assert np.allclose(places, one.points[:, :2] - [0.5, 0])


def test_the_score_is_an_axis_and_the_other_one_is_orthogonal_to_it() -> None:
    one, drawn = path(), plane("score")
    places = drawn.place(space(one).project(one.points), one.scores)
    assert np.allclose(places[:, 0], one.scores)
    unit = one.direction / np.linalg.norm(one.direction)
    other = np.array([1.0, 0, 0]) - unit[0] * unit
    other /= np.linalg.norm(other)
    assert np.allclose(places[:, 1], (one.points - [0.5, 0, 0]) @ other, atol=1e-6)


def test_the_boundary_is_where_points_of_the_plane_score_zero() -> None:
    one, drawn = path(), plane("components")
    line = drawn.boundary(bounds(np.array([[-2.0, -2], [2, 2]])))
    assert line is not None
    in_space = np.column_stack([line + np.array([0.5, 0]), np.zeros(2)])
    assert np.allclose(in_space @ one.direction + one.bias, 0, atol=1e-6)
    assert np.linalg.norm(line[1] - line[0]) > 10
    vertical = plane("score").boundary(bounds(np.array([[-2.0, -2], [2, 2]])))
    assert vertical is not None
    assert vertical[:, 0].tolist() == [0, 0]


def test_a_direction_across_the_plane_has_no_boundary_in_it() -> None:
    across = path(direction=(0.0, 0.0, 1.0))
    drawn = StatePlane.of(space(across), across, "components")
    assert drawn.share == 0
    assert drawn.boundary(bounds(np.eye(2))) is None
    half = path(direction=(1.0, 0.0, 1.0))
    assert StatePlane.of(space(half), half, "components").share == pytest.approx(0.5)


def test_how_often_the_side_in_the_plane_is_right() -> None:
    one = path(direction=(1.0, 0.0, 3.0))
    ends = np.array([[2.0, 0, 0], [1.0, 0, -1], [-1.0, 0, 0], [-1.0, 0, 1]])  # of two the third axis decides otherwise
    assert StatePlane.of(space(one, ends), one, "components").agreement() == 0.5
    assert StatePlane.of(space(one, np.zeros((0, 3))), one, "components").agreement() is None


def three_classes() -> DrawnPath:
    """A path through states of three classes, of which the middle one is followed."""
    two = path()
    after = np.array([[0.2, 1 / 3, 0.4667], [0.1, 0.8, 0.1], [0.7, 0.1, 0.2]], dtype=np.float32)
    one = replace(two, class_names=("a", "b<", "c"), target=1, after=after)
    return DrawnPath(one, replace(space(one), labels=np.array([0, 1, 2], dtype=np.int8)))


def test_of_three_classes_one_is_followed_and_the_score_is_called_what_it_is() -> None:
    shown = three_classes()
    drawn = state_paths([shown], "score")
    named = {trace.name: trace for trace in drawn.figure.data if trace.name}
    assert [
        len(named[name].x) for name in ("other classes: final states of documents", "b&lt;: final states of documents")
    ] == [2, 1]
    words = next(trace for trace in drawn.figure.data if trace.customdata is not None)
    assert np.allclose(words.marker.color, [0, 0.7, -0.7], atol=1e-6), "an even prediction of three has no colour"
    assert "mean log-odds 0" in named
    assert drawn.figure.layout.xaxis.title.text == "class score, mean log-odds"
    assert "P(b<)" in drawn.caption
    bars = push_bars([shown.path])
    assert "the mean log-odds of b<." in bars.alt
    assert bars.figure.layout.yaxis.title.text == "push, mean log-odds"
    assert {"push, mean log-odds", "mean log-odds after"} <= set(bars.table)


@pytest.mark.parametrize("kind", PLANES)
def test_a_path_is_drawn_from_its_start_with_its_words(kind: str) -> None:
    one = path()
    drawn = state_paths([DrawnPath(one, space(one)), DrawnPath(path(epoch=4), space(one))], kind, selected=1)
    places = plane(kind).place(space(one).project(one.points), one.scores)
    lines = [trace for trace in drawn.figure.data if trace.mode == "lines" and trace.name is None]
    assert len(lines) == 4  # of each path what is read by then, and what comes later
    assert np.allclose(lines[0].x, places[:3, 0])
    assert np.allclose(lines[1].x, places[2:, 0])
    assert lines[0].opacity > lines[1].opacity
    words = next(trace for trace in drawn.figure.data if trace.customdata is not None)
    assert list(words.customdata) == ["1", "2", "3"]
    assert np.allclose(words.marker.color, 2 * one.after[:, 1] - 1)
    assert words.marker.line.width[1] > words.marker.line.width[0]
    assert np.allclose(drawn.table["push, log-odds"][:3], one.pushes)
    assert np.allclose(drawn.table["first axis"][:3], places[1:, 0])
    assert "PCA of 100 states of 3 test documents" in drawn.caption


@pytest.mark.parametrize("text", ["", "<b>film</b>"])
def test_any_path_can_be_drawn(text: str) -> None:
    one = path(text)
    drawn = state_paths([DrawnPath(one, space(one, np.zeros((0, 3))))], "components")
    assert "<b>" not in str(drawn.json["data"])
    assert len(drawn.table["token"]) == len(one.pushes)
    assert push_bars([one]).figure.data[0].y is not None


def test_bars_are_the_pushes_on_one_scale() -> None:
    drawn = push_bars([path(), path(epoch=4, direction=(2.0, 1.0, 0.0))], selected=2)
    first, second = drawn.figure.data
    assert np.allclose(first.y, [1, 1, -2])
    assert np.allclose(second.y, [2, 2, -4])
    assert list(first.marker.color) == [theme.POSITIVE, theme.POSITIVE, theme.NEGATIVE]
    assert list(first.marker.pattern.shape) == ["", "", "/"]
    assert drawn.figure.layout.yaxis.range == drawn.figure.layout.yaxis2.range
    assert list(first.marker.line.width) == [0, 0, 2]
    assert list(drawn.figure.layout.xaxis.ticktext) == ["good", "film", "bad"]


def test_kinds_of_points_are_told_apart_by_their_marks() -> None:
    one = slow_points([-1.0, 0.0, 1.0], [1e-6, 1e-3, 0.5], [1.01, 0.5])
    drawn = slow_points_map([one], [plane("score")], CLASSES, 1)
    marks = {trace.name: trace for trace in drawn.figure.data if trace.hoverinfo == "text"}
    assert list(marks["fixed point"].x) == [-1]
    assert list(marks["fixed point"].marker.symbol) == ["diamond"]  # a deviation grows
    assert list(marks["slow point"].marker.symbol) == ["diamond-open"]
    assert list(marks["still moving"].x) == [1]
    assert list(drawn.table["growing directions"]) == [1, 1, 1]


def test_curves_are_medians_over_the_slow_points() -> None:
    one = slow_points([0, 1, 2], [1e-6, 1e-6, 0.9], [np.exp(-1 / 50), np.exp(-1 / 5), 0])
    drawn = time_constant_curves([one, slow_points([0, 1], [1, 1], [0.5, 0.1], epoch=5)], "net")
    assert np.allclose(drawn.figure.data[0].y[:3], [50, 5, 0], rtol=1e-3)
    assert len(drawn.table["epoch"]) == 2 * 8
    assert drawn.figure.data[1].y[0] == pytest.approx(1 / np.log(2), rel=1e-5)


def test_pushes_after_a_modifier_are_drawn_beside_the_null() -> None:
    one = modifiers(-0.5)
    drawn = push_against_push([one], "<i>not", [one.modified[0]], "log-odds")
    points = [trace for trace in drawn.figure.data if trace.hoverinfo == "text"]
    assert sorted(zip(np.concatenate([p.x for p in points]), np.concatenate([p.y for p in points]), strict=True)) == [
        (-1.5, 0.75), (-1.0, 0.5), (0.5, -0.25), (1.0, -0.5),
    ]  # fmt: skip
    null = next(trace for trace in drawn.figure.data if trace.error_y.array is not None)
    low, high = one.word_bands()
    assert np.allclose(np.array(null.y) + null.error_y.array, high)
    assert np.allclose(np.array(null.y) - null.error_y.arrayminus, low)
    assert "<i>" not in drawn.figure.layout.yaxis.title.text
    assert "factor −0.50" in drawn.alt


def test_factors_stand_over_the_band_of_random_words() -> None:
    one = modifiers(-0.5)
    drawn = factor_dots([one], "very")
    (dots,) = drawn.figure.data
    assert dict(zip(dots.y, dots.x, strict=True)) == pytest.approx({"not": -0.5, "very": 1.0})
    assert list(dots.marker.symbol) == ["circle", "circle-open"]  # filled: outside the band
    band, no_change = drawn.figure.layout.shapes
    assert (no_change.x0, no_change.x1) == (1, 1)
    assert (band.x0, band.x1) == pytest.approx(one.band())
