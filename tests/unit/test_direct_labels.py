"""Names at the ends of lines: each line's is there, none covers another, and there is no legend."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from nlpviz.figures import direct_labels, panels, phone, theme
from nlpviz.figures.log_axis import log_axis

LINE = 15.5  # pixels that a line of type needs


def line(name: str, y: list[float], **more: Any) -> go.Scatter:
    place = sum(map(ord, name))
    return go.Scatter(
        x=list(range(len(y))), y=y, mode="lines", name=name, line={"color": theme.CATEGORIES[place % 8]}, **more
    )


def shown(drawn: go.Figure, *, narrow: bool = False) -> list[Any]:
    """Return the names that a wide or a narrow window shows."""
    wanted = "where narrow" if narrow else "where wide"
    return [note for note in drawn.layout.annotations if note.name in {"line’s end", wanted}]


def middles(drawn: go.Figure, *, narrow: bool = False) -> list[tuple[float, float]]:
    """Return the middle and the height of each name in pixels from the panel's top, those of one panel."""
    layout = drawn.layout
    changed = layout.meta["where_narrow"] if narrow else {"height": None}
    high = (changed["height"] or layout.height) - layout.margin.t - layout.margin.b
    low, top = layout.yaxis.range
    found = []
    for note in shown(drawn, narrow=narrow):
        natural = (top - note.y) / (top - low) * high
        moved = note.ay if note.showarrow else -note.yshift
        found.append((natural + moved, LINE * (1 + note.text.count("<br>"))))
    return sorted(found)


ENDS = {
    "apart": [0.1, 0.4, 0.9],
    "together": [0.5, 0.5, 0.5, 0.5],
    "at the foot": [0.0, 0.001, 0.002, 0.9, 0.01],
    "many": list(np.linspace(0.6, 0.62, 10)),
}


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("kind", ENDS)
def test_no_name_covers_another(kind: str, narrow: bool) -> None:
    names = [f"Network number {place} with a long name" for place in range(len(ENDS[kind]))]
    drawn = direct_labels.figure(
        [line(name, [0.3, end]) for name, end in zip(names, ENDS[kind], strict=True)], height=420, main=names[:2]
    )
    placed = middles(drawn, narrow=narrow)
    assert len(placed) == len(names), "every line has its name"
    for (first, high), (second, other) in itertools.pairwise(placed):
        assert second - first >= (high + other) / 2 - 0.01
    assert placed[0][0] > -20
    assert placed[-1][0] < 420


def test_there_is_no_legend_and_names_have_room() -> None:
    drawn = direct_labels.figure([line("short", [1, 2]), line("a rather long name", [1, 3])], height=300)
    assert drawn.layout.showlegend is False
    assert drawn.layout.margin.r > 18 * 6
    assert {note.text for note in shown(drawn)} == {"short", "a rather long name"}


def test_more_than_six_lines_are_grey_but_for_the_main_ones() -> None:
    traces = [line(f"line {place}", [0, place]) for place in range(9)]
    band = go.Scatter(x=[0, 1], y=[0, 1], fill="toself", fillcolor=theme.POSITIVE, legendgroup="line 8", mode="lines")
    drawn = direct_labels.figure([*traces, band], height=400, main=["line 3"])
    colours = {trace.name: trace.line.color for trace in drawn.data if trace.name}
    assert [name for name, colour in colours.items() if colour != theme.GREY] == ["line 3"]
    assert drawn.data[-1].fillcolor == theme.GREY
    inks = {note.text: note.font.color for note in shown(drawn)}
    assert inks.pop("line 3") != theme.MUTED
    assert set(inks.values()) == {theme.MUTED}
    assert sum(trace.line.color != theme.GREY for trace in direct_labels.figure(
        [line(f"line {place}", [0, place]) for place in range(9)], height=400
    ).data) == direct_labels.COLOURED  # fmt: skip


def test_a_name_that_is_moved_has_a_stroke_to_its_line() -> None:
    drawn = direct_labels.figure([line("one", [0, 0.5]), line("two", [0, 0.5])], height=300)
    assert [note.showarrow for note in shown(drawn)] == [True, True]
    drawn = direct_labels.figure([line("one", [0, 0]), line("two", [0, 1])], height=300)
    assert [note.showarrow for note in shown(drawn)] == [False, False]


