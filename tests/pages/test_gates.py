"""The page of gates shows what a network held after each word, and its equations with their numbers."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st
import torch
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.inspection.cell_steps import read_step
from nlpviz.analysis.inspection.gates import read_course
from nlpviz.analysis.inspection.states import read_states
from nlpviz.figures.recurrence.equations import worked
from nlpviz.results.gates import jumps, running, saturation
from nlpviz.results.states import TextStates
from nlpviz.runs import Run, TrainedModel, open_run
from nlpviz.ui.recurrence import gate_answers, gate_choice
from tests.pages.conftest import Page, faults, figure, numbers, said

PAGE = {"name": "Recurrent networks", "view": "gates"}
RECURRENT, QRNN, TCN, SKIP = "toy-recurrent-network", "toy-qrnn", "toy-tcn", "toy-skip-rnn"
TEXT = "the man saw the splendid film of the night and the dreadful book from town"
ODD = {
    "empty": "",
    "white space": " \n\t ",
    "one word": "splendid",
    "two words": "splendid film",
    "unknown words": "qqzzx wvvbt kkq",
    "5,000 words": "the splendid film was dreadful " * 1000,
    "markup": "<script>alert(1)</script><img src=x onerror=alert(1)><b>bold</b> & **stars** $x$ {brace} _t `a`",
    "null byte": "splendid\0film",
    "right to left": "פילם נהדר، فيلم رائع",
}


@pytest.fixture(scope="module")
def folder(toy_classifiers: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of toy runs that read word by word, and one that does not."""
    into = tmp_path_factory.mktemp("recurrent")
    for architecture in ("recurrent-network", "qrnn", "tcn", "skip-rnn", "cnn"):
        made = toy_classifiers(architecture)
        shutil.copytree(made, into / made.name)
    return into


