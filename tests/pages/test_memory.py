"""The view Memory on toy networks that read word by word, and what it says where there is little to say."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.inspection.clipping import descend
from nlpviz.analysis.inspection.memory import read_memory
from nlpviz.analysis.inspection.replaced import replace_words
from nlpviz.results.replaced_words import parting
from nlpviz.runs import open_run
from tests.pages.conftest import Page, figure, numbers, shown

PAGE = {"name": "Recurrent networks", "view": "memory"}
RNN, QRNN, TCN, SKIP = "toy-recurrent-network", "toy-qrnn", "toy-tcn", "toy-skip-rnn"
TEXT = "there was a splendid film in the town and the man was dreadful"
ODD = {
    "empty": "",
    "one word": "splendid",
    "unknown words": "qqzzx wvvbt kkq",
    "5,000 words": "the splendid film of the year " * 834,
    "markup": "<script>alert(1)</script><b>bold</b> & **stars** $x$ {brace} | `tick`",
    "right to left": "פילם נהדר، فيلم رائع",
    "one word again and again": "film film film film",
}


@pytest.fixture(scope="session")
def toy_recurrent(tmp_path_factory: pytest.TempPathFactory, toy_classifiers: Callable[[str], Path]) -> Path:
    """A folder with toy runs of networks that read word by word, and one that does not."""
    folder = tmp_path_factory.mktemp("recurrent")
    for name in (RNN, QRNN, TCN, SKIP, "toy-cnn"):
        (folder / name).symlink_to(toy_classifiers(name.removeprefix("toy-")))
    return folder


@pytest.fixture
def memory_page(page: Page, monkeypatch: pytest.MonkeyPatch, toy_recurrent: Path) -> Page:
    """Return what runs a page where these are all the runs there are."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_recurrent))
    return page


def typed(app: AppTest, text: str) -> AppTest:
    return app.text_area[0].set_value(text).run()


def named(app: AppTest, part: str) -> dict[str, Any]:
    """Return what the browser gets of the figure whose files are called so."""
    position = 0
    while part not in (payload := figure(app, position))["name"]:
        position += 1
    return payload


def unescaped(markdown: str) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


@pytest.mark.parametrize("run", [RNN, QRNN, SKIP])
def test_the_gain_is_drawn_for_each_epoch(memory_page: Page, run: str) -> None:
    app = typed(memory_page(**PAGE, run=run), TEXT)
    assert not app.exception
    kept = open_run(run)
    lines = {line["name"]: line for line in named(app, "memory-state")["figure"]["data"]}
    for epoch in (0, kept.best_epoch):
        result = read_memory(kept.load(epoch), TEXT)
        assert result.last is not None
        np.testing.assert_allclose(numbers(lines[f"Epoch {epoch}"]["y"]), result.last, atol=1e-5)
    assert any(name.endswith("most persistent unit") for name in lines)
    assert len(named(app, "memory-matrix-state")["figure"]["data"]) == 2


def test_the_score_is_drawn_and_a_convolution_has_nothing_else(memory_page: Page) -> None:
    app = typed(memory_page(**PAGE, run=TCN), TEXT)
    assert "has no recurrent state" in shown(app)
    kept = open_run(TCN)
    result = read_memory(kept.load(), TEXT)
    lines = named(app, "memory-score")["figure"]["data"]
    np.testing.assert_allclose(numbers(lines[-1]["y"]), result.score[-1], atol=1e-5)
    asked = typed(memory_page(**PAGE, run=RNN, memory="score"), TEXT)
    assert "has no recurrent state" not in shown(asked)
    assert named(asked, "memory-score")
    table = next(one.value for one in asked.table if "Words remembered" in one.value)
    assert "First word: share of the largest gradient" in table


def test_cells_stand_in_one_figure(memory_page: Page) -> None:
    app = typed(memory_page(**PAGE, run=RNN, cells="all", epoch="0", beside=QRNN), TEXT)
    names = {line["name"] for line in named(app, "memory-state")["figure"]["data"]}
    assert {f"{open_run(name).title}, epoch 0" for name in (RNN, QRNN)} <= names
    assert any(name.startswith(open_run(SKIP).title) for name in names)
    assert not any(name.startswith(open_run(TCN).title) for name in names)  # it has no state
    assert len(named(app, "memory-matrix-state")["figure"]["data"]) == 2  # of those chosen above


def test_gradient_and_measurement_are_compared(memory_page: Page) -> None:
    app = typed(memory_page(**PAGE, run=RNN), TEXT)
    model = open_run(RNN).load()
    memory, replaced = read_memory(model, TEXT), replace_words(model, TEXT)
    found = parting(memory, replaced)
    assert found.correlation is not None
    assert f"**{found.correlation:+.2f}**".replace("-", "−") in unescaped(shown(app))
    assert found.over is not None
    words = (
        f"*{memory.text.read[found.over].word}* (rank {found.ranks[0]} by gradient, {found.ranks[1]} by replacement)"
    )
    assert words in unescaped(shown(app))


def test_the_wall_has_its_settings_in_the_address(memory_page: Page) -> None:
    app = memory_page(**PAGE, run=RNN, start="below", rate="0.3", threshold="1")
    drawn = named(app, "clipping-rate-0.3-threshold-1")["figure"]["data"]
    free, clipped = descend((5.5, -3.0), 0.3, None), descend((5.5, -3.0), 0.3, 1.0)
    np.testing.assert_allclose(numbers(drawn[1]["x"]), free.points[:, 0])
    np.testing.assert_allclose(numbers(drawn[3]["y"]), clipped.points[:, 1])
    assert "the longest of 60 steps has length" in shown(app)
    assert "With clipping at 1, no step is longer than 0.3" in unescaped(shown(app))
    app = app.selectbox(key="threshold").set_value("10").run()
    assert "10" in app.query_params["threshold"]
    norms = named(app, "gradient-norms")
    assert ", without clipping." in shown(app)
    assert len(norms["figure"]["data"]) == 1


@pytest.mark.ci
@pytest.mark.parametrize("run", [RNN, TCN])
def test_any_text_is_answered(memory_page: Page, run: str) -> None:
    app = memory_page(**PAGE, run=run)
    for name, text in ODD.items():
        app = typed(app, text)
        assert not app.exception, name
        assert not app.error, name
        assert named(app, "clipping"), name
        if name in ("empty", "one word"):
            assert "fewer than two words" in shown(app), name
        else:
            assert named(app, "memory-replaced"), name


def test_networks_that_do_not_read_in_one_direction_are_not_offered(memory_page: Page) -> None:
    app = memory_page(**PAGE, run="toy-cnn")
    assert "toy-cnn" not in app.selectbox(key="run").options
    assert len(app.warning) == 1