def test_a_line_that_ends_early_is_named_there() -> None:
    drawn = direct_labels.figure([line("all", [0.0] * 20), line("gone", [1.0] * 5 + [float("nan")] * 15)], height=300)
    places = {note.text: (note.x, note.xref) for note in shown(drawn)}
    assert places == {"all": (1, "x domain"), "gone": (4, "x")}


@pytest.mark.parametrize("level", [0.5, 0.52, 0.05, 0.98])
def test_no_line_runs_through_the_name_of_another(level: float) -> None:
    ended = [line(f"ends {place}", [0.5 + place / 100] * 12 + [float("nan")] * 8) for place in range(5)]
    drawn = direct_labels.figure([*ended, line("goes on", [level] * 20)], height=420, yaxis={"range": [0, 1]})
    high = 420 - drawn.layout.margin.t - drawn.layout.margin.b
    through = (1 - level) * high
    names = [note for note in shown(drawn) if note.xref == "x"]
    assert len(names) == 5
    for note in names:
        middle = (1 - note.y) * high + (note.ay if note.showarrow else -note.yshift)
        assert abs(middle - through) > LINE / 2


def test_names_follow_logarithms_categories_and_ends_beyond_the_axis() -> None:
    logged = direct_labels.figure([line("a", [1.0, 100.0])], height=300, yaxis=log_axis(1, 1000))
    assert shown(logged)[0].y == pytest.approx(2)
    words = go.Scatter(x=["b", "a"], y=[1, 2], mode="lines", name="w", line={"color": theme.POSITIVE})
    drawn = direct_labels.figure([words], height=300)
    assert list(drawn.layout.xaxis.categoryarray) == ["b", "a"]
    assert shown(drawn)[0].y == 2
    beyond = direct_labels.figure([line("a", [1.0, 9.0])], height=300, yaxis={"range": [0, 2]})
    assert (shown(beyond)[0].x, shown(beyond)[0].y) == (0.125, 2), "where it leaves the panel"


def test_panels_are_named_on_the_right_and_each_of_them_on_a_phone() -> None:
    arranged = [panels.Panel(number, f"Epoch {number}", 0, number - 1) for number in (1, 2)]
    traces = [line("a", [0, 1], xaxis=f"x{number}", yaxis=f"y{number}") for number in (1, 2)]
    meta = phone.where_narrow(
        {"xaxis.domain": [0, 1], "xaxis2.domain": [0, 1], "yaxis.domain": [0.6, 1], "yaxis2.domain": [0, 0.4]}, 500
    )
    drawn = panels.figure(arranged, 200, traces=traces, axes={}, named=True, meta=meta)
    notes = [note for note in drawn.layout.annotations if note.text == "a"]
    assert [(note.name, note.yref, note.visible) for note in notes] == [
        ("where wide", "y2", True), ("where narrow", "y", False), ("where narrow", "y2", False),
    ]  # fmt: skip
    assert drawn.layout.meta["where_narrow"]["height"] == 500
    assert drawn.layout.meta["where_narrow"]["changes"]["margin.r"] > 0


def test_names_stay_text() -> None:
    drawn = direct_labels.figure([line("&lt;b&gt;mine&lt;/b&gt; &amp; co", [0, 1])], height=300)
    assert shown(drawn)[0].text == "&lt;b&gt;mine&lt;/b&gt; &amp; co"


def test_labels_are_spread_as_little_as_needed() -> None:
    assert direct_labels.spread([10, 50], [20, 20], 0, 100) == [10, 50]
    assert direct_labels.spread([40, 50], [20, 20], 0, 100) == [35, 55]
    assert direct_labels.spread([0, 0], [20, 20], 0, 100) == [10, 30]
    assert direct_labels.spread([99, 100, 100], [20, 20, 20], 0, 100) == [50, 70, 90]


@pytest.mark.parametrize(("low", "high"), [(0.9, 1.3), (0.002, 40), (1e-9, 5), (60, 700)])
def test_numbers_on_a_logarithmic_axis_are_plain_and_few(low: float, high: float) -> None:
    axis = log_axis(low, high)
    assert 1 <= len(axis["tickvals"]) == len(axis["ticktext"]) <= 12
    assert 10 ** axis["range"][0] <= low < high <= 10 ** axis["range"][1]
    assert all(10 ** axis["range"][0] <= value <= 10 ** axis["range"][1] for value in axis["tickvals"])
    assert not any("<" in text or "e" in text for text in axis["ticktext"]), "Plotly's powers are larger"