@pytest.fixture
def gates_page(page: Page, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Page:
    """Return what runs a page where these runs are all there are."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    return page


@pytest.fixture
def skipping(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the toy Skip RNN skip words, whatever it learnt."""
    load = Run.load

    @wraps(load)
    def reluctant(run: Run, epoch: int | None = None) -> TrainedModel:
        trained = load(run, epoch)
        if run.name == SKIP:
            cell: Any = trained.module.encoder.onward[0]  # type: ignore[union-attr]
            with torch.no_grad():
                cell.gate_bias.fill_(-0.7)
        return trained

    monkeypatch.setattr(Run, "load", reluctant)
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


def typed(app: AppTest, text: str) -> AppTest:
    return app.text_area[0].set_value(text).run()


def html(app: AppTest) -> str:
    return "".join(str(element.proto.body) for element in app.get("html"))


def named(app: AppTest, name: str) -> dict[str, Any]:
    """Return what the browser gets of the figure whose files are called ``…-name``."""
    position = 0
    while not (payload := figure(app, position))["name"].endswith(f"-{name}"):
        position += 1
    return payload


def held(run: str, text: str = TEXT, epoch: int | None = None) -> TextStates:
    return read_states(open_run(run).load(epoch), text)


def test_prediction_is_drawn_after_every_word(gates_page: Page) -> None:
    app = typed(gates_page(**PAGE, run=RECURRENT), TEXT)
    assert not app.exception
    states = held(RECURRENT)
    line = named(app, "running-prediction")["figure"]["data"][0]
    np.testing.assert_allclose(numbers(line["y"]), states.after[:, 1], atol=1e-6)
    titles = re.findall(r'title="[^"]*?([\d.]+)% positive after this word', html(app))
    assert [float(one) for one in titles] == pytest.approx((100 * states.after[:, 1]).tolist(), abs=0.06)
    (place,) = jumps(running(states, 1), most=1)
    course = running(states, 1)
    change = f"{course[place - 1]:.0%} to {course[place]:.0%}"
    assert f"Largest change: *{TEXT.split()[place]}*, from {change} positive." in said(app)
    assert f"**{states.class_names[states.predicted]}**, {states.probabilities.max():.0%}" in said(app)


@pytest.mark.parametrize("run", [RECURRENT, QRNN, SKIP, TCN])
def test_heatmap_shows_the_chosen_part(gates_page: Page, run: str) -> None:
    states = held(run)
    part = [*states.parts, "hidden state"][0]
    app = typed(gates_page(**PAGE, run=run, part=part if states.parts else ""), TEXT)
    for order in ("clustered", "correlation", "stored"):
        app.selectbox(key="units").set_value(order).run()
        assert not app.exception
        (course,) = read_course([states], part, 0, 1, order)
        cells = named(app, part.replace(" ", "-"))["figure"]["data"][0]
        drawn = numbers(cells["z"]).reshape(states.units, -1)
        np.testing.assert_allclose(drawn, states.values(part)[:, 0].T[course.order], atol=1e-6)
        best = course.ranked[0]
        assert f"**unit {best + 1}** has the {part} that correlates most strongly with the prediction" in said(app)
        assert f"the best |r| is at most {course.by_chance:.2f} in 95% of cases" in said(app)


def test_unit_and_word_are_worked_in_the_cells_equations(gates_page: Page) -> None:
    app = typed(gates_page(**PAGE, run=QRNN), TEXT)
    app = app.selectbox(key="unit").set_value("9").run()
    app = app.selectbox(key="at").set_value("5").run()
    step = read_step(open_run(QRNN).load(), held(QRNN), 4, 0, 8)
    shown_lines = [element.value.strip().strip("$").strip() for element in app.latex]
    for line in worked(step):
        assert line in shown_lines
    assert "and word 5, *splendid*, unit 9 computes" in said(app)
    lines = {trace["name"]: numbers(trace["y"]) for trace in named(app, "unit-9")["figure"]["data"]}
    np.testing.assert_allclose(lines["cell state"], held(QRNN).parts["cell state"][:, 0, 8], atol=1e-6)
    assert (app.query_params["unit"], app.query_params["at"]) == ("9", "5")


@pytest.mark.parametrize(
    ("run", "layer", "told"),
    [
        (
            RECURRENT,
            "1",
            "of the vector of *splendid*, and the number under $h_{t-1} U$ is a sum over the units",
        ),
        (QRNN, "", "a sum over the dimensions of the vector of *splendid*."),
        (TCN, "3", "the last position, which reads the state of the layer below at *splendid*."),
    ],
)
def test_it_says_what_the_numbers_are_sums_of(gates_page: Page, run: str, layer: str, told: str) -> None:
    app = typed(gates_page(**PAGE, run=run, layer=layer), TEXT)
    app = app.selectbox(key="at").set_value("5").run()
    assert told in said(app)
    block = app.latex[-1].value
    assert all(line.replace(" = ", " &= ", 1) in block for line in held(run).formula)


def test_another_text_forgets_the_word_and_keeps_the_unit(gates_page: Page) -> None:
    app = typed(gates_page(**PAGE, run=QRNN), TEXT)
    app = app.selectbox(key="unit").set_value("9").run()
    app = typed(app.selectbox(key="at").set_value("15").run(), "splendid film")
    assert not app.exception
    assert app.selectbox(key="at").value == "largest"
    assert app.selectbox(key="unit").value == "9"


def test_clicks_choose_a_cell_and_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, str] = {}
    monkeypatch.setattr(gate_choice.st, "session_state", session)
    gate_choice.choose_cell("1700023")
    assert session == {"unit": "17", "at": "23"}
    gate_choice.choose_word("4")
    gate_choice.choose_unit("2")
    assert session == {"unit": "2", "at": "4"}


def test_saturated_shares_are_said(gates_page: Page) -> None:
    app = typed(gates_page(**PAGE, run=QRNN), TEXT)
    rows = next(one.value for one in app.table if "Gate" in one.value).to_numpy().tolist()
    assert [row[1:] for row in rows] == [
        [f"{one.mean:.2f}", f"{one.opened.mean():.0%}", f"{one.closed.mean():.0%}"] for one in saturation(held(QRNN))
    ]
    assert "is a small sample" in said(app)
    app = typed(gates_page(**PAGE, run=TCN), TEXT)
    assert "no gates for individual units" in said(app)


def test_epochs_and_runs_stand_side_by_side(gates_page: Page) -> None:
    app = typed(gates_page(**PAGE, run=RECURRENT, epoch=["0", "3"], beside=QRNN), TEXT)
    assert not app.exception
    assert f"Toy qrnn has no {next(iter(held(RECURRENT).parts))} in layer 1" in said(app)
    lines = named(app, "running-prediction")["figure"]["data"]
    own = [trace for trace in lines if trace["name"] != "skipped"]
    called = open_run(RECURRENT).title
    assert [trace["name"] for trace in own][:2] == [f"{called}, epoch 0", f"{called}, epoch 3"]
    assert len(own) == 4
    np.testing.assert_allclose(numbers(own[0]["y"]), held(RECURRENT, epoch=0).after[:, 1], atol=1e-6)
    cells = [trace for trace in named(app, "update-gate")["figure"]["data"] if trace["type"] == "heatmap"]
    assert len(cells) == 2
    assert cells[0]["y"] == cells[1]["y"]


