"""The page Recurrent networks with three classes: each view follows a chosen class, or the predicted one."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.inspection.memory import read_memory
from nlpviz.analysis.inspection.prediction import probabilities
from nlpviz.analysis.inspection.state_path import state_path
from nlpviz.analysis.inspection.states import read_states
from nlpviz.runs import Run, TrainedModel, open_run
from nlpviz.runs.dynamics import DYNAMICS
from tests import three
from tests.pages.conftest import Page, figure, numbers, shown

NAME, TEXT = "three-recurrent", "the film was splendid and then middling in town"
CHOSEN = "dull.bad"


@pytest.fixture
def network(three_recurrent: Path, monkeypatch: pytest.MonkeyPatch) -> TrainedModel:
    """The network of three classes, the only run there is."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(three_recurrent))
    return open_run(NAME).load()


def opened(page: Page, view: str, text: str = TEXT, **address: str) -> AppTest:
    app = page("Recurrent networks", view=view, run=NAME, **address)
    assert not app.exception
    app = app.text_area[0].set_value(text).run()
    assert not app.exception
    assert not app.error
    return app


def named(app: AppTest, name: str) -> dict[str, Any]:
    """Return what the browser gets of the figure whose files are called ``…-name``."""
    position = 0
    while not (payload := figure(app, position))["name"].endswith(f"-{name}"):
        position += 1
    return payload


@pytest.mark.parametrize("view", ["gates", "memory", "states"])
def test_the_likeliest_classes_stand_first(page: Page, network: TrainedModel, view: str) -> None:
    app = opened(page, view)
    shares = probabilities(network, TEXT)
    order = np.argsort(-shares)
    said = app.selectbox(key="target").options
    assert said[0] == f"predicted · {three.CLASSES[order[0]]}"
    assert said[1:] == [f"{three.CLASSES[one]} · {shares[one]:.1%}" for one in order]


def test_another_text_keeps_the_chosen_class(page: Page, network: TrainedModel) -> None:
    app = opened(page, "gates", target=CHOSEN)
    assert "P(dull.bad)" in named(app, "running-prediction")["figure"]["layout"]["yaxis"]["title"]["text"]
    app = app.text_area[0].set_value("a dreadful film").run()
    assert app.selectbox(key="target").value == CHOSEN
    assert app.selectbox(key="target").options[1].startswith("dull.bad · ")
    assert app.query_params["target"] == CHOSEN
    assert read_states(network, "a dreadful film").predicted == 0


@pytest.mark.parametrize("target", [None, CHOSEN])
def test_gates_follow_the_class(page: Page, network: TrainedModel, target: str | None) -> None:
    app = opened(page, "gates", **{} if target is None else {"target": target})
    states = read_states(network, TEXT)
    followed = states.predicted if target is None else 0
    line = named(app, "running-prediction")["figure"]
    np.testing.assert_allclose(numbers(line["data"][0]["y"]), states.after[:, followed], atol=1e-6)
    assert line["layout"]["shapes"][0]["y0"] == pytest.approx(1 / 3)
    said = shown(app).replace("\\", "")
    assert re.search(rf"Largest change: .* to \d+% {three.CLASSES[followed]}\.", said)
    largest = int(np.abs(np.diff(states.after[:, followed])).argmax()) + 1
    assert app.selectbox(key="at").options[0] == f"{largest + 1} {TEXT.split()[largest]} · largest change"


@pytest.mark.parametrize("target", [None, CHOSEN])
def test_memory_is_that_of_the_class(page: Page, network: TrainedModel, target: str | None) -> None:
    app = opened(page, "memory", memory="score", **{} if target is None else {"target": target})
    result = read_memory(network, TEXT, target=None if target is None else 0)
    line = named(app, "memory-score")["figure"]
    np.testing.assert_allclose(numbers(line["data"][-1]["y"]), result.score[-1], atol=1e-5)
    assert "logit per unit of the word vector" in line["layout"]["yaxis"]["title"]["text"]
    assert "logit (log₁₀)" in named(app, "memory-replaced")["figure"]["layout"]["yaxis"]["title"]["text"]
    assert f"the class score (logit) of {three.CLASSES[result.target]}" in shown(app)


@pytest.mark.parametrize("target", [None, CHOSEN])
def test_states_follow_the_class(page: Page, network: TrainedModel, target: str | None) -> None:
    app = opened(page, "states", **{} if target is None else {"target": target})
    path = state_path(network, TEXT, None if target is None else 0)
    bars = named(app, "pushes")
    np.testing.assert_allclose(numbers(bars["figure"]["data"][0]["y"]), path.pushes, atol=1e-5)
    words = shown(app)
    assert "mean log-odds go from " in words
    assert "the mean of its log-odds against each other class" in words
    assert "matches the sign of the class score" in words
    assert named(app, "slow-points")["figure"]["data"]
    assert "push without the modifier, mean log-odds" in str(named(app, "modifier")["figure"]["layout"])


@pytest.mark.parametrize("view", ["gates", "memory", "states"])
def test_a_text_without_words_has_classes_too(page: Page, network: TrainedModel, view: str) -> None:
    app = opened(page, view, text="")
    assert len(app.selectbox(key="target").options) == 1 + len(network.run.class_names)


def test_a_survey_of_one_class_alone_is_asked_for_anew(
    page: Page, network: TrainedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = Run.open(shutil.copytree(network.run.folder, tmp_path / NAME))
    (copied.folder / DYNAMICS).unlink()
    copied.save()
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    assert f"python -m nlpviz survey {NAME}" in shown(opened(page, "states", target=CHOSEN))
