"""``states`` on toy runs that read word by word."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.inspection import dynamics_survey
from nlpviz.analysis.inspection.dynamics_survey import survey_dynamics
from nlpviz.analysis.inspection.state_path import state_path
from nlpviz.runs import Run, open_run
from nlpviz.runs.dynamics import dynamics_of
from tests import toy
from tests.unit.conftest import Printed

RUN, TEXT = "toy-recurrent-network", "The film was splendid and the music too"


@pytest.fixture(autouse=True)
def runs(toy_classifiers: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A toy run that reads word by word, and one that does not, in the place of ``trained/``."""
    for name in ("recurrent-network", "cnn"):
        shutil.copytree(toy_classifiers(name), tmp_path / f"toy-{name}")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    return tmp_path


def test_json_holds_every_push(printed: Printed) -> None:
    facts = printed.json("states", RUN, "--text", TEXT)
    path = state_path(open_run(RUN).load(), TEXT)
    pushes = [token["push"] for token in facts["tokens"]]
    assert pushes == pytest.approx(path.pushes.tolist())
    assert facts["bias"] + sum(pushes) == pytest.approx(facts["score"])
    assert all(TEXT[token["start"] : token["end"]].lower() == token["word"] for token in facts["tokens"])
    last = facts["tokens"][-1]
    assert last["probability"] == pytest.approx(1 / (1 + np.exp(-facts["score"])), abs=1e-5)


def test_words_say_what_pushed_most(printed: Printed) -> None:
    said = printed("states", RUN, "--text", TEXT, "--epoch", "1").splitlines()
    assert "(epoch 1)" in said[0]
    assert '"splendid", word 4' in said[1]
    assert "No words were read" in printed("states", RUN, "--text", " ")


def test_what_has_no_states_is_refused(printed: Printed) -> None:
    assert "Choose a recurrent network" in printed.refused("states", "toy-cnn", "--text", TEXT)
    assert "python -m nlpviz survey toy-recurrent-network" in printed.refused("states", RUN, "--corpus")


def test_the_corpus_is_told_from_what_is_kept(printed: Printed, runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"WALKED": 6, "STEPS": 30}.items():
        monkeypatch.setattr(dynamics_survey, name, value)
    texts = toy.read("test")
    run = survey_dynamics(Run.open(runs / RUN), texts.texts[:20], texts.labels[:20])
    facts = printed.json("states", RUN, "--corpus")
    kept = dynamics_of(run, run.best_epoch)
    assert [one["input"] for one in facts["slow_points"]] == ["mean", "zero"]
    assert facts["slow_points"][0]["speeds"] == pytest.approx(kept.slow[0].speeds.tolist())
    assert facts["modifiers"] is None  # the toy corpus has none of these words
    assert facts["documents"] == 20
    said = printed("states", RUN, "--corpus", "--epoch", "0")
    assert "(epoch 0), 20 test documents" in said
    assert "from 6 starting points" in said
