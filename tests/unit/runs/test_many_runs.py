"""Many runs are listed as quickly as few: what was read of a run is read once."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from nlpviz.networks.architectures import attends
from nlpviz.runs import Run, RunError, list_runs, open_run
from nlpviz.runs.run import MANIFEST
from tests.many_runs import write_runs

RUNS = 300


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of many runs, which is the one that is listed."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    write_runs(tmp_path, RUNS)
    return tmp_path


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every manifest that is parsed from now on, and every file that is hashed."""
    result: list[str] = []
    loads, file_digest = json.loads, hashlib.file_digest

    def parsing(text: str, **how: Any) -> Any:
        result.append("parsed")
        return loads(text, **how)

    def hashing(file: Any, name: str) -> Any:
        result.append("hashed")
        return file_digest(file, name)

    monkeypatch.setattr(json, "loads", parsing)
    monkeypatch.setattr(hashlib, "file_digest", hashing)
    return result


def read_all() -> dict[str, Run]:
    """List all runs, read a file of each and ask what its network shows."""
    runs, problems = list_runs()
    assert not problems
    for run in runs.values():
        assert run.vocabulary.words[-1] == "film"
        assert not attends(run.architecture, run.config)
    return runs


def test_a_second_listing_reads_no_manifest_and_hashes_no_file(many: Path, work: list[str]) -> None:
    first = read_all()
    assert len(first) == RUNS
    assert work.count("hashed") == RUNS
    assert work.count("parsed") >= RUNS
    work.clear()
    again = read_all()
    assert not work
    assert again == first
    assert all(again[name] is run is open_run(name) for name, run in first.items())
    assert all(run.folder.parent == many for run in again.values())


def test_a_run_that_changes_comes_or_goes_costs_itself_alone(many: Path, work: list[str]) -> None:
    first, _ = list_runs()
    changed, gone = list(first)[1], list(first)[2]
    manifest = json.loads((many / changed / MANIFEST).read_text())
    work.clear()
    (many / changed / MANIFEST).write_text(json.dumps(manifest))
    (many / gone).rename(many / "renamed")
    now, problems = list_runs()
    assert work == ["parsed"] * 2
    assert not problems
    assert now.keys() - first.keys() == {"renamed"}
    assert first.keys() - now.keys() == {gone}
    assert [name for name in now if name in first and now[name] is not first[name]] == [changed]


def test_a_run_is_opened_again_without_asking_the_others(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It still is what stands in the folders now: changed, hidden by one in another folder, or gone."""
    name, hidden, gone = list(list_runs()[0])[:3]
    first = open_run(name)
    with monkeypatch.context() as nobody:
        nobody.setattr("nlpviz.runs.find", lambda: pytest.fail("the folder was listed"))
        assert open_run(name) is first
    manifest = (many / name / MANIFEST).read_text()
    (many / name / MANIFEST).write_text(manifest.replace("\n}", "\n }"))
    assert open_run(name) == first
    assert open_run(name) is not first
    above = many.with_name("above")
    (above / hidden).mkdir(parents=True)
    for file in (many / hidden).iterdir():
        (above / hidden / file.name).write_bytes(file.read_bytes())
    monkeypatch.setenv("NLPVIZ_TRAINED", os.pathsep.join(map(str, (above, many))))
    assert open_run(hidden).folder == above / hidden
    (many / gone).rename(many / "renamed")
    with pytest.raises(RunError, match="There is no run"):
        open_run(gone)


def test_who_changes_a_listing_changes_nobody_elses(many: Path) -> None:
    runs, problems = list_runs()
    runs.clear()
    problems.append("mine")
    assert (len(list_runs()[0]), list_runs()[1]) == (len(list(many.iterdir())), [])
