"""Toy tasks on their pages: step, play, two tabs at once, a closed tab, bad input; no thread is left behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.experiments.toys import toy_tasks
from nlpviz.experiments.toys.race import Race
from nlpviz.experiments.toys.stored import read_curves
from nlpviz.experiments.toys.training import ToySettings, ToyTraining
from nlpviz.ui import race_worker, races
from nlpviz.ui.race_worker import RaceWorker
from tests.pages.conftest import Page, figure, numbers, shown
from tests.waiting import until

PAGE, SMALL = "Toy tasks", {"task": "binary-addition", "length": "2"}


def threads() -> list[str]:
    """Return the worker threads there are."""
    return [one.name for one in threading.enumerate() if one.name == "nlpviz-races"]


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[RaceWorker]:
    """A worker of the test's own, which leaves no race before the test ends, however slow a page is."""
    own = RaceWorker(most=2, patience=600)
    monkeypatch.setattr(races, "worker", lambda: own)
    yield own
    monkeypatch.setattr(race_worker, "monotonic", lambda: inf)
    until(lambda: not threads())


def race_of(app: AppTest) -> Race:
    """Return a session's race."""
    return app.session_state["toy race"][1]  # type: ignore[no-any-return]


def ready(app: AppTest) -> AppTest:
    """Return the page when its networks are built."""
    until(lambda: app.run() and race_of(app).ready)
    until(lambda: not threads())
    return app.run()


def pressed(app: AppTest, label: str) -> AppTest:
    """Press the button of that label, and return the page as it is then."""
    assert not app.exception
    return next(button for button in app.button if button.label == label).click().run()


def line(app: AppTest, name: str, axis: str = "y") -> dict[str, Any]:
    """Return a line of the curves."""
    traces = figure(app)["figure"]["data"]
    return next(one for one in traces if one.get("name") == name and one.get("yaxis", "y") in (axis, f"{axis}1"))


def test_before_a_step_chance_is_drawn_and_a_sequence_is_read(page: Page) -> None:
    app = ready(page(PAGE, view="live", **SMALL))
    assert not app.exception
    chance = toy_tasks()["binary-addition"].chance(2)
    assert numbers(line(app, "adding without a carry")["y"]) == pytest.approx([chance.error] * 2)
    assert numbers(line(app, "adding without a carry", "y2")["y"]) == pytest.approx([chance.loss] * 2)
    one = ToyTraining(toy_tasks()["binary-addition"], "gru", ToySettings(2, 1000))
    assert numbers(line(app, "GRU")["y"]) == pytest.approx([one.measure().error])
    assert "0 of 1,000 training steps" in shown(app)
    assert "Not trained yet. Press Play to begin." in shown(app)
    assert "processed by LSTM" in app.header[0].value
    names = [trace.get("type") for trace in figure(app, 1)["figure"]["data"]]
    assert names.count("heatmap") == 6, "hidden state, three gates, candidate, cell state"


def test_a_step_is_a_step_of_every_network(page: Page) -> None:
    app = pressed(ready(page(PAGE, view="live", **SMALL)), "Step")
    until(lambda: race_of(app).steps == 1)
    app.run()
    assert "1 of 1,000 training steps" in shown(app)
    assert "after 1 step:" in shown(app)
    one = ToyTraining(toy_tasks()["binary-addition"], "lstm", ToySettings(2, 1000))
    one.step()
    assert list(numbers(line(app, "LSTM")["x"])) == [0, 1]
    assert numbers(line(app, "LSTM")["y"])[-1] == pytest.approx(one.measure().error)
    assert "after 1 training steps" in app.header[0].value


def test_it_plays_until_it_is_paused_and_begins_again(page: Page) -> None:
    app = pressed(ready(page(PAGE, view="live", **SMALL)), "Play")
    labels = [button.label for button in app.button]
    assert "Pause" in labels
    assert "Play" not in labels
    until(lambda: app.run() and race_of(app).steps >= 25)
    app = pressed(app, "Pause")
    until(lambda: not threads())
    steps = race_of(app).steps
    app.run()
    assert f"{steps:,} of 1,000 training steps" in shown(app)
    assert len(numbers(line(app, "GRU")["x"])) >= 5
    old = race_of(app)
    app = ready(pressed(app, "Reset"))
    assert race_of(app) is not old
    assert "0 of 1,000 training steps" in shown(app)


def test_another_example_is_another_sequence(page: Page) -> None:
    app = ready(page(PAGE, view="live", task="adding", length="5", cell="gru"))
    before = figure(app, 1)["figure"]["data"][0]["text"]
    app = pressed(app, "Another example")
    assert figure(app, 1)["figure"]["data"][0]["text"] != before
    assert app.query_params["example"] == ["2"] or app.query_params["example"] == "2"


