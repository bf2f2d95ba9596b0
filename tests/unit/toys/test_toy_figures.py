"""Figures of toy tasks: the line of chance in each, bands from the lowest to the highest seed, and what is said."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.experiments.toys import ToyTask, toy_tasks
from nlpviz.experiments.toys.networks import entrants
from nlpviz.experiments.toys.reading import read_example
from nlpviz.experiments.toys.training import ToySettings, ToyTraining
from nlpviz.figures.recurrence.toy_curves import learning_curves, length_curves
from nlpviz.figures.recurrence.toy_reading import reading_figure
from nlpviz.results.toys import Reached, StoredCurves, ToyCurve, ToyPoint
from nlpviz.ui.recurrence.toy_words import able_said, baseline_said, curves_table, ends_said, live_explained


def curve(task: ToyTask, network: str, seed: int, error: float) -> ToyCurve:
    """Return a curve that falls from chance to ``error`` at the task's length, and is twice that elsewhere."""
    chance = task.chance(task.length)
    loss = error if not task.of_classes else 0.01
    reached = Reached(loss, error, 1 - error) if task.of_classes else Reached(loss, np.nan, np.nan)
    learning = (ToyPoint(0, task.length, chance), ToyPoint(100, task.length, reached))
    longer = tuple(
        ToyPoint(100, length, Reached(0.01, error if length <= task.length else 0.5, 0.5)) for length in task.tested
    )
    return ToyCurve(network, network.upper(), seed, 8_000, 2.0, learning, longer)


@pytest.fixture(params=toy_tasks())
def task(request: pytest.FixtureRequest) -> ToyTask:
    """Each task."""
    return toy_tasks()[request.param]


def test_chance_is_drawn_in_every_panel(task: ToyTask) -> None:
    curves = [curve(task, "gru", seed, 0.01 * seed) for seed in range(3)]
    chance = task.chance(task.length)
    view = learning_curves(task.facts, curves, chance, task.length)
    lines = {trace.yaxis: set(trace.y) for trace in view.figure.data if trace.name == task.facts.without}
    expected = {"y": {chance.error}, "y2": {chance.loss}} if task.of_classes else {"y": {chance.loss}}
    assert lines == expected
    band = next(trace for trace in view.figure.data if trace.fill == "toself")
    assert (min(band.y), max(band.y[1], band.y[2])) == (0.0, 0.02), "from the lowest to the highest seed"
    mean = next(trace for trace in view.figure.data if trace.name == "GRU")
    assert mean.y[-1] == pytest.approx(0.01)
    assert task.facts.without in view.alt


def test_before_anything_is_built_chance_is_there(task: ToyTask) -> None:
    view = learning_curves(task.facts, (), task.chance(task.length), task.length, horizon=50)
    names = [trace.name for trace in view.figure.data if trace.name != task.facts.shortcut[0]]
    assert names == [task.facts.without] * (2 if task.of_classes else 1)


@pytest.mark.parametrize("name", ["identical-halves", "binary-addition"])
def test_chance_follows_the_length(name: str) -> None:
    task = toy_tasks()[name]
    chances = {length: task.chance(length) for length in task.tested}
    view = length_curves(task.facts, [curve(task, "gru", 0, 0.1)], chances, task.length)
    line = next(trace for trace in view.figure.data if trace.name == task.facts.without)
    assert list(line.x) == list(task.tested)
    assert list(line.y) == [chances[length].error for length in task.tested]
    assert len({trace.yaxis for trace in view.figure.data}) == (2 if name == "binary-addition" else 1)
    assert len(view.table["network"]) == len(task.tested)


def test_numbers_that_are_none_are_left_out() -> None:
    task = toy_tasks()["identical-halves"]
    broken = curve(task, "gru", 0, float("nan"))
    view = learning_curves(task.facts, [broken], task.chance(10), 10)
    line = next(trace for trace in view.figure.data if trace.name == "GRU" and trace.yaxis == "y")
    assert list(line.x) == [0]


@pytest.mark.parametrize("network", entrants())
def test_a_reading_shows_every_part(task: ToyTask, network: str) -> None:
    training = ToyTraining(task, network, ToySettings(task.offered[1], 5))
    read = read_example(training, 0)
    view = reading_figure(task.facts, read, 1, task.offered[1])
    heat = [trace for trace in view.figure.data if trace.type == "heatmap"]
    assert len(heat) == 1 + len(read.about)
    np.testing.assert_array_equal(np.array(heat[0].z), read.states.T)
    for part, trace in zip(read.about, heat[1:], strict=True):
        np.testing.assert_array_equal(np.array(trace.z), read.parts[part.name].T)
        assert (trace.coloraxis == "coloraxis") is part.is_gate
    words = next(trace for trace in view.figure.data if trace.type == "scatter")
    steps = len(read.answers)
    struck = [text.startswith("<s>") for text in words.text[-steps:]]
    assert struck == [right is False for right in read.right]
    assert len(view.table["step"]) == read.states.size


def test_baselines_are_said_with_their_numbers() -> None:
    for task in toy_tasks().values():
        assert "{" not in baseline_said(task, task.length)
        assert baseline_said(task, task.length) in live_explained(task, task.length)
    assert "0.520 nats per position with T = 20" in baseline_said(toy_tasks()["copy-memory"], 20)
    assert "10.0% of the sums" in baseline_said(toy_tasks()["binary-addition"], 8)
    assert "0.167" in baseline_said(toy_tasks()["adding"], 30)


def test_what_curves_show_is_said() -> None:
    task = toy_tasks()["identical-halves"]
    curves = [curve(task, name, seed, error) for name, error in (("gru", 0.01), ("elman", 0.49)) for seed in range(3)]
    stored = StoredCurves(tuple(curves), 10, 100, "cpu", "today")
    assert ends_said(task, stored) == "Mean error on 10 symbols: lowest GRU 1.0%, highest ELMAN 49.0%."
    assert (
        able_said(task, stored) == "All networks are clearly better than chance (50.0%) after 100 steps, except ELMAN."
    )
    table = curves_table(task, stored)
    assert table["Clearly better than chance"] == ["yes", "no"]
    assert table["Clearly better up to length (symbols)"] == ["10", "none"]
    assert table["No better than ignoring near misses at lengths (symbols)"] == [
        "12, 14, 16, 18, 20",
        "4, 6, 8, 10, 12, 14, 16, 18, 20",
    ]
    addition = toy_tasks()["binary-addition"]
    good = StoredCurves((curve(addition, "gru", 0, 0.0),), 8, 100, "cpu", "today")
    assert able_said(addition, good) == (
        "All networks are clearly better than adding without a carry (38.9%) after 100 steps."
    )
    assert curves_table(addition, good)["Sequences without errors at 16 bits"] == ["50.0%"]
