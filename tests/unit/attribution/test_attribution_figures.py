"""Bars, matrices and deletion curves: what is drawn is what was computed, on one scale, in one order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from nlpviz.figures import panels
from nlpviz.figures.attribution.bars import token_bars
from nlpviz.figures.attribution.deletion import deletion_curves
from nlpviz.figures.attribution.matrix import token_matrix
from nlpviz.figures.theme import SIGNED_SCALE
from nlpviz.results.deletion import DeletionCurve
from nlpviz.results.explanation import Explanation
from nlpviz.text.vocabulary import Vocabulary, tokenize


def explanation(text: str, run: str = "cnn", epoch: int = 1, max_length: int = 99, seed: int = 0) -> Explanation:
    """Return an explanation with random scores, the sums of a matrix of three dimensions."""
    words = list(dict.fromkeys(token.word for token in tokenize(text)))
    encoded = Vocabulary(words, [1] * len(words)).encode(text, max_length)
    matrix = np.random.default_rng([seed, epoch]).normal(size=(len(encoded.ids), 3)).astype(np.float32)
    return Explanation(
        run=run, epoch=epoch, method="truth", encoded=encoded, scores=matrix.sum(axis=1), matrix=matrix, signed=True,
        target=1, class_names=("bad", "<good>"), probabilities=np.array([0.2, 0.8], np.float32), class_score=1.4,
    )  # fmt: skip


def curve(run: str = "cnn", epoch: int = 1) -> DeletionCurve:
    """Return a curve of three points and two random orders."""
    probability, random = [0.9, 0.2, 0.5], [[0.9, 0.8, 0.5], [0.9, 0.6, 0.5]]
    return DeletionCurve(
        run, epoch, "truth", "<good>", 8, np.array([0, 2, 8]), np.array(probability, np.float32),
        np.array(random, np.float32), 7,
    )  # fmt: skip


def ranges(figure: object, axis: str, count: int) -> list[tuple[float, ...]]:
    """Return the ranges of the first ``count`` axes."""
    return [tuple(getattr(figure.layout, f"{axis}axis{number}").range) for number in range(1, count + 1)]  # type: ignore[attr-defined]


LONG = " ".join(f"word{number}" for number in range(60))


# ----------------------------------------------------------------------------------------------------------- panels


@pytest.mark.parametrize(
    ("checkpoints", "positions"),
    [
        ([("a", 1)], [(0, 0)]),
        ([("a", 0), ("a", 1), ("b", 0), ("b", 1)], [(0, 0), (0, 1), (0, 2), (0, 3)]),
        ([("a", 0), ("a", 1), ("a", 2), ("b", 0), ("b", 2)], [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]),
    ],
)
def test_more_than_four_panels_take_a_row_a_run(
    checkpoints: Sequence[tuple[str, int]], positions: list[tuple[int, int]]
) -> None:
    arranged = panels.arrange([curve(run, epoch) for run, epoch in checkpoints])
    assert [(panel.row, panel.column) for panel in arranged] == positions
    assert [panel.number for panel in arranged] == list(range(1, len(positions) + 1))


def test_panels_of_another_run_say_which_run_it_is() -> None:
    one, two = curve("cnn", 0), curve("static", 3)
    assert [panel.title for panel in panels.arrange([one, one])] == ["Epoch 0", "Epoch 0"]
    assert [panel.title for panel in panels.arrange([one, two])] == ["cnn, epoch 0", "static, epoch 3"]
    titles = [note.text for note in deletion_curves([one, two], "Truth").figure.layout.annotations if not note.name]
    assert titles == ["<b>cnn, epoch 0</b>", "<b>static, epoch 3</b>"]
    assert panels.checkpoints([one, curve("cnn", 6), two]) == "cnn, epoch 0, 6; static, epoch 3"
    assert panels.file_name([one, two], "bars") == "cnn-epoch-0-static-epoch-3-bars"


def test_panels_do_not_overlap() -> None:
    shown = [curve(run, epoch) for run in "ab" for epoch in range(3)]
    layout = deletion_curves(shown, "Truth").figure.layout
    boxes = [(*layout[f"xaxis{n}"].domain, *layout[f"yaxis{n}"].domain) for n in range(1, 7)]
    for first in range(6):
        for second in range(first):
            one, two = boxes[first], boxes[second]
            assert one[0] >= two[1] or two[0] >= one[1] or one[2] >= two[3] or two[2] >= one[3]
    assert all(0 <= position <= 1 for box in boxes for position in box)


def test_the_first_runs_last_epoch_is_compared_with() -> None:
    shown = [explanation("a b", "cnn", 0), explanation("a b", "cnn", 6), explanation("a b", "static", 9)]
    assert panels.reference(shown) is shown[1]


# ------------------------------------------------------------------------------------------------- bars and matrices


@pytest.mark.parametrize("draw", [lambda shown: token_bars(shown, "log-odds"), token_matrix], ids=["bars", "matrix"])
def test_rows_are_the_same_tokens_in_all_panels(draw: object) -> None:
    """Those of the first run's last epoch; one that another model does not read has no row."""
    shown = [explanation(LONG, "cnn", 0), explanation(LONG, "cnn", 6), explanation(LONG, "static", 6, max_length=40)]
    view = draw(shown)  # type: ignore[operator]
    rows = [trace.y for trace in view.figure.data if trace.type in ("bar", "heatmap")]
    assert rows[0] == rows[1] == rows[2]
    count = len(rows[0])
    positions = sorted([position for position in shown[1].strongest(60) if position < 40][:count])
    assert list(rows[0]) == [panels.row_label(f"word{position}", position) for position in positions]
    assert f"top {count} of 60 tokens" in view.caption
    assert "cnn, epoch 0, 6; static, epoch 6" in view.caption


