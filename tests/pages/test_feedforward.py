"""The page Training: it draws what was computed, changed input changes the answer, bad input gets a sentence."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from math import inf

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.experiments.feedforward.race import NetworkRace
from nlpviz.experiments.feedforward.stored import planes, read_trials, watched
from nlpviz.ui import race_worker, races
from nlpviz.ui.race_worker import RaceWorker
from tests.pages.conftest import Page, asked_in_vain, figure, numbers, said, shown
from tests.waiting import until

PAGE = "Training"


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[RaceWorker]:
    """A worker of the test's own."""
    own = RaceWorker(most=2, patience=600)
    monkeypatch.setattr(races, "worker", lambda: own)
    yield own
    monkeypatch.setattr(race_worker, "monotonic", lambda: inf)
    until(lambda: all(one.name != "nlpviz-races" for one in threading.enumerate()))


def race_of(app: AppTest) -> NetworkRace:
    """Return a session's race."""
    return app.session_state["network race"][1]  # type: ignore[no-any-return]


def test_a_descent_is_drawn_step_by_step(page: Page) -> None:
    app = page(PAGE, view="optimisers", surface="ravine", optimiser=["sgd"], eta="0.03", descent="50")
    assert not app.exception
    drawn = figure(app)
    paths = [trace for trace in drawn["figure"]["data"] if trace.get("type", "scatter") == "scatter"]
    np.testing.assert_allclose(numbers(paths[0]["x"]), -3.5 * 0.97 ** np.arange(51))
    assert drawn["playback"]["stepped"]
    assert len(drawn["playback"]["frames"]) == 41
    assert "After 50 steps" in shown(app)


def test_another_start_is_another_descent_and_what_leaves_is_said(page: Page) -> None:
    app = page(PAGE, view="optimisers", surface="ravine", optimiser=["sgd"], eta="0.1", x0="-1.0")
    assert not app.exception
    assert "left the surface" in shown(app)
    paths = [trace for trace in figure(app)["figure"]["data"] if trace.get("type", "scatter") == "scatter"]
    assert numbers(paths[0]["x"])[0] == -1


def test_an_address_that_asks_in_vain_is_told_so(page: Page) -> None:
    wanted = {"surface": "<b>", "eta": "0", "x0": "nan", "noise": "-1", "optimiser": "lion"}
    app = page(PAGE, view="optimisers", **wanted)
    assert not app.exception
    assert asked_in_vain(app) == wanted.keys()


def test_a_race_is_stepped_and_its_network_drawn(page: Page, worker: RaceWorker) -> None:
    app = page(PAGE, view="live", problem="spirals", optimiser=["adam", "sgd"], hidden="4", map="adam")
    until(lambda: app.run() and race_of(app).ready)
    until(lambda: app.run() and not worker.is_going(race_of(app)))
    app.run()
    next(button for button in app.button if button.label == "Step").click().run()
    until(lambda: race_of(app).steps == 1)
    app.run()
    assert not app.exception
    assert "After 1 step, " in shown(app)
    heat = [trace for trace in figure(app, 1)["figure"]["data"] if trace.get("type") == "heatmap"]
    assert len(heat) == 3, "a colour for each class"


def test_both_losses_of_every_epoch_are_drawn(page: Page) -> None:
    app = page(PAGE, view="real-loss", plane="adam")
    assert not app.exception
    plane = planes(read_trials("optimisers"))["adam"]
    lines = {
        trace["name"]: numbers(trace["y"]) for trace in figure(app)["figure"]["data"] if trace.get("xaxis") == "x2"
    }
    np.testing.assert_allclose(lines["true"], plane.true["adam"])
    np.testing.assert_allclose(lines["projected"], plane.projected["adam"])
    assert f"{sum(plane.share):.0%} of the variance of the weights" in said(app)
    assert app.dataframe[0].value.iloc[0, 2] == f"{plane.projected['adam'][-1]:.3f}"


@pytest.mark.parametrize("look", ["range", "schedules"])
def test_learning_rates_are_drawn(page: Page, look: str) -> None:
    app = page(PAGE, view="learning-rate", rates=look)
    assert not app.exception
    assert len(app.dataframe[0].value) >= 3, "a row for each optimiser or schedule"


def test_patience_moves_the_end(page: Page) -> None:
    ends = []
    for patience in ("1", "5"):
        app = page(PAGE, view="learning-rate", rates="stopping", patience=patience, longer="dropout-0.0")
        trial = read_trials("rates").of("longer", "dropout-0.0")[0]
        stop = trial.early_stop(int(patience))
        assert f"stops after epoch {stop.stopped} and restores the weights of epoch {stop.best}" in said(app)
        ends.append(stop.stopped)
    assert ends[0] < ends[1]


@pytest.mark.parametrize("name", ["relu-he", "relu-zero", "relu-he-large-rate", "tanh-large"])
def test_a_training_is_shown_layer_by_layer(page: Page, name: str) -> None:
    app = page(PAGE, view="babysitting", training=name)
    assert not app.exception
    training = watched(read_trials("babysitting"))[name]
    first = next(trace for trace in figure(app)["figure"]["data"] if trace.get("xaxis") == "x2")
    np.testing.assert_allclose(numbers(first["y"]), training.layers[0].spread)


@pytest.mark.parametrize("kind", ["loss", "activation", "initialisation", "dropout"])
def test_choices_are_shown_with_intervals(page: Page, kind: str) -> None:
    app = page(PAGE, view="choices", kind=kind)
    assert not app.exception
    trials = read_trials("choices")
    best = max(trials.choices(kind), key=lambda name: trials.test(kind, name)[0])
    assert f"{trials.test(kind, best)[0]:.1%}" in said(app)


def test_backpropagation_has_the_visitors_numbers(page: Page) -> None:
    app = page(PAGE, view="backpropagation", x1="0", x2="0", b1="0", b2="0", c="0", target="1")
    assert not app.exception
    assert "the loss from 0.6931 to" in said(app), "log 2: the sigmoid of 0 is a half"
    table = {one["heading"]: one["column"] for one in figure(app)["table"]}
    gradients = dict(zip(table["number"], table["gradient of the loss"], strict=True))
    assert gradients["c"] == pytest.approx(-0.5)
    assert gradients["w₁₁"] == 0, "an input of 0 passes no gradient to its weight"


def test_a_target_that_is_none_is_named(page: Page) -> None:
    app = page(PAGE, view="backpropagation", target="7")
    assert not app.exception
    assert "The link sets target to 7" in shown(app)
