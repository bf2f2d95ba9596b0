"""A person's own texts, from a file to runs: what is made, that it repeats, what it keeps, and what is refused."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from errno import EACCES, ENOSPC
from pathlib import Path
from typing import Any

import pytest
from safetensors import SafetensorError

from nlpviz.commands.cli import main
from nlpviz.data import CorpusMissing, corpus_named
from nlpviz.data.own_texts.names import RECIPE
from nlpviz.runs import list_runs, open_run, own_root, root, roots
from nlpviz.runs.folders import PROJECT
from nlpviz.training.own_tasks.classifiers import Extent, OwnModel, classifier_settings, own_models
from tests.made import made_once
from tests.toy import DULL

SPOKEN = ("printer", "salary")
CLASSES = ("hr", "it")
ROWS = 240


def write_table(path: Path, seed: int = 0) -> Path:
    """Write texts of a dozen dull words and one that decides."""
    rng = random.Random(seed)
    lines = ["number,body,queue\n"]
    for number in range(ROWS):
        words = [rng.choice(DULL) for _ in range(rng.randint(9, 14))]
        words.insert(rng.randrange(len(words)), SPOKEN[number % 2])
        lines.append(f"{number},{' '.join(words)},{CLASSES[1 - number % 2]}\n")
    path.write_text("".join(lines), encoding="utf-8")
    return path


def train(table: Path, *more: str, name: str = "tickets") -> int:
    """Train a small network by the command."""
    return main(["train", name, "--texts", str(table), "--epochs", "2", "--device", "cpu", *more])


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``runs`` and the table from which they were made; nobody writes into it."""

    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NLPVIZ_TRAINED", str(folder / "runs"))
            assert train(write_table(folder / "tickets.csv")) == 0

    return made_once(tmp_path_factory, "own-texts", make)


