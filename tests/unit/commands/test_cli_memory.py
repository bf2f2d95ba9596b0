"""``memory`` on toy runs that read word by word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.inspection.memory import read_memory
from nlpviz.analysis.inspection.replaced import replace_words
from nlpviz.runs import open_run
from tests.unit.conftest import Printed

TEXT = "There is a splendid film."
NAMES = {name: f"toy-{name}" for name in ("recurrent-network", "qrnn", "tcn", "cnn")}


@pytest.fixture
def runs(toy_classifiers: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy runs stand in the place of ``trained/``."""
    for name in NAMES:
        made = toy_classifiers(name)
        (tmp_path / made.name).symlink_to(made)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("name", ["recurrent-network", "qrnn", "tcn"])
def test_json_holds_every_word(printed: Printed, name: str) -> None:
    facts = printed.json("memory", NAMES[name], "--text", TEXT, "--epoch", "0", "--matrix")
    model = open_run(NAMES[name]).load(0)
    memory, replaced = read_memory(model, TEXT), replace_words(model, TEXT)
    assert [token["word"] for token in facts["tokens"]] == ["there", "is", "a", "splendid", "film", "."]
    assert [token["moved"] for token in facts["tokens"]] == pytest.approx(replaced.moved.tolist())
    assert [token["log10_gradient"] for token in facts["tokens"]] == pytest.approx(memory.score[-1].tolist(), abs=1e-4)
    assert facts["tokens"][0]["words_back"] == 5
    assert facts["replaced_by"] == list(replaced.drawn)
    assert [len(row) for row in facts["log10_score"]] == [1, 2, 3, 4, 5, 6]
    if name == "tcn":
        assert (facts["log10_state"], facts["gate"]) == (None, None)
        assert facts["receptive_field"] == memory.receptive_field
    else:
        assert memory.last is not None
        assert [token["log10_gain"] for token in facts["tokens"]] == pytest.approx(memory.last.tolist(), abs=1e-4)
        assert np.isfinite([token["log10_gates"] for token in facts["tokens"]]).all()


@pytest.mark.usefixtures("runs")
def test_words_for_people(printed: Printed) -> None:
    said = printed("memory", NAMES["recurrent-network"], "--text", TEXT)
    assert "6 words read" in said
    assert '"splendid"' in said
    assert "Spearman correlation" in said
    assert "receptive field: " in printed("memory", NAMES["tcn"], "--text", TEXT)
    assert "0 words read" in printed("memory", NAMES["qrnn"], "--text", "")


@pytest.mark.usefixtures("runs")
def test_a_file_has_a_record_for_each_line(printed: Printed, tmp_path: Path) -> None:
    file = tmp_path / "texts.txt"
    file.write_text("a film\n\nthe splendid man\n", encoding="utf-8")
    facts = printed.json("memory", NAMES["qrnn"], "--file", str(file))
    assert [len(one["tokens"]) for one in facts] == [2, 0, 3]


@pytest.mark.usefixtures("runs")
def test_what_cannot_be_answered_is_refused(printed: Printed) -> None:
    assert "Choose a recurrent network" in printed.refused("memory", NAMES["cnn"], "--text", TEXT)
    assert "has no stored epoch 77" in printed.refused("memory", NAMES["qrnn"], "--text", TEXT, "--epoch", "77")
    assert "--matrix needs --json" in printed.refused("memory", NAMES["qrnn"], "--text", TEXT, "--matrix")