def test_two_tabs_train_side_by_side(page: Page) -> None:
    first, second = (ready(page(PAGE, view="live", seed=seed, cell="gru", **SMALL)) for seed in ("0", "1"))
    first, second = pressed(first, "Play"), pressed(second, "Play")

    def both() -> bool:
        first.run()
        second.run()
        return min(race_of(first).steps, race_of(second).steps) >= 40

    until(both)
    curves = [numbers(line(app, "GRU")["y"]) for app in (first, second)]
    assert not np.array_equal(curves[0][:3], curves[1][:3]), "each has its own"
    pressed(first, "Pause")
    assert race_of(second).steps > 0
    pressed(second, "Pause")


def test_a_closed_tab_trains_no_more(page: Page, worker: RaceWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time is that of the networks' steps, ten seconds each: some sixty are taken that nobody asks about."""
    clock, advance = [0.0], Race.advance

    def slowly(race: Race, upto: int) -> bool:
        clock[0] += 10
        return advance(race, upto)

    monkeypatch.setattr(Race, "advance", slowly)
    monkeypatch.setattr(race_worker, "monotonic", lambda: clock[0])
    app = pressed(ready(page(PAGE, view="live", **SMALL)), "Play")
    race = race_of(app)
    del app
    until(lambda: not threads())
    assert 0 < race.steps < race.settings.steps
    assert not worker.is_going(race)


def test_another_choice_gives_the_old_race_up(page: Page, worker: RaceWorker) -> None:
    app = pressed(ready(page(PAGE, view="live", **SMALL)), "Play")
    old = race_of(app)
    app.selectbox(key="seed").set_value("3").run()
    assert race_of(app) is not old
    assert not worker.is_going(old)
    ready(app)


def test_too_many_races_are_said(page: Page, worker: RaceWorker) -> None:
    app = ready(page(PAGE, view="live", **SMALL))
    others = [Race(toy_tasks()["adding"], ("gru",), ToySettings(5, 1000, seed=seed)) for seed in range(2)]
    for other in others:
        worker.go(other, 1000)
    app = pressed(app, "Play")
    assert "2 other races are running on this server" in shown(app)
    for other in others:
        worker.stop(other)
    app = pressed(app.run(), "Play")
    assert "other races" not in shown(app)
    pressed(app, "Pause")


@pytest.mark.parametrize("length", ["0", "10000", "-4", "nan", "<b>"])
def test_a_length_that_is_not_there_is_named(page: Page, length: str) -> None:
    app = page(PAGE, view="live", task="adding", length=length, cell="gru")
    assert not app.exception
    assert "The link sets length" in shown(app)
    assert app.selectbox(key="toy_length").value == "30"


def test_no_network_is_one_sentence(page: Page) -> None:
    app = page(PAGE, view="live", **SMALL)
    app.multiselect(key="toy_cells").set_value([]).run()
    assert not app.exception
    assert "Choose at least one network" in shown(app)


def test_a_link_says_what_is_chosen(page: Page) -> None:
    app = ready(
        page(PAGE, view="live", task="copy-memory", length="5", cell=["tcn"], rate="0.005", seed="4", look="tcn")
    )
    assert not app.exception
    assert race_of(app).settings == ToySettings(5, 1000, 0.005, 4)
    assert "Temporal convolutional network" in figure(app, 1)["caption"]


@pytest.mark.parametrize("task", toy_tasks())
def test_committed_curves_are_drawn_with_chance(page: Page, task: str) -> None:
    app = page(PAGE, view="curves", task=task)
    assert not app.exception
    stored, one = read_curves(task), toy_tasks()[task]
    drawn = figure(app)["figure"]["data"]
    assert one.facts.without in [trace.get("name") for trace in drawn]
    assert {trace.get("name") for trace in drawn} >= set(stored.networks.values())
    assert f"{stored.steps:,} steps" in shown(app).replace("\\", "")
    assert list(app.dataframe[0].value["Network"]) == list(stored.networks.values())
    if one.tested:
        gru = next(trace for trace in drawn if trace.get("name") == "GRU")
        expected = [stored.mean("gru", length).error for length in one.tested]
        np.testing.assert_allclose(numbers(gru["y"]), expected)


def test_a_race_that_was_left_before_it_was_built_is_built(page: Page, worker: RaceWorker) -> None:
    app = ready(page(PAGE, view="live", **SMALL))
    race = Race(toy_tasks()["binary-addition"], race_of(app).names, race_of(app).settings)
    app.session_state["toy race"] = (app.session_state["toy race"][0], race)
    assert not worker.is_going(race)
    assert ready(app.run())
    assert race_of(app) is race
