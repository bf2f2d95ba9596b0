"""Figures of gates show the numbers of a result, in their order, and hand on what is clicked."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from nlpviz.analysis.inspection.gates import read_course
from nlpviz.figures import theme, word_axis
from nlpviz.figures.recurrence.equations import with_numbers, worked
from nlpviz.figures.recurrence.one_unit import one_unit
from nlpviz.figures.recurrence.part_heatmap import chosen_cell, part_heatmap
from nlpviz.figures.recurrence.read_text import read_text_html, read_text_key_html
from nlpviz.figures.recurrence.running_prediction import running_prediction
from nlpviz.figures.recurrence.saturated_gates import saturated_gates
from nlpviz.results.cell_step import CellStep
from nlpviz.results.gates import PartCourse, saturation
from nlpviz.results.states import CellPart, TextStates
from nlpviz.text.vocabulary import EncodedText, Token

WORDS = ("not", "<b>good</b>", "at", "all", "but", "fine")
POSITIVE = np.array([0.5, 0.8, 0.75, 0.3, 0.31, 0.9], dtype=np.float32)
UNITS = 7


def states(epoch: int = 1, run: str = "toy", seed: int = 0, *, skip: bool = False, count: int = 6) -> TextStates:
    """Return made-up states of two layers over a text with markup in it."""
    rng, text = np.random.default_rng(seed), " ".join(WORDS[:count])
    starts = np.cumsum([0, *(len(word) + 1 for word in WORDS)]).tolist()
    tokens = tuple(Token(word, start, start + len(word)) for word, start in zip(WORDS[:count], starts, strict=False))
    shape, positive = (count, 2, UNITS), POSITIVE[:count]
    parts = {"forget gate": rng.random(shape), "cell state": 3 * rng.normal(size=shape)}
    about = [CellPart("forget gate", "f", is_gate=True), CellPart("cell state", "c", is_gate=False)]
    if skip:
        parts["update"] = np.ones(shape)
        parts["update"][[1, 3], 0] = 0
        about.append(CellPart("update", "u", is_gate=True))
    return TextStates(
        run=run, epoch=epoch, text=EncodedText(text, tokens, np.arange(count) + 2, 400),
        class_names=("negative", "positive"), probabilities=np.array([0.1, 0.9], dtype=np.float32),
        after=np.stack([1 - positive, positive], axis=1), states=rng.normal(size=shape).astype(np.float32),
        parts={name: values.astype(np.float32) for name, values in parts.items()}, about=tuple(about), formula=(),
    )  # fmt: skip


def course(part: str = "cell state", order: str = "correlation", one: TextStates | None = None) -> PartCourse:
    return read_course([one or states()], part, 1, 1, order)[0]


def test_running_prediction_is_drawn_for_every_checkpoint() -> None:
    shown = [states(0, seed=1), states(8)]
    view = running_prediction(shown, 1, chosen=3)
    assert len(view.figure.data) == 2
    for trace in view.figure.data:
        np.testing.assert_array_equal(trace.y, POSITIVE)
        assert list(trace.customdata) == ["1", "2", "3", "4", "5", "6"]
    assert view.figure.layout.yaxis.range[0] < 0 < 1 < view.figure.layout.yaxis.range[1]
    np.testing.assert_array_equal(view.table["P(positive), epoch 8"], POSITIVE)
    named = {note.text for note in view.figure.layout.annotations}
    assert "<b>fine</b>" in named
    assert not any("<b>good" in text for text in named), "what is typed is escaped"
    assert "+59%" in view.alt
    negative = running_prediction(shown, 0)
    np.testing.assert_allclose(negative.figure.data[0].y, 1 - POSITIVE)


def test_skipped_words_are_marked_not_by_hue_alone() -> None:
    view = running_prediction([states(skip=True)], 1)
    marks = view.figure.data[1]
    assert (list(marks.text), marks.marker.symbol) == (["skipped", ""], "x-thin-open")
    np.testing.assert_array_equal(marks.y, POSITIVE[[1, 3]])
    assert view.table["skipped by layer 1, epoch 1"] == ["no", "yes", "no", "yes", "no", "no"]
    assert len(running_prediction([states(skip=True)], 1, layer=1).figure.data) == 1
    html = read_text_html(states(skip=True), 1)
    assert re.findall(r'data-id="(\d+)" class="[^"]*nlpviz-skipped', html) == ["2", "4"]
    assert not re.search("nlpviz-skipped nlpviz-(for|against)", html), "grey on a colour is hard to read"
    assert "skipped" in read_text_key_html(states(skip=True), 1)
    assert "skipped" not in read_text_key_html(states(), 1)


def test_text_is_coloured_by_the_prediction_after_each_word() -> None:
    html = read_text_html(states(), 1, chosen=4)
    assert "<b>good" not in html
    titles = re.findall(r"title=\"[^\"]*?([\d.]+)% positive after this word", html)
    assert [float(one) for one in titles] == pytest.approx((100 * POSITIVE).tolist(), abs=0.06)
    signs = re.findall(r'data-id="(\d)" class="([^"]*)"', html)
    assert [number for number, classes in signs if "nlpviz-for" in classes] == ["2", "3", "6"]
    assert [number for number, classes in signs if "nlpviz-against" in classes] == ["4", "5"]
    assert [number for number, classes in signs if "nlpviz-read-chosen" in classes] == ["5"]
    share = re.search(r'data-id="6"[^>]*--nlpviz-share:([\d.]+)%', html)
    assert share is not None
    assert float(share[1]) == pytest.approx(100 * 0.55 * 0.8, abs=0.06)


def test_what_was_not_read_says_so() -> None:
    whole = states()
    cut = replace(
        whole, text=replace(whole.text, ids=whole.text.ids[:3]), after=whole.after[:3], states=whole.states[:3],
        parts={name: values[:3] for name, values in whole.parts.items()},
    )  # fmt: skip
    html = read_text_html(cut, 1)
    assert html.count("data-id") == 3
    assert html.index("nlpviz-cut") > html.index('data-id="3"')
    assert html.count("<span") == html.count("</span>")
    view = running_prediction([cut, replace(whole, epoch=2)], 1)
    assert np.isnan(view.table["P(positive), epoch 1"][3:]).all()


def test_heatmap_has_a_row_for_each_unit_in_its_order() -> None:
    one = course()
    view = part_heatmap([one], "by r", 4, 2)
    cells = view.figure.data[0]
    np.testing.assert_array_equal(cells.z, one.states.parts["cell state"][:, 1].T[one.order])
    assert list(cells.y) == [f"unit {unit + 1}" for unit in one.order]
    for row, unit in enumerate(one.order):
        for column in range(6):
            assert chosen_cell(str(cells.customdata[row][column])) == (unit + 1, column + 1)
    scale = view.figure.layout.coloraxis
    assert scale.cmin == -scale.cmax
    assert [tuple(stop) for stop in scale.colorscale] == list(theme.SIGNED_SCALE)
    dashes = view.figure.data[1]
    assert len(dashes.x) == (cells.z < -scale.cmax / 3).sum()
    frames = [(box.x0, box.x1, box.y0, box.y1) for box in view.figure.layout.shapes]
    row = one.order.tolist().index(4)
    assert frames == [(-0.5, 5.5, row - 0.5, row + 0.5), (1.5, 2.5, -0.5, 6.5)]
    np.testing.assert_array_equal(view.table["unit 5"], one.states.parts["cell state"][:, 1, 4])


def test_gates_are_on_a_scale_from_0_to_1_and_without_dashes() -> None:
    view = part_heatmap([course("forget gate")], "by r", None, None)
    assert (view.figure.layout.coloraxis.cmin, view.figure.layout.coloraxis.cmax) == (0, 1)
    assert len(view.figure.data) == 1
    assert not view.figure.layout.shapes


def test_checkpoints_have_one_scale() -> None:
    pair = read_course([states(0), states(1, seed=5)], "cell state", 0, 1)
    view = part_heatmap(pair, "clustered", 1, 0)
    assert {trace.coloraxis for trace in view.figure.data if trace.type == "heatmap"} == {"coloraxis"}
    assert list(view.figure.data[0].y) == list(view.figure.data[2].y)
    magnitudes = np.abs(np.stack([one.states.parts["cell state"][:, 0] for one in pair]))
    assert view.figure.layout.coloraxis.cmax == pytest.approx(np.percentile(magnitudes, 99))


def test_one_unit_shows_all_its_parts() -> None:
    one = states(skip=True)
    view = one_unit([one], 1, 4, 2)
    drawn = {trace.name: np.asarray(trace.y) for trace in view.figure.data}
    assert set(drawn) == {"forget gate", "cell state", "update", "hidden state"}
    for name, values in drawn.items():
        np.testing.assert_array_equal(values, one.values(name)[:, 1, 4])
        np.testing.assert_array_equal(view.table[name], one.values(name)[:, 1, 4])
    looks = {(trace.line.color, trace.line.dash) for trace in view.figure.data}
    assert len(looks) == 4
    assert "unit 5 of layer 2" in view.caption
    other = replace(states(run="other"), parts={}, about=())
    both = one_unit([one, other], 0, 0, None)
    assert np.isnan(both.table["forget gate"][6:]).all()
    assert [trace.name for trace in both.figure.data].count("hidden state") == 2


def test_saturation_has_a_point_for_each_unit() -> None:
    one = states()
    view = saturated_gates([one], 1, 3)
    counted = saturation(one)
    assert len(view.figure.data) == len(counted) == 2
    for trace, gate in zip(view.figure.data, counted, strict=True):
        np.testing.assert_array_equal(trace.x, gate.opened)
        np.testing.assert_array_equal(trace.y, gate.closed)
        assert list(trace.customdata) == [str(unit + 1) for unit in range(UNITS)]
    assert [list(trace.marker.size).index(12) if 12 in trace.marker.size else None for trace in view.figure.data] == [
        None, 3
    ]  # fmt: skip


@pytest.mark.parametrize("count", [0, 1])
def test_texts_of_no_word_and_one_are_drawn(count: int) -> None:
    one = states(count=count)
    for view in (running_prediction([one], 1), one_unit([one], 0, 0, None), part_heatmap([course(one=one)], "", 0, 0)):
        assert view.json
        assert "no words were read" in view.alt or count
    assert "nlpviz-text" in read_text_html(one, 1)


def test_long_texts_are_drawn_as_far_as_the_axis_goes() -> None:
    names = [f"w{place}" for place in range(word_axis.SHOWN)]
    axis = word_axis.axis(names)
    assert len(axis["tickvals"]) <= 14
    assert axis["ticktext"][:2] == ["1", str(axis["tickvals"][1] + 1)]
    assert word_axis.axis(names[:8])["ticktext"] == names[:8]


# ---------------------------------------------------------------------------------------------------------- equations


def step(**numbers: float | tuple[float, ...]) -> CellStep:
    every = {name: one if isinstance(one, tuple) else (one,) for name, one in numbers.items()}
    return CellStep("toy", 1, "word", 0, 0, 0, ("h_t = x_t W + h_{t-1} U + b",), every)


@pytest.mark.parametrize(
    ("right", "numbers", "written"),
    [
        ("x_t W + b", {"x_t W": -1.5, "b": -0.25}, "-1.500 - 0.250"),
        (r"\tanh(x_t W + b)", {"x_t W": -1.5, "b": 0.25}, r"\tanh(-1.500 + 0.250)"),
        (r"\tanh(c_t)", {"c_t": -0.5}, r"\tanh(-0.500)"),
        (r"f_t \circ c_{t-1}", {"f_t": 0.5, "c_{t-1}": -0.125}, r"0.500 \cdot (-0.125)"),
        ("u_t s_t + (1 - u_t) s_t", {"u_t": 1.0, "s_t": 0.5}, r"1 \cdot 0.500 + (1 - 1) \cdot 0.500"),
        (r"\bar h_t + h_t + b", {r"\bar h_t": 0.5, "h_t": 12.34, "b": 0.0}, "0.500 + 12.3 + 0"),
        ("b_n + b_n'", {"b_n": 0.5, "b_n'": 0.75}, "0.500 + 0.750"),
        (r"\bigl(\sum_j v W^l_j + b^l\bigr)", {r"\sum_j v W^l_j": (1.5, -2.5), "b^l": 0.5},
         r"\bigl((1.500 - 2.500) + 0.500\bigr)"),
    ],
)  # fmt: skip
def test_symbols_become_numbers(right: str, numbers: dict[str, float], written: str) -> None:
    assert with_numbers(right, step(**numbers)) == written


def test_an_equation_comes_to_its_left_side() -> None:
    (line,) = worked(step(**{"h_t": 0.75, "x_t W": 0.5, "h_{t-1} U": 0.5, "b": -0.25}))
    assert r"h_t &= x_t W + h_{t-1} U + b \\ &= 0.500 + 0.500 - 0.250 = 0.750 \end" in line
    assert worked(step()) == ["h_t = x_t W + h_{t-1} U + b"]
