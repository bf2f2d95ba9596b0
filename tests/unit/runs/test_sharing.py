"""What several runs have in common is stored once, and nobody loses it: shared, handed over, copied, refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from nlpviz.discovery.read_once import sha256
from nlpviz.runs import Run, RunError, list_runs
from nlpviz.runs.references import Reference
from nlpviz.runs.run import MANIFEST
from nlpviz.runs.sharing import bring, copied, put_in_place, share
from nlpviz.runs.weights import FROZEN, INITIAL, LARGE, read_weights, weights_files

WORDS = "vocabulary.txt"
TABLE = {
    "embedding.weight.levels": np.arange(LARGE, dtype=np.uint8).reshape(-1, 256),
    "embedding.weight.low": np.zeros(LARGE // 256, np.float16),
    "embedding.weight.step": np.ones(LARGE // 256, np.float16),
}


def made(folder: Path, **contents: str) -> Run:
    """Write a run with a vocabulary and more files, whole."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WORDS).write_text(contents.pop("words", "the 3"))
    (folder / "README.md").write_text(f"# {folder.name}")
    for name, content in contents.items():
        (folder / name).write_text(content)
    values = {item.name: None for item in fields(Run)} | {"class_names": (), "epochs": (), "parameters": ()}
    return Run(
        **values
        | {"name": folder.name, "folder": folder, "shared": {}, "stored_bytes": 0, "made_of": {}, "best_epoch": 0}
    ).save()


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three runs with one vocabulary, which the first of them holds, and one with another."""
    folder = tmp_path / "trained"
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    for name in ("one", "three", "two"):
        made(folder / name)
    made(folder / "other", words="le 3")
    assert share(folder) == []
    return folder


def holders(runs: Path, name: str = WORDS) -> list[str]:
    """Return the runs in whose folders a file of that name is."""
    return sorted(path.parent.name for path in runs.glob(f"*/{name}"))


def retrain(runs: Path, name: str, **contents: str) -> Run:
    """Put a run that was trained again in the place of the old one."""
    made(runs / ".unfinished" / name, **contents)
    return put_in_place(runs / ".unfinished" / name, runs / name)


# ------------------------------------------------------------------------------------------------------ stored once


def test_equal_files_are_held_by_the_first_run_and_named_by_the_others(runs: Path) -> None:
    assert holders(runs) == ["one", "other"]
    for name in ("two", "three"):
        run = Run.open(runs / name)
        assert run.shared == {WORDS: Reference("one", WORDS)}
        assert run.file(WORDS) == runs / "one" / WORDS
        assert run.files[WORDS] == sha256(runs / "one" / WORDS)
        assert run.stored_bytes == len(f"# {name}")
    said = json.loads((runs / "two" / MANIFEST).read_text())
    assert said["shared"] == {WORDS: {"run": "one", "file": WORDS}}
    assert Run.open(runs / "one").stored_bytes == len("# one") + len("the 3")


def test_sharing_again_changes_nothing(runs: Path) -> None:
    before = {path: path.read_bytes() for path in runs.rglob("*") if path.is_file()}
    assert share(runs) == []
    assert {path: path.read_bytes() for path in runs.rglob("*") if path.is_file()} == before


def test_tables_that_commands_compute_again_are_each_runs_own(runs: Path) -> None:
    for name in ("one", "two"):
        retrain(runs, name, **{"maps.parquet": "the same"})
    assert holders(runs, "maps.parquet") == ["one", "two"]


def test_a_file_that_is_written_again_is_the_runs_own(runs: Path) -> None:
    (runs / "two" / WORDS).write_text("new 1")
    assert Run.open(runs / "two").save().file(WORDS).read_text() == "new 1"
    assert share(runs) == []
    assert holders(runs) == ["one", "other", "two"]


def test_a_damaged_copy_is_never_the_one_that_stays(tmp_path: Path) -> None:
    for name in ("one", "two"):
        made(tmp_path / name)
    (tmp_path / "one" / WORDS).write_text("thE 3")
    assert share(tmp_path) == []
    assert holders(tmp_path) == ["two"]
    assert Run.open(tmp_path / "one").file(WORDS).read_text() == "the 3"


def test_large_tables_of_the_first_epoch_are_another_runs_frozen_ones(tmp_path: Path) -> None:
    for name in ("learning", "other", "static"):
        made(tmp_path / name)
    weights = {"output.weight": np.ones((2, 3), np.float16)}
    save_file(TABLE | weights, tmp_path / "learning" / "epoch-00.safetensors")
    save_file(TABLE | {"embedding.weight.low": TABLE["embedding.weight.low"] + 1} | weights,
              tmp_path / "other" / "epoch-00.safetensors")  # fmt: skip
    save_file(TABLE, tmp_path / "static" / FROZEN)
    for name in ("learning", "other", "static"):
        Run.open(tmp_path / name).save()
    before = read_weights([tmp_path / "learning" / "epoch-00.safetensors"])
    assert share(tmp_path) == []
    run = Run.open(tmp_path / "learning")
    assert set(load_file(run.folder / "epoch-00.safetensors")) == {"output.weight"}
    assert holders(tmp_path, INITIAL) == ["learning"]
    assert Run.open(tmp_path / "static").shared[FROZEN] == Reference("learning", INITIAL)
    after = read_weights([run.file(part) for part in weights_files(0, run.files)])
    assert after.keys() == before.keys()
    assert all((after[name] == before[name]).all() for name in before)
    assert weights_files(1, run.files) == ["epoch-01.safetensors"]
    assert INITIAL not in Run.open(tmp_path / "other").files, "nothing is gained where no other run begins so"


# ------------------------------------------------------------------------------------------------------ trained again


@pytest.mark.parametrize("words", ["the 3", "changed 1"])
def test_what_others_need_outlives_the_run_that_stored_it(runs: Path, words: str) -> None:
    new = retrain(runs, "one", words=words)
    assert new.file(WORDS).read_text() == words
    assert holders(runs) == (["one", "other"] if words == "the 3" else ["one", "other", "three"])
    assert Run.open(runs / "two").file(WORDS).read_text() == "the 3"
    assert Run.open(runs / "three").file(WORDS).read_text() == "the 3"
    assert list_runs()[1] == share(runs) == []


def test_what_is_handed_over_lies_there_before_the_old_run_goes(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between: every run is whole, and the next training puts itself in place."""

    def killed(_: Path, __: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", killed)
        with pytest.raises(KeyboardInterrupt):
            retrain(runs, "one", words="changed 1")
    assert all(run.file(WORDS).read_text() == "the 3" for run in list_runs()[0].values() if run.name != "other")
    assert Run.open(runs / "two").file(WORDS) == runs / "three" / WORDS
    retrain(runs, "one", words="changed 1")
    assert Run.open(runs / "two").file(WORDS).read_text() == "the 3"


def test_a_trained_run_takes_what_is_there(runs: Path) -> None:
    assert retrain(runs, "seven").shared == {WORDS: Reference("one", WORDS)}
    assert holders(runs) == ["one", "other"]


def test_the_first_by_name_holds_a_file_whichever_was_there_before(runs: Path) -> None:
    assert retrain(runs, "first").shared == {}
    assert holders(runs) == ["first", "other"]
    assert all(Run.open(runs / name).shared == {WORDS: Reference("first", WORDS)} for name in ("one", "three", "two"))


def test_a_file_is_not_removed_while_a_manifest_names_it(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(path: Path, **_: bool) -> None:
        if path.name == WORDS:
            raise KeyboardInterrupt

    made(runs / "first")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            share(runs)
    assert all(Run.open(runs / name).file(WORDS).read_text() == "the 3" for name in ("first", "one", "three", "two"))


def test_references_are_found_again_after_files_were_merged(runs: Path) -> None:
    """Version control brought folders from before the files were shared."""
    for name, words in (("one", "changed 1"), ("three", "the 3")):
        made(runs / name, words=words)
    assert share(runs) == []
    assert Run.open(runs / "two").file(WORDS) == runs / "three" / WORDS


def test_a_run_from_elsewhere_is_put_in_its_place(runs: Path, tmp_path: Path) -> None:
    for name, words in (("elsewhere", "the 3"), ("one", "changed 1")):
        made(tmp_path / "branch" / name, words=words)
    assert share(tmp_path / "branch") == []
    assert bring(tmp_path / "branch" / "one", runs).file(WORDS).read_text() == "changed 1"
    assert bring(tmp_path / "branch" / "elsewhere", runs).shared == {}, "the first by name of those that have it"
    assert Run.open(runs / "three").shared == {WORDS: Reference("elsewhere", WORDS)}
    assert (tmp_path / "branch" / "one" / WORDS).exists(), "it is a copy that was put there"
    assert sorted(path.name for path in runs.glob(".arriving-*")) == []


# ---------------------------------------------------------------------------------------------------------- refused


def test_a_run_whose_other_is_gone_says_so_and_all_else_stays(runs: Path) -> None:
    retrain(runs, "two", extra="more")
    for path in (runs / "one").iterdir():
        path.unlink()
    (runs / "one").rmdir()
    listed, problems = list_runs()
    assert list(listed) == ["other", "three", "two"]
    sentence = "There is no run 'one', which stores files used by three, two. Restore it, or train these runs again."
    assert problems == [sentence]
    with pytest.raises(RunError) as refused:
        listed["two"].file(WORDS)
    said = "The run 'two' has no file vocabulary.txt: it needs vocabulary.txt of the run 'one', which is missing."
    assert str(refused.value) == said
    assert listed["two"].file("extra").read_text() == "more"
    assert said in share(runs)
    retrain(runs, "two")
    assert list_runs()[1] == share(runs) == [], "one of them trained again serves all"


def test_another_content_in_its_place_is_found(runs: Path) -> None:
    (runs / "one" / WORDS).write_text("thE 3")
    with pytest.raises(
        RunError, match=r"^The file vocabulary\.txt of the run 'two', which is vocabulary\.txt of the run"
    ):
        Run.open(runs / "two").file(WORDS)
    assert len(share(runs)) == 3


@pytest.mark.parametrize("run", ["..", ".", "", "/", "one/..", "../trained/one", ".unfinished", "one\\..", "one\0"])
@pytest.mark.parametrize("where", [lambda run: Reference(run, WORDS), lambda run: Reference("one", f"{run}/{WORDS}")])
def test_no_reference_leads_out_of_the_runs(runs: Path, run: str, where: Callable[[str], Reference]) -> None:
    """Not even to a file of the right content."""
    for folder in (runs.parent, runs / ".unfinished", runs / "one" / "one"):
        folder.mkdir(exist_ok=True)
        (folder / WORDS).write_text("the 3")
    strange = replace(Run.open(runs / "two"), shared={WORDS: where(run)}).write()
    with pytest.raises(RunError, match=r"'two' has no file vocabulary\.txt: it needs"):
        Run.open(strange.folder).file(WORDS)


def test_a_manifest_that_does_not_say_where_is_refused(runs: Path) -> None:
    class Strange(dict):
        def _asdict(self) -> dict[str, str]:
            return {"run": "one"}

    replace(Run.open(runs / "two"), shared={WORDS: Strange()}).write()
    with pytest.raises(RunError, match=r"^The manifest of the run 'two' does not list its files\.$"):
        Run.open(runs / "two")


# ---------------------------------------------------------------------------------------------------------- copied


def test_a_copied_run_needs_no_other(runs: Path, tmp_path: Path) -> None:
    run = Run.open(runs / "two")
    copy = copied(run, tmp_path / "elsewhere" / "copy")
    assert copy == Run.open(tmp_path / "elsewhere" / "copy")
    assert copy.file(WORDS) == tmp_path / "elsewhere" / "copy" / WORDS
    assert copy.shared == {}
    assert copy.files == run.files
    assert copy.stored_bytes == len("# two") + len("the 3")


def test_a_folder_that_was_copied_alone_names_what_it_needs(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    alone = (runs / "two").rename(tmp_path / "elsewhere" / "two")
    with pytest.raises(RunError, match=r"needs vocabulary\.txt of the run 'one', which is missing\.$"):
        Run.open(alone).file(WORDS)
    with pytest.raises(RunError, match="which is missing"):
        copied(Run.open(alone), tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_run_of_the_format_before_is_read_and_becomes_one_of_today(runs: Path) -> None:
    manifest = json.loads((runs / "one" / MANIFEST).read_text())
    assert manifest["format"] == 3
    from nlpviz.runs.run import _digest

    facts = {key: manifest[key] for key in manifest if key not in ("format", "sha256", "shared", "stored_bytes")}
    (runs / "one" / MANIFEST).write_text(json.dumps({"format": 2, "sha256": _digest(facts)} | facts))
    assert Run.open(runs / "one").file(WORDS).read_text() == "the 3"
    assert Run.open(runs / "one").stored_bytes == 0
    share(runs)
    assert json.loads((runs / "one" / MANIFEST).read_text()) == manifest
