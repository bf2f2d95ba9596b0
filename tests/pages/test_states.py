"""The view States: paths of any text, at any epoch of any network that reads word by word, surveyed or not."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.inspection import dynamics_survey, modifiers
from nlpviz.analysis.inspection.dynamics_survey import survey_dynamics
from nlpviz.analysis.inspection.state_path import state_path
from nlpviz.figures.numbers import number
from nlpviz.runs import Run, open_run
from nlpviz.runs.dynamics import dynamics_of
from tests import toy
from tests.pages.conftest import Page, faults, figure, numbers, shown

PAGE = {"name": "Recurrent networks", "view": "states"}
RUN, QRNN, TCN, SKIP = "toy-recurrent-network", "toy-qrnn", "toy-tcn", "toy-skip-rnn"
TEXT = "the film was splendid and the music dreadful"
ODD = {
    "empty": "",
    "one word": "splendid",
    "unknown words": "qqzzx wvvbt kkq",
    "5,000 words": "the splendid film " * 1667,
    "markup": "<script>alert(1)</script><b>bold</b> & **stars** $x$ {brace}",
    "right to left": "פילם נהדר، فيلم رائع",
}


@pytest.fixture(scope="module")
def folder(toy_classifiers: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of toy runs that read word by word, the dynamics of three of them measured; nobody writes into it."""
    made = tmp_path_factory.mktemp("states")
    texts = toy.read("test")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"WALKED": 6, "STEPS": 30}.items():
            patch.setattr(dynamics_survey, name, value)
        patch.setattr(modifiers, "VALENCE", (*toy.PLANTED, "film", "music"))
        patch.setattr(modifiers, "MODIFIERS", ("was", "the"))
        for name in (RUN, QRNN, TCN, SKIP):
            shutil.copytree(toy_classifiers(name.removeprefix("toy-")), made / name)
            if name != QRNN:
                survey_dynamics(Run.open(made / name), texts.texts[:20], texts.labels[:20])
    return made


@pytest.fixture
def states(page: Page, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Callable[..., AppTest]:
    """Return what runs the view on the toy runs, with parameters in its address."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))

    def run(text: str | None = TEXT, **address: str | list[str]) -> AppTest:
        app = page(**PAGE, **address)
        return app if text is None else app.text_area[0].set_value(text).run()

    return run


def names(app: AppTest) -> list[str]:
    """Return what the files of the page's figures are called."""
    result = []
    while True:
        try:
            result.append(figure(app, len(result))["name"])
        except IndexError:
            return result


@pytest.mark.parametrize("run", [RUN, QRNN, TCN, SKIP])
def test_each_network_has_its_path_and_its_pushes(states: Callable[..., AppTest], run: str) -> None:
    app = states(run=run)
    assert not app.exception
    path = state_path(open_run(run).load(), TEXT)
    word = path.text.read[path.strongest(1)[0]].word
    assert f"Largest push: *{word}*, {number(float(path.pushes[path.strongest(1)[0]]))}." in shown(app).replace(
        "\\", ""
    )
    drawn = names(app)
    assert drawn[0].endswith("state-path")
    assert drawn[1].endswith("pushes")
    assert any(name.endswith("slow-points") for name in drawn) == (run in (RUN, SKIP))
    assert any(name.endswith("modifiers") for name in drawn) == (run in (RUN, SKIP))


def test_without_a_survey_the_page_says_how_to_make_one(states: Callable[..., AppTest]) -> None:
    said = shown(states(run=QRNN))
    for what in (
        "The movement of the state over the test documents",
        "Where the state settles",
        "The effect of modifiers",
    ):
        assert what in said
    assert f"`python -m nlpviz survey {QRNN}`" in said
    assert "this text’s own states" in said


def test_a_convolution_has_no_fixed_points(states: Callable[..., AppTest]) -> None:
    said = shown(states(run=TCN))
    assert "fixed points are undefined" in said
    assert "of 20 test documents" in said


@pytest.mark.ci
@pytest.mark.parametrize("run", [RUN, QRNN])
def test_any_text_has_its_view(states: Callable[..., AppTest], run: str) -> None:
    app = states(None, run=run)
    for name, text in ODD.items():
        assert not faults(app.text_area[0].set_value(text).run()), name
        assert "<script" not in str([figure(app, at)["figure"] for at in range(len(names(app)))]), name


def test_epochs_and_runs_stand_side_by_side(states: Callable[..., AppTest]) -> None:
    best = str(open_run(RUN).best_epoch)
    app = states(run=RUN, epoch=["0", best], beside=TCN, plane="score")
    assert not app.exception
    table = {column["heading"]: column["column"] for column in figure(app)["table"]}
    assert set(table["run"]) == {RUN, TCN}
    assert len(table["run"]) == 4 * len(TEXT.split())


def test_a_chosen_word_stands_out_and_is_said(states: Callable[..., AppTest]) -> None:
    app = states(None, run=RUN, token="2")
    assert "Word 2, *" in shown(app)
    assert "token" in app.query_params
    assert "999" in shown(states(None, run=RUN, token="999"))


def test_a_typed_modifier_is_asked_live(states: Callable[..., AppTest]) -> None:
    app = states(run=RUN, modifier="city")
    run = open_run(RUN)
    kept = dynamics_of(run, run.best_epoch)
    assert kept.contexts is not None
    assert kept.modifiers is not None
    pushes = modifiers.pushes(run.load(), kept.contexts, 1, kept.modifiers.words, "city")
    position = next(at for at, name in enumerate(names(app)) if name.endswith("-modifier"))
    table = {column["heading"]: column["column"] for column in figure(app, position)["table"]}
    assert np.allclose(numbers(table["push with the modifier"]), pushes, atol=1e-6)


def test_what_is_not_a_known_word_is_told(states: Callable[..., AppTest]) -> None:
    app = states(run=RUN)
    for typed in ("", "not at all", "unheard-of", "<b>"):
        app.text_input("modifier").set_value(typed).run()
        assert not app.exception, typed
        assert "instead" in shown(app), typed