def test_what_has_no_matrix_is_refused() -> None:
    with pytest.raises(ValueError, match="truth has no matrix"):
        token_matrix([replace(explanation("a fine film"), matrix=None)])


def test_bars_and_table_hold_the_scores() -> None:
    shown = [explanation(LONG, "cnn", 6), explanation(LONG, "static", 6, max_length=40, seed=1)]
    view = token_bars(shown, "log-odds")
    for trace, explained in zip(view.figure.data, shown, strict=True):
        positions = [int(label.split("<sup> ")[1].removesuffix("</sup>")) - 1 for label in trace.y]
        np.testing.assert_array_equal(trace.x, explained.scores[positions])
    assert ranges(view.figure, "x", 2)[0] == ranges(view.figure, "x", 2)[1]
    np.testing.assert_array_equal(view.table["score, cnn, epoch 6"], shown[0].scores)
    np.testing.assert_array_equal(view.table["score, static, epoch 6"][:40], shown[1].scores)
    assert np.isnan(view.table["score, static, epoch 6"][40:]).all(), "what a model did not read has no score"
    assert "log-odds" in view.alt


def test_cells_are_the_matrix_on_one_scale_with_zero_in_its_middle() -> None:
    shown = [explanation(LONG, "cnn", epoch) for epoch in (0, 6)]
    view = token_matrix(shown)
    axis = view.figure.layout.coloraxis
    largest = max(abs(explained.matrix[panels.shared_places(shown, 30)]).max() for explained in shown)
    assert (axis.cmin, axis.cmax) == (-largest, largest)
    assert tuple(map(tuple, axis.colorscale)) == SIGNED_SCALE
    positions = panels.shared_places(shown, 30)
    assert len(positions) == 30
    heatmaps = [trace for trace in view.figure.data if trace.type == "heatmap"]
    for heatmap, explained in zip(heatmaps, shown, strict=True):
        np.testing.assert_array_equal(heatmap.z, explained.matrix[positions])
    assert ranges(view.figure, "y", 2) == [(29.5, -0.5), (29.5, -0.5)], "rows lie at the same height in all panels"
    assert len(view.table["token"]) == 60
    np.testing.assert_array_equal(view.table["dimension 2"][30:], shown[1].matrix[positions, 1])
    assert view.table["epoch"][29:31] == [0, 6]


