"""Figures of minimal pairs and of calibration by epoch: what stands where, and that foreign names stay text."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.analysis.inspection.assessment import assess
from nlpviz.figures.assessment.behaviours import behaviour_panels
from nlpviz.figures.assessment.calibration_epochs import calibration_by_epoch
from nlpviz.results.behaviours import Probed
from nlpviz.results.minimal_pairs import MinimalPair

MARKUP = "<b>own</b>"
PAIRS = [
    MinimalPair("negation", "a", "good", "not good", "positive/negative"),
    MinimalPair("negation", "a", "fine", "not fine", "positive/negative"),
    MinimalPair("names", "b", "John", "Carlos", "same"),
    MinimalPair(MARKUP, "c", "good", "bad", "lower"),
]


def probed(run: str, epoch: int | None, positive: list[list[float]], known: list[bool] | None = None) -> Probed:
    return Probed(run, f"{run} & co", epoch, np.array(positive, np.float32), np.array(known or [True] * 4))


FOUND = {
    "network": [
        probed("network", 0, [[0.5, 0.5], [0.6, 0.6], [0.5, 0.5], [0.4, 0.6]]),
        probed("network", 3, [[0.9, 0.2], [0.6, 0.6], [0.5, 0.7], [0.9, 0.1]]),
    ],
    "counts": [probed("counts", None, [[0.9, 0.2], [0.9, 0.1], [0.5, 0.5], [0.4, 0.1]], [True, True, False, True])],
}


def test_a_panel_a_capability_with_a_line_a_run() -> None:
    view = behaviour_panels(PAIRS, FOUND, "mine", "names")
    lines = {(trace.name, trace.xaxis): trace for trace in view.figure.data}
    network = lines["network &amp; co", "x"]
    assert (list(network.x), list(network.y)) == ([0, 3], [0.0, 0.5])
    assert list(lines["counts &amp; co", "x"].y) == [1.0, 1.0]
    assert list(lines["counts &amp; co", "x"].x) == [0, 3]
    assert list(lines["counts &amp; co", "x2"].y) == [None, None], "no pair is left"
    assert list(lines["random baseline", "x"].y) == [0.25, 0.25]
    assert list(lines["random baseline", "x3"].y) == [0.5, 0.5]
    assert ("random baseline", "x2") not in lines, "who has no opinion passes"
    assert view.figure.layout.showlegend is False
    named = {note.text for note in view.figure.layout.annotations if note.yref in {"y", "y3"}}
    assert {"random baseline", "network &amp; co", "counts &amp; co"} <= {text.replace("<br>", " ") for text in named}


def test_names_of_capabilities_stay_text() -> None:
    view = behaviour_panels(PAIRS, FOUND, "mine", "names")
    titles = [note.text for note in view.figure.layout.annotations]
    assert titles[1].startswith("<b>names</b>")
    assert titles[2].startswith("&lt;b&gt;own&lt;/b&gt;")
    third = [trace for trace in view.figure.data if trace.xaxis == "x3" and trace.customdata is not None]
    assert third[1].hovertext[0] == (
        "counts &amp; co<br>&lt;b&gt;own&lt;/b&gt;: 1 of 1 pairs (100%; 95% CI 21% to 100%)"
    )
    assert {mark for trace in third for mark in trace.customdata} == {MARKUP}


def test_the_table_has_a_row_for_each_capability_run_and_epoch() -> None:
    table = behaviour_panels(PAIRS, FOUND, "mine", "names").table
    assert list(table["epoch"]) == ["0", "3", "–"] * 3
    assert list(table["pass"]) == [0, 1, 2, 1, 0, 0, 0, 1, 1]
    assert list(table["pairs"]) == [2, 2, 2, 1, 1, 0, 1, 1, 1]
    assert list(table["share"])[5] is None


def test_calibration_by_epoch_marks_the_chosen_one() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(2, size=400)
    last = rng.random(400)
    own = [
        assess(("run", epoch, "mine"), ("negative", "positive"), np.stack([1 - last, last], axis=1), labels)
        for epoch in (0, 2)
    ]
    view = calibration_by_epoch({"Run": own}, 2)
    error, chance, temperature, accuracy, confidence = view.figure.data
    assert list(error.y) == pytest.approx([own[0].calibration.error] * 2)
    assert list(chance.y) == pytest.approx([one.calibration.by_chance.highest for one in own])
    assert list(temperature.y) == pytest.approx([one.calibration.temperature.error for one in own])  # type: ignore[union-attr]
    assert list(accuracy.y) == pytest.approx([one.accuracy for one in own])
    assert list(confidence.y) == pytest.approx([one.calibration.confidence for one in own])
    assert list(error.customdata) == ["0", "2"]
    assert {(shape.x0, shape.x1) for shape in view.figure.layout.shapes} == {(2, 2)}
    assert list(view.table["epoch"]) == [0, 2]