def test_a_run_without_the_unit_is_left_out(gates_page: Page) -> None:
    app = typed(gates_page(**PAGE, run=QRNN, beside=TCN), TEXT)  # of 64 units, and of 32
    app = app.selectbox(key="unit").set_value("50").run()
    assert not app.exception
    assert f"{open_run(TCN).title} has no unit 50, so this run is not shown here" in said(app)
    assert {trace["name"] for trace in named(app, "unit-50")["figure"]["data"]} == {*held(QRNN).parts, "hidden state"}


@pytest.mark.usefixtures("skipping")
def test_a_skipped_word_is_drawn_as_skipped(gates_page: Page) -> None:
    app = typed(gates_page(**PAGE, run=SKIP), TEXT)
    assert not app.exception
    states = held(SKIP)
    read = states.parts["update"][:, 0, 0] == 1
    assert 0 < read.sum() < len(read)
    struck = re.findall(r'data-id="(\d+)" class="[^"]*nlpviz-skipped', html(app))
    assert [int(one) - 1 for one in struck] == np.flatnonzero(~read).tolist()
    assert f"The network read **{read.sum()} of {len(read)}** words" in said(app)


def test_any_text_has_an_answer(gates_page: Page) -> None:
    app = gates_page(**PAGE, run=QRNN, epoch=["0", "3"])
    for name, text in ODD.items():
        assert not faults(typed(app, text)), name
        assert ("No words were read" in said(app)) is (not text.strip()), name


@pytest.mark.ci
@pytest.mark.parametrize("run", [RECURRENT, SKIP, TCN])
def test_any_network_has_an_answer(gates_page: Page, run: str) -> None:
    app = gates_page(**PAGE, run=run)
    for name in ("empty", "one word", "5,000 words"):
        assert not faults(typed(app, ODD[name])), name


@pytest.mark.parametrize(
    ("asked", "named_as"),
    [({"unit": "999"}, "unit"), ({"layer": "7"}, "layer"), ({"at": "77"}, "at"), ({"part": "x"}, "part")],
)
def test_what_is_not_there_is_named(gates_page: Page, asked: dict[str, str], named_as: str) -> None:
    app = gates_page(**PAGE, run=RECURRENT, text="not-bad", **asked)
    assert not app.exception
    assert f"The link sets {named_as} to {next(iter(asked.values()))}, which does not exist" in said(app)


def test_runs_that_do_not_read_word_by_word_are_listed_with_the_reason(gates_page: Page) -> None:
    app = gates_page(**PAGE)
    lacking = [one.endswith("(no state after each word)") for one in app.selectbox(key="run").options]
    assert lacking == sorted(lacking), "last"
    assert lacking.count(False) == 4
    assert "Toy cnn (no state after each word)" in app.selectbox(key="run").options
    assert "Toy cnn" not in app.selectbox(key="beside").options


def test_how_a_course_is_told() -> None:
    states = held_course([0.4, 0.6, 0.3, 0.9])
    told, pieces = gate_answers.course_told(states, 1)
    assert told.startswith("The predicted class changes 3 times, the last time at *{turned}* (word 4)")
    assert pieces["turned"] == "d"
    told, _ = gate_answers.course_told(held_course([0.6, 0.62, 0.7]), 1)
    assert told == "The predicted class is the same after every word."
    assert gate_answers.course_told(held_course([]), 1) == ("No words were read.", {})


def held_course(positive: list[float]) -> TextStates:
    """Return made-up states of a text of the words a, b, c … with this running prediction."""
    from nlpviz.text.vocabulary import EncodedText, Token

    count = len(positive)
    after = np.array([[1 - one, one] for one in positive], dtype=np.float32).reshape(count, 2)
    tokens = tuple(Token("abcdefgh"[place], 2 * place, 2 * place + 1) for place in range(count))
    text = EncodedText("a b c d e f g h", tokens, np.arange(count) + 2, 9)
    whole = after[-1] if count else np.array([0.5, 0.5], dtype=np.float32)
    return TextStates("toy", 1, text, ("negative", "positive"), whole, after, np.zeros((count, 1, 2), np.float32))
