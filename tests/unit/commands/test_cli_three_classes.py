"""Commands on a network of three classes that reads word by word: each follows one class."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpviz.analysis.inspection.memory import read_memory
from nlpviz.analysis.inspection.state_path import state_path
from nlpviz.analysis.inspection.states import read_states
from nlpviz.runs import TrainedModel, open_run
from nlpviz.runs.dynamics import dynamics_of
from tests import three
from tests.unit.conftest import Printed

RUN, TEXT = "three-recurrent", "the film was splendid and then middling in town"
CHOSEN = three.CLASSES.index("dull.bad")


@pytest.fixture
def network(three_recurrent: Path, monkeypatch: pytest.MonkeyPatch) -> TrainedModel:
    """The network, in the place of ``trained/``."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(three_recurrent))
    return open_run(RUN).load()


@pytest.mark.parametrize("target", [None, CHOSEN])
def test_a_class_is_followed_the_predicted_one_or_another(
    printed: Printed, network: TrainedModel, target: int | None
) -> None:
    asked = [] if target is None else ["--target", three.CLASSES[target]]
    states = read_states(network, TEXT)
    followed = states.predicted if target is None else target
    name = three.CLASSES[followed]
    assert printed.json("gates", RUN, "--text", TEXT, *asked)["class"] == name
    lines = printed("gates", RUN, "--text", TEXT, *asked).splitlines()
    assert f"P({name})" in lines[1]
    assert f"{states.after[0, followed]:.1%}" in lines[2]
    facts = printed.json("memory", RUN, "--text", TEXT, *asked)
    assert facts["score_of"] == name
    result = read_memory(network, TEXT, target=followed)
    assert facts["tokens"][0]["log10_gradient"] == pytest.approx(float(result.score[-1, 0]), abs=1e-4)
    assert f"score: logit of {name}" in printed("memory", RUN, "--text", TEXT, *asked)
    facts = printed.json("states", RUN, "--text", TEXT, *asked)
    assert facts["class"] == name
    assert facts["score"] == pytest.approx(state_path(network, TEXT, followed).scores[-1])
    assert printed("states", RUN, "--text", TEXT, *asked).startswith(f"Mean log-odds of {name} ")


def test_the_corpus_is_told_for_a_class(printed: Printed, network: TrainedModel) -> None:
    for target, name in enumerate(three.CLASSES):
        facts = printed.json("states", RUN, "--corpus", "--target", name)
        kept = dynamics_of(network.run, network.run.best_epoch, target)
        assert facts["class"] == name
        assert facts["slow_points"][0]["scores"] == pytest.approx(kept.slow[0].scores.tolist())
    assert printed.json("states", RUN, "--corpus")["class"] == three.CLASSES[-1]


def test_a_class_that_is_not_there_is_named(printed: Printed, network: TrainedModel) -> None:
    for command in ("gates", "memory", "states"):
        assert "no class 'good'" in printed.refused(command, network.run.name, "--text", TEXT, "--target", "good")