@pytest.fixture
def runs(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the runs."""
    shutil.copytree(made / "runs", tmp_path / "runs")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    return tmp_path / "runs"


def test_a_file_becomes_a_run_with_its_yardstick(runs: Path) -> None:
    found, problems = list_runs()
    assert (sorted(found), problems) == (["tickets", "tickets-ngrams"], [])
    run = found["tickets"]
    assert run.class_names == CLASSES
    assert (run.corpus["train"], run.corpus["validation"], run.corpus["test"]) == (172, 20, 48)
    assert {"documents.parquet", "maps.parquet", "predictions.parquet", "deletion.parquet", RECIPE} <= set(run.files)
    assert found["tickets-ngrams"].metrics["test"]["accuracy"] > 0.9
    card = (runs / "tickets" / "README.md").read_text(encoding="utf-8")
    assert "tickets.csv" in card
    assert "IMDB" not in card
    assert "film reviews" not in card


@pytest.mark.usefixtures("runs")
def test_the_corpus_is_found_by_its_name() -> None:
    test = corpus_named("tickets").read("test")
    assert corpus_named("tickets").find(test.ids[0]) == test.texts[0]  # type: ignore[attr-defined]
    assert main(["evaluate", "tickets", "--device", "cpu"]) == 0


@pytest.mark.ci
def test_a_recipe_makes_the_same_weights_again(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe, text = tmp_path / "copy.toml", (runs / "tickets" / RECIPE).read_text(encoding="utf-8")
    older = text.replace("kept_documents = ", "eight_bits = true\nkept_documents = ")
    assert older != text
    recipe.write_text(older, encoding="utf-8")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "others"))
    assert main(["train", str(recipe), "--device", "cpu"]) == 0
    again = open_run("tickets")
    first = {name: digest for name, digest in _digests(runs / "tickets").items() if name.endswith(".safetensors")}
    assert first
    assert {name: again.files[name] for name in first} == first


def test_without_keep_texts_no_text_is_kept(runs: Path, made: Path) -> None:
    texts = [line.split(",")[1].split() for line in (made / "tickets.csv").read_text().splitlines()[1:]]
    longest = 3
    sequences = {
        " ".join(words[at : at + longest + 1]).encode() for words in texts for at in range(len(words) - longest)
    }
    for path in runs.rglob("*"):
        if path.is_file():
            content = _unpacked(path)
            assert not [one for one in sequences if one in content], path


def test_the_pages_are_told_why_there_is_no_text(runs: Path, made: Path, tmp_path: Path) -> None:
    recipe = runs / "tickets" / RECIPE
    moved = recipe.read_text(encoding="utf-8").replace(str(made / "tickets.csv"), str(tmp_path / "gone.csv"))
    for name in ("tickets", "tickets-ngrams"):
        (runs / name / RECIPE).write_text(moved, encoding="utf-8")
    with pytest.raises(CorpusMissing, match="no longer exists, and the run stores no texts"):
        corpus_named("tickets").find("test/3")


def test_what_stands_in_the_way_is_a_sentence(runs: Path, made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, said in [
        ("a/b", "is not a valid run name"),
        ("a b", "is not a valid run name"),
        ("imdb", "the name of a published corpus"),
        ("tickets", "These runs already exist"),
    ]:
        assert train(made / "tickets.csv", name=name) == 2
        assert said in capsys.readouterr().err
    assert train(made / "tickets.csv", "--seed", "1") == 2
    assert "The run 'tickets-ngrams' already exists" in capsys.readouterr().err
    assert train(made / "tickets.csv", "--model", "nothing", name="new") == 2
    assert "Unknown model 'nothing'" in capsys.readouterr().err
    assert not (runs / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["train", "x", "--label", "y"], "--label applies to your own texts"),
        (["train", "--texts", "x.csv"], "--texts needs a name"),
        (["train", "x.toml", "--epochs", "2"], "already defines the training"),
        (["train", "missing.toml"], "cannot be read"),
    ],
)
def test_options_that_do_not_go_together(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_looking_trains_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    assert train(write_table(tmp_path / "tickets.csv"), "--look", "--model", "cnn,lstm") == 0
    said = capsys.readouterr().err
    assert "240 rows, 240 texts used" in said
    assert re.search(r"tickets-lstm: about \d+ s", said)
    assert not (tmp_path / "runs").exists()


def test_a_stopped_training_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    table = write_table(tmp_path / "tickets.csv")
    monkeypatch.setattr("nlpviz.commands.train.finish", _stop)
    with pytest.raises(RuntimeError, match="stopped"):
        train(table, "--keep-texts")
    assert (tmp_path / "runs" / ".unfinished" / "tickets-ngrams" / RECIPE).is_file()
    monkeypatch.setattr("nlpviz.commands.train.finish", lambda _: None)
    assert train(table, "--keep-texts") == 0
    table.unlink()
    assert len(corpus_named("tickets").read("test")) == 48


@pytest.mark.parametrize(
    ("stage", "number"),
    [
        ("folder", ENOSPC),
        ("kept texts", EACCES),
        ("tables", ENOSPC),
        ("weights", EACCES),
        pytest.param("folder", EACCES, marks=pytest.mark.ci),
        pytest.param("kept texts", ENOSPC, marks=pytest.mark.ci),
        pytest.param("tables", EACCES, marks=pytest.mark.ci),
        pytest.param("weights", ENOSPC, marks=pytest.mark.ci),
    ],
)
def test_what_cannot_be_written_is_a_sentence_and_leaves_nothing_half_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    stage: str,
    number: int,
) -> None:
    runs, table = tmp_path / "runs", write_table(tmp_path / "tickets.csv")
    more = ["--keep-texts"] if stage == "kept texts" else []
    monkeypatch.setenv("NLPVIZ_TRAINED", str(runs))
    monkeypatch.setattr("nlpviz.commands.train.finish", lambda _: None)

    def refuse(*arguments: Any, **_: Any) -> None:
        if stage != "folder":
            next(one for one in arguments if isinstance(one, Path)).write_bytes(b"half")
        if stage == "weights":  # it tells the system's error in its own words
            raise SafetensorError(f"I/O error: {os.strerror(number)} (os error {number})")
        raise OSError(number, os.strerror(number))

    places = {
        "folder": "pathlib.Path.mkdir",
        "kept texts": "pyarrow.parquet.write_table",
        "tables": "pyarrow.parquet.write_table",
        "weights": "nlpviz.training.state.save_file",
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places[stage], refuse)
        assert train(table, *more) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("nlpviz: ")
    assert {ENOSPC: "is full. Free some space", EACCES: "is not writable. Set NLPVIZ_TRAINED to another folder"}[
        number
    ] in last
    assert [path.name for path in runs.rglob("*") if path.is_file() and path.read_bytes() == b"half"] == []
    assert set(list_runs()[0]) == ({"tickets-ngrams"} if stage == "weights" else set())
    assert train(table, *more) == 0


def _stop(_: object) -> None:
    raise RuntimeError("stopped")


@pytest.mark.parametrize(
    ("platform", "below"),
    [("linux", ".local/share"), ("darwin", "Library/Application Support"), ("win32", "AppData/Local")],
)
def test_each_system_has_its_folder_for_what_a_user_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, below: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("NLPVIZ_TRAINED", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", platform)
    assert own_root() == tmp_path / below / "nlpviz" / "trained"


def test_several_folders_stand_side_by_side(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", f"{PROJECT}:{runs}")
    assert (root(), own_root(), roots()) == (PROJECT, runs, (PROJECT, runs))
    found, _ = list_runs()
    assert {"tickets", "imdb-cnn"} <= set(found)
    monkeypatch.delenv("NLPVIZ_TRAINED")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert (root(), own_root()) == (PROJECT, tmp_path / "nlpviz" / "trained")
    shutil.copytree(runs, tmp_path / "second")
    monkeypatch.setenv("NLPVIZ_TRAINED", f"{runs}:{tmp_path / 'second'}")
    found, problems = list_runs()
    assert found["tickets"].folder.parent == runs
    assert "There are two runs named 'tickets'" in problems[0]


def test_every_classifier_can_be_asked_for() -> None:
    assert {"cnn", "lstm", "gru", "han", "transformer", "tcn", "qrnn", "skip", "attention"} <= set(own_models())


@pytest.mark.parametrize(
    ("texts", "epochs"),
    [(5_000, 20), (5_001, 14), (20_000, 14), (20_001, 8), (100_000, 8), (100_001, 4), (1_000_000, 4)],
)
def test_the_more_texts_there_are_the_fewer_passes_are_made(texts: int, epochs: int) -> None:
    model = OwnModel("cnn", "cnn", "CNN")
    settings = classifier_settings(model, "toy", CLASSES, Extent(texts, texts * 100, 300, 2))
    assert settings.fit.epochs == epochs


def _digests(run: Path) -> dict[str, str]:
    return dict(json.loads((run / "run.json").read_text(encoding="utf-8"))["files"])


def _unpacked(path: Path) -> bytes:
    """Return what a file holds, a table's columns as text."""
    if path.suffix != ".parquet":
        return path.read_bytes()
    import pyarrow.parquet as pq

    return json.dumps(pq.ParquetFile(path).read().to_pylist(), default=str).encode()
