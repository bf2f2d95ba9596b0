"""The commands ``share`` and ``copy``."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpviz.runs import Run, list_runs, open_run
from nlpviz.runs.budget import TOGETHER
from nlpviz.runs.run import VOCABULARY
from nlpviz.runs.sharing import copied
from tests.unit.conftest import Printed


def test_share_stores_once_and_says_what_each_run_takes(trained: Path, printed: Printed) -> None:
    copied(open_run("toy-cnn"), trained / "twin")
    said = printed.json("share")
    runs = list_runs()[0]
    assert said["runs"] == {name: run.stored_bytes for name, run in runs.items()}
    assert said["stored_bytes"] == sum(said["runs"].values())
    assert (said["budget"], said["problems"]) == (TOGETHER, [])
    assert runs["twin"].file(VOCABULARY) == trained / "toy-cnn" / VOCABULARY
    assert runs["twin"].load(1).run == runs["twin"]


@pytest.mark.usefixtures("trained")
def test_share_brings_a_run_and_copy_takes_one(tmp_path: Path, printed: Printed) -> None:
    copied(open_run("toy-cnn"), tmp_path / "elsewhere" / "twin")
    assert "twin" in printed("share", str(tmp_path / "elsewhere" / "twin"))
    assert "contains all files of twin" in printed("copy", "twin", str(tmp_path / "away"))
    assert Run.open(tmp_path / "away" / "twin").shared == {}
    assert "cannot be written" in printed.refused("copy", "twin", str(tmp_path / "away"))
    assert "has no run.json" in printed.refused("share", str(tmp_path))