def test_strongly_negative_cells_carry_a_dash() -> None:
    explained = explanation("one two")
    matrix = np.array([[-9, -2, 9], [-4, 4, 0]], np.float32)
    dashes = token_matrix([replace(explained, matrix=matrix, scores=matrix.sum(axis=1))]).figure.data[1]
    drawn = set(zip(dashes.x.tolist(), dashes.y, strict=True))
    assert drawn == {(1, panels.row_label("one", 0)), (1, panels.row_label("two", 1))}


def test_models_of_other_sizes_stand_beside_each_other() -> None:
    small, large = explanation("one two", "small"), explanation("one two", "large")
    large = replace(large, matrix=np.ones((2, 5), np.float32))
    table = token_matrix([small, large]).table
    assert np.isnan(table["dimension 5"][:2]).all()
    assert table["dimension 5"][2:].tolist() == [1, 1]


@pytest.mark.parametrize("draw", [lambda shown: token_bars(shown, "log-odds"), token_matrix], ids=["bars", "matrix"])
@pytest.mark.parametrize("count", [1, 3])
def test_no_token_still_makes_a_picture(draw: object, count: int) -> None:
    view = draw([explanation("", epoch=epoch) for epoch in range(count)])  # type: ignore[operator]
    assert "no words were read" in view.alt
    assert view.json["layout"]["height"] > 100
    assert view.table["token"] == []


def test_words_are_no_markup() -> None:
    text = "<script>alert(1)</script> <b>bold</b> & I <3 it %{x}"
    for view in (token_bars([explanation(text)], "log-odds"), token_matrix([explanation(text)])):
        drawn = str(view.json)
        assert "<script" not in drawn
        assert "<b>" not in drawn
        assert "&lt;3" in drawn
        assert "<3" in view.table["token"], "the table is plain text"


def test_a_matrix_travels_light() -> None:
    """Thirty tokens of a hundred dimensions: numbers packed, 16 kB as base64."""
    import orjson

    explained = explanation(LONG)
    wide = np.random.default_rng(0).normal(size=(60, 100)).astype(np.float32)
    view = token_matrix([replace(explained, matrix=wide)])
    assert len(orjson.dumps(view.json)) < 40_000


# --------------------------------------------------------------------------------------------------------- deletion


def test_curve_stands_beside_the_mean_and_the_range_of_random_orders() -> None:
    view = deletion_curves([curve()], "Truth")
    low, high, mean, own = view.figure.data
    for trace, expected in ((low, [0.9, 0.6, 0.5]), (high, [0.9, 0.8, 0.5]), (mean, [0.9, 0.7, 0.5])):
        np.testing.assert_allclose(trace.y, expected, rtol=1e-6)
    np.testing.assert_allclose(own.y, [0.9, 0.2, 0.5], rtol=1e-6)
    assert own.x.tolist() == [0, 0.25, 1]
    assert high.fill == "tonexty"
    assert "2 of 8 removed: 20% (in random order: 70%)" in view.alt
    assert view.table["tokens removed"].tolist() == [0, 2, 8]
    for column, expected in (("mean", [0.9, 0.7, 0.5]), ("lowest", [0.9, 0.6, 0.5]), ("highest", [0.9, 0.8, 0.5])):
        np.testing.assert_allclose(view.table[f"random order, {column}"], expected, rtol=1e-6)
    assert "2 random orders, seed 7" in view.caption
    assert "<good>" not in str(view.json)


def test_curves_of_all_checkpoints_have_the_same_axes() -> None:
    view = deletion_curves([curve("cnn", 0), curve("cnn", 6), curve("static", 6)], "Truth")
    assert len(set(ranges(view.figure, "y", 3))) == len(set(ranges(view.figure, "x", 3))) == 1
    notes = [note for note in view.figure.layout.annotations if note.name == "where wide"]
    assert {note.xref for note in notes} == {"x3 domain"}, "the lines are named once"
    assert view.figure.layout.showlegend is False
    assert view.table["run"] == ["cnn"] * 6 + ["static"] * 3
