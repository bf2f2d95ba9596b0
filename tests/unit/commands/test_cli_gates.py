"""``gates`` on toy runs that read word by word."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.inspection.states import read_states
from nlpviz.results.gates import saturation
from nlpviz.runs import open_run
from tests.unit.conftest import Printed

ARCHITECTURES = ("recurrent-network", "skip-rnn", "qrnn", "tcn")
TEXT = "the man saw the splendid film in town"


@pytest.fixture(autouse=True)
def runs(toy_classifiers: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy runs stand in the place of ``trained/``."""
    for architecture in (*ARCHITECTURES, "cnn"):
        made = toy_classifiers(architecture)
        shutil.copytree(made, tmp_path / made.name)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_json_holds_predictions_and_gates(printed: Printed, architecture: str) -> None:
    run = f"toy-{architecture}"
    facts = printed.json("gates", run, "--text", TEXT)
    states = read_states(open_run(run).load(), TEXT)
    assert [token["word"] for token in facts["tokens"]] == TEXT.split()
    assert [token["after"]["positive"] for token in facts["tokens"]] == pytest.approx(states.after[:, 1].tolist())
    assert facts["probabilities"] == pytest.approx(facts["tokens"][-1]["after"])
    assert [layer["layer"] for layer in facts["layers"]] == list(range(1, states.layers + 1))
    for number, layer in enumerate(facts["layers"]):
        assert list(layer["parts"]) == [*states.parts, "hidden state"]
        for name, values in layer["parts"].items():
            np.testing.assert_allclose(np.array(values), states.values(name)[:, number], atol=1e-6)
        for one in saturation(states):
            if one.layer == number:
                assert layer["saturation"][one.gate]["open"] == pytest.approx(one.opened.mean())
    assert ("skipped" in facts["layers"][0]) is (architecture == "skip-rnn")


def test_one_unit_of_one_layer_at_one_epoch(printed: Printed) -> None:
    facts = printed.json("gates", "toy-tcn", "--text", TEXT, "--unit", "3", "--layer", "2", "--epoch", "0")
    states = read_states(open_run("toy-tcn").load(0), TEXT)
    (layer,) = facts["layers"]
    assert (facts["epoch"], layer["layer"], layer["unit"]) == (0, 2, 3)
    np.testing.assert_allclose(layer["parts"]["hidden state"], states.states[:, 1, 2], atol=1e-6)


def test_a_table_is_read_by_people(printed: Printed) -> None:
    lines = printed("gates", "toy-qrnn", "--text", TEXT).splitlines()
    states = read_states(open_run("toy-qrnn").load(), TEXT)
    assert lines[0].startswith(f"{states.class_names[states.predicted]} {states.probabilities.max():.1%} (epoch")
    assert "forget gate" in lines[1]
    for line, word, after, gates in zip(
        lines[2:], TEXT.split(), states.after[:, 1], states.parts["forget gate"][:, 0], strict=False
    ):
        assert line.split()[:3] == [word, f"{after:.1%}", f"{gates.mean():.3f}"]
    assert len(lines) == 2 + len(TEXT.split()) + 2, "and a line for each gate"
    one = printed("gates", "toy-qrnn", "--text", TEXT, "--unit", "5").splitlines()
    assert "unit 5" in one[1]
    assert one[2].split()[2] == f"{states.parts['forget gate'][0, 0, 4]:.3f}"


def test_files_of_texts(printed: Printed, tmp_path: Path) -> None:
    file = tmp_path / "texts"
    file.write_text("a splendid film\n\n<script>qqzzx</script> فيلم رائع\n" + "the film " * 2500, encoding="utf-8")
    facts = printed.json("gates", "toy-tcn", "--file", str(file))
    assert [len(one["tokens"]) for one in facts[:2]] == [3, 0]
    assert facts[1]["layers"][0]["parts"]["hidden state"] == []
    assert sum(token["after"] is not None for token in facts[3]["tokens"]) == 20
    assert "no words were read" in printed("gates", "toy-skip-rnn", "--text", "")
    assert "read 3 of 3 words" in printed("gates", "toy-skip-rnn", "--text", "a splendid film", "--epoch", "0")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("toy-qrnn", "--text", TEXT, "--unit", "99"), "The network of 'toy-qrnn' has no unit 99; available: 1 to 64."),
        (("toy-tcn", "--text", TEXT, "--layer", "5"), "The network of 'toy-tcn' has no layer 5; available: 1 to 4."),
        (("toy-recurrent-network", "--text", "", "--layer", "2"), "has no layer 2"),
        (("toy-cnn", "--text", TEXT), "The run 'toy-cnn' has no gates. Choose a recurrent network."),
        (("toy-qrnn", "--text", TEXT, "--epoch", "77"), "77"),
    ],
)
def test_what_is_not_there_is_named(printed: Printed, arguments: tuple[str, ...], said: str) -> None:
    assert said in printed.refused("gates", *arguments)
