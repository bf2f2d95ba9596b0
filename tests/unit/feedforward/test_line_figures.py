"""Figures of trainings: lines that differ, named where they end, on axes that begin where something happens."""

from __future__ import annotations

import pytest

from nlpviz.experiments.feedforward.stored import range_tests, read_trials, watched
from nlpviz.figures.feedforward import rates
from nlpviz.figures.feedforward.layers import by_layer
from nlpviz.figures.feedforward.live import race_curves
from nlpviz.figures.feedforward.trials import learnt
from nlpviz.figures.view import FigureView
from nlpviz.results.feedforward import NetworkPoint


def named(view: FigureView) -> set[str]:
    """Return the names that stand at lines in a wide window."""
    notes = [note for note in view.figure.layout.annotations if note.visible is not False]
    return {note.text.replace("<br>", " ") for note in notes if note.xanchor == "left"}


def lines(view: FigureView) -> set[str]:
    return {trace.name for trace in view.figure.data if trace.name}


def point(step: int, loss: float) -> NetworkPoint:
    return NetworkPoint(step, loss, 0.5, loss, 0.5)


def test_layers_have_colours_and_dashes_of_their_own() -> None:
    view = by_layer(watched(read_trials("babysitting"))["relu-he"])
    looks = {(trace.line.color, trace.line.dash) for trace in view.figure.data}
    assert len(looks) == len({color for color, _ in looks}) == len(lines(view)) == 6
    assert lines(view) <= named(view)
    assert not view.figure.layout.showlegend


@pytest.mark.parametrize(("experiment", "group"), [("choices", "loss"), ("optimisers", "optimiser")])
def test_every_choice_is_named_and_six_at_most_are_in_colour(experiment: str, group: str) -> None:
    view = learnt(read_trials(experiment), group)
    assert lines(view) <= named(view)
    inks = {trace.line.color for trace in view.figure.data if trace.name}
    assert len(inks) <= 7, "six colours and grey"
    for axis in ("yaxis", "yaxis2"):
        if view.figure.layout[axis].type == "log":
            assert view.figure.layout[axis].ticktext, "numbers of the common size"


def test_rates_are_on_an_axis_whose_numbers_have_the_common_size() -> None:
    view = rates.range_test_lines(range_tests(read_trials("rates")), 100)
    assert view.figure.layout.xaxis.ticktext[0].startswith("10⁻")
    assert lines(view) <= named(view)


def test_a_race_begins_zoomed_on_what_happens() -> None:
    titles = {"adam": "Adam"}
    still = [point(step, 1.0 if step < 100 else 0.01) for step in range(0, 2001, 20)]
    view = race_curves({"adam": still}, titles, 2000, "XOR")
    assert view.figure.layout.xaxis.range[1] == 200, "nothing happens after step 100"
    falling = [point(step, 1 - step / 2000) for step in range(0, 2001, 20)]
    assert race_curves({"adam": falling}, titles, 2000, "XOR").figure.layout.xaxis.range[1] == 2000
    broken = [point(0, 1.0), point(20, float("nan"))]
    assert race_curves({"adam": broken}, titles, 50, "XOR").figure.layout.xaxis.range[1] == 5
