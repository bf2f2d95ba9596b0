"""The view Training dynamics on the toy run: the map, one text's story, suspects, and what is said where nothing is."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from nlpviz.results.cartography import Cartography
from nlpviz.results.planted import RANKINGS, PlantedFlips
from nlpviz.results.training_log import Role
from nlpviz.runs import open_run
from nlpviz.runs.planted import write_planted
from nlpviz.runs.training_log import TRAINING_LOG, training_log
from nlpviz.ui.documents.dynamics import LOOP, PICKED
from tests.pages.conftest import Page, figure, shown

VIEW = {"view": "training-dynamics", "run": "toy-cnn"}


@pytest.fixture(autouse=True)
def trained(toy_trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the toy runs in the place of ``trained/``."""
    import shutil

    folder = tmp_path / "trained"
    shutil.copytree(toy_trained, folder)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    return folder


def found(part: Role = Role.TRAINED) -> Cartography:
    return Cartography.of(training_log(open_run("toy-cnn")).of(part))


def names(said: str, identifier: str) -> bool:
    """Return whether a document is told of: by its id alone, or by its first words where its corpus is there."""
    return bool(re.search(rf"{identifier}\)?, labelled ", said))


def test_every_document_is_on_the_map_and_the_most_suspect_one_is_told_of(page: Page) -> None:
    app = page("Explore", **VIEW, planted="open")
    assert not app.exception
    drawn = figure(app)["figure"]["data"]
    assert sum(len(trace["customdata"]) for trace in drawn if trace.get("customdata")) == 180
    said, expected = shown(app).replace("\\", ""), found()
    worst = expected.suspects[0]
    assert names(said, expected.log.ids[worst])
    assert "It is the single most suspect" in said
    assert f"**{(expected.correctness == 1).mean():.0%}** of 180 texts are predicted correctly throughout" in said
    assert f"**{(expected.forgotten > 0).sum()}** are forgotten at least once" in said
    assert f"{expected.confidence[worst]:.3f}" in said, "the worked example has its numbers"
    assert "python -m nlpviz plant toy-cnn" in said
    assert "document" not in app.query_params


def test_a_click_tells_another_story_which_the_address_holds(page: Page) -> None:
    app = page("Explore", **VIEW)
    other = found().log.ids[7]
    app.session_state[PICKED] = other
    app.run()
    assert names(shown(app).replace("\\", ""), other)
    assert other in app.query_params["document"]
    again = page("Explore", **VIEW, document=other)
    assert names(shown(again).replace("\\", ""), other)


@pytest.mark.parametrize("color", ["learnt", "label", "length"])
def test_other_documents_and_colours(page: Page, color: str) -> None:
    app = page("Explore", **VIEW, part="test", dynamics_color=color)
    assert not app.exception
    drawn = figure(app)["figure"]["data"]
    assert sum(len(trace["customdata"]) for trace in drawn if trace.get("customdata")) == 90
    assert "(test set)" in shown(app)


def test_a_run_without_a_log_says_what_makes_one(page: Page, trained: Path) -> None:
    (trained / "toy-cnn" / TRAINING_LOG).unlink()
    open_run("toy-cnn").save()
    app = page("Explore", **VIEW)
    assert not app.exception
    assert "`python -m nlpviz survey toy-cnn` creates a log of its stored epochs" in shown(app)


def test_planted_flips_are_told_with_their_intervals(page: Page) -> None:
    ranks = {name: np.arange(12, dtype=np.int32) + (0 if name == "confidence" else 100) for name in RANKINGS}
    ids = tuple(f"train/{number}" for number in range(12))
    flips = PlantedFlips("toy-cnn", 12 / 180, 5, 180, (0.5, 1.0), 0.9, ids, ranks)
    write_planted(open_run("toy-cnn"), flips)
    app = page("Explore", **VIEW, planted="open")
    said = shown(app).replace("\\", "")
    interval = flips.found("confidence").interval
    assert "contain **100%** of 12 deliberately flipped labels" in said
    assert "+100.0 percentage points" in said
    table = next(one.value for one in app.table if "Ranking" in one.value)
    assert table.iloc[0, 1:].tolist() == ["100.0%", f"{interval.low:.1%} to {interval.high:.1%}"]
    assert table.iloc[table["Ranking"].tolist().index("Loss at the end"), 1] == "0.0%"
    assert "`python -m nlpviz plant toy-cnn --share 0.0666667 --seed 5 --epochs 1 --moments 2`" in said


def test_three_classes_have_their_map_as_well(page: Page, three_trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(three_trained))
    app = page("Explore", view="training-dynamics", run="three-cnn", dynamics_color="label", part="held-out")
    assert not app.exception
    assert len([trace for trace in figure(app)["figure"]["data"] if trace.get("customdata")]) == 3
    assert "(validation set)" in shown(app)


def test_a_loop_lists_what_lies_inside_and_stands_in_the_address(page: Page) -> None:
    app = page("Explore", **VIEW)
    assert "Draw a loop around points on the map" in shown(app)
    expected = found()
    app.session_state[LOOP] = "-1,-1 2,-1 2,2 -1,2"
    app.run()
    assert not app.exception
    said = shown(app).replace("\\", "")
    assert f"Inside the loop: **{len(expected.confidence)}** of {len(expected.confidence)}" in said
    assert "-1,-1 2,-1 2,2 -1,2" in app.query_params["loop"]
    empty = page("Explore", **VIEW, loop="5,5 6,5 6,6")
    assert "lies inside the loop. Draw it around some points" in shown(empty)
    assert "The loop in this link is invalid" in shown(page("Explore", **VIEW, loop="1,2 drop"))
    for third in ("easy", "ambiguous", "hard"):
        assert f"**{-(-len(expected.confidence) // 3)}** of" in shown(page("Explore", **VIEW, listed=third))


def test_other_trainings_are_asked_whom_they_doubt(page: Page, trained: Path) -> None:
    import shutil

    assert "the only run on this corpus with a training log" in shown(page("Explore", **VIEW, together="open"))
    shutil.copytree(trained / "toy-cnn", trained / "toy-again")
    app = page("Explore", **VIEW, together="open")
    assert not app.exception
    said = shown(app).replace("\\", "")
    assert "of 180 texts were never correct in any of 2 runs" in said
    assert re.search("rank them most similarly \\(Spearman’s correlation \\+1.00\\)", said)
    assert not isinstance(app.session_state["together"], str), "the figure of that name keeps its own state"
    matrix = next(one for at in range(9) if (one := figure(app, at))["name"] == "learnt-together")
    assert matrix["figure"]["data"][1]["text"] == ["1.00"]
