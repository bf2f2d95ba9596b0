"""A run's folder: written, read back, and refused in a sentence where it is damaged."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import fields, replace
from errno import EACCES
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from nlpviz.analysis.projections import NEIGHBOURS, projectors
from nlpviz.discovery.read_once import sha256
from nlpviz.results.history import EpochRecord
from nlpviz.runs import Run, RunError, list_runs, open_run, root
from nlpviz.runs.deletions import DELETION
from nlpviz.runs.documents import DOCUMENTS, MAPS, documents_of, embeddings_of, probabilities_of, projections_of
from nlpviz.runs.files import write_table
from nlpviz.runs.history import read_history, write_history
from nlpviz.runs.predictions import PREDICTIONS, RATINGS_MASKED
from nlpviz.runs.run import HISTORY, MANIFEST, VOCABULARY
from nlpviz.runs.surveys import DOCUMENT_REGIONS, FILTERS, REGIONS, top_ngrams
from nlpviz.runs.training_log import TRAINING_LOG
from nlpviz.runs.weights import base_file, read_weights, weights_file, weights_files
from nlpviz.text.vocabulary import PAD
from nlpviz.training.documents import balanced_sample
from tests import toy

WEIGHTS = "epoch-01.safetensors"


@pytest.fixture
def run(trained: Path) -> Run:
    """The toy CNN's run, a copy of this test's own."""
    return Run.open(trained / "toy-cnn")


def change_manifest(folder: Path, change: Callable[[dict], object]) -> None:
    """Change what stands in a manifest."""
    manifest = json.loads((folder / MANIFEST).read_text())
    change(manifest)
    (folder / MANIFEST).write_text(json.dumps(manifest))


def flip_bit(path: Path, position: float = 0.5) -> None:
    """Turn one bit of a file, at a place between its beginning (0) and its end (1)."""
    content = bytearray(path.read_bytes())
    content[int(position * (len(content) - 1))] ^= 1
    path.write_bytes(content)


# ------------------------------------------------------------------------------------------------- what a run holds


def test_run_is_what_its_recipe_says(run: Run) -> None:
    assert (run.name, run.title, run.kind, run.architecture) == ("toy-cnn", "Toy cnn", "classifier", "cnn")
    assert run.class_names == toy.CLASSES
    assert run.max_length == 20
    assert run.epochs == (0, 1, 2, 3)
    assert run.best_epoch in run.epochs
    assert run.config["vocabulary_size"] == len(run.vocabulary) == len(toy.vocabulary())
    assert run.corpus == {"name": "toy", "sha256": "0" * 64, "train": 180, "validation": 60, "test": 90}
    assert run.recipe["fit"]["learning_rate"] == toy.FIT.learning_rate
    assert run.device.startswith("cpu: ")
    assert run.seconds > 0
    assert run.seconds_per_epoch == pytest.approx(
        np.median([one.seconds for one in read_history(run, EpochRecord)[1:]]), abs=0.05
    )
    assert run.versions["torch"] == torch.__version__
    assert set(run.metrics) == {"validation", "test", RATINGS_MASKED}
    assert run.metrics["test"]["documents"] == 90
    assert run.metrics["test"]["accuracy"] > 0.95
    assert {path.name for path in run.folder.iterdir()} == {*run.files, MANIFEST}
    assert set(run.files) == {
        *[VOCABULARY, HISTORY, DOCUMENTS, MAPS, "README.md"],
        *[PREDICTIONS, REGIONS, FILTERS, DOCUMENT_REGIONS, DELETION, TRAINING_LOG],
        *[weights_file(epoch) for epoch in run.epochs],
        base_file(run.best_epoch),
    }


def test_parameter_count_is_the_models(run: Run) -> None:
    assert run.parameter_count == sum(weight.numel() for weight in run.load().module.parameters())


def test_to_read_a_run_draws_no_random_numbers(run: Run) -> None:
    before = torch.get_rng_state()
    stored = read_weights([run.file(part) for part in weights_files(run.best_epoch, run.files)])
    loaded = run.load().module.state_dict()
    assert torch.equal(torch.get_rng_state(), before)
    assert stored.keys() == loaded.keys()
    assert all(torch.equal(stored[name], tensor) for name, tensor in loaded.items())


def test_saved_run_is_read_back_as_it_was(run: Run, tmp_path: Path) -> None:
    shutil.copytree(run.folder, tmp_path / "copy")
    copy = replace(run, folder=tmp_path / "copy").save()
    assert Run.open(tmp_path / "copy") == replace(copy, name="copy") == replace(run, name="copy")
    assert copy.fingerprint == run.fingerprint


def test_fingerprint_changes_with_any_file(run: Run) -> None:
    (run.folder / HISTORY).write_text("epoch\n")
    assert run.save().fingerprint != run.fingerprint


def test_history_is_read_back(run: Run) -> None:
    records = (EpochRecord(0, 0.75, 0.5, 0.7, 0.4, 0.0, 1.5), EpochRecord(1, 0.1234567, 1.0, 0.2, 0.9, 3.25, 60.0))
    write_history(run.folder, records)
    assert read_history(run.save(), EpochRecord) == (records[0], replace(records[1], train_loss=0.123457))
    assert [record.epoch for record in read_history(open_run("toy-cnn"), EpochRecord)] == [0, 1]


def test_model_is_loaded_as_it_was_kept_frozen_and_in_evaluation_mode(run: Run) -> None:
    for epoch in run.epochs:
        trained = run.load(epoch)
        assert (trained.run, trained.epoch) == (run, epoch)
        stored = load_file(run.folder / weights_file(epoch))
        assert {tensor.dtype for tensor in stored.values()} <= {torch.float16, torch.uint8}
        for name, tensor in trained.module.state_dict().items():
            assert tensor.dtype == torch.float32
            assert name not in stored or torch.equal(tensor, stored[name].float())
        assert not any(module.training for module in trained.module.modules())
        assert not any(weight.requires_grad for weight in trained.module.parameters())
    assert run.load().epoch == run.best_epoch
    assert trained.vocabulary.words == toy.vocabulary().words


def test_documents_hold_what_the_model_says_of_them(run: Run) -> None:
    test, documents = toy.read("test"), documents_of(run)
    positions = balanced_sample(test.labels, 60)
    assert documents.ids == tuple(test.ids[position] for position in positions)
    assert documents.labels.tolist() == test.labels[positions].tolist()
    assert documents.ratings.tolist() == test.ratings[positions].tolist()
    assert documents.lengths.tolist() == [len(test.texts[position].split()) for position in positions]
    for epoch in run.epochs:
        module = run.load(epoch).module
        for position, probability, embedding in zip(
            positions[:10], probabilities_of(run, epoch)[:, 1], embeddings_of(run, epoch), strict=False
        ):
            ids = torch.from_numpy(run.vocabulary.ids(test.texts[position].split())).unsqueeze(0)
            assert probability == pytest.approx(module(ids).sigmoid().item(), abs=1e-5)
            encoded = module.encode(module.embed(ids), ids != PAD)[0]
            np.testing.assert_allclose(embedding, encoded.numpy(), atol=np.ptp(encoded.numpy()) / 500)


def test_maps_are_read_back_one_for_each_projector_dimension_and_epoch(run: Run) -> None:
    maps = {(chart.projector, chart.dimensions, chart.epoch): chart for chart in projections_of(run)}
    assert set(maps) == {(name, size, epoch) for name in projectors() for size in (2, 3) for epoch in run.epochs}
    for chart in maps.values():
        assert chart.run == "toy-cnn"
        assert chart.coordinates.shape == (60, chart.dimensions)
        assert chart.coordinates.std() > 0
        assert chart.neighbours == NEIGHBOURS
        assert 0 <= chart.trustworthiness <= 1
    assert maps["pca", 2, run.epochs[-1]].purity > 0.9 > maps["pca", 2, 0].purity


@pytest.mark.usefixtures("trained")
def test_baseline_is_a_run_without_epochs() -> None:
    run = open_run("toy-ngrams")
    assert (run.kind, run.epochs) == ("baseline", ())
    assert run.metrics["test"]["accuracy"] == 1.0
    with pytest.raises(RunError, match=r"'toy-ngrams' has no stored epoch 0; stored epochs: none\.$"):
        run.load()


# ------------------------------------------------------------------------------------------------- what is refused


@pytest.mark.usefixtures("trained")
def test_run_that_is_not_there_is_refused_with_those_there_are() -> None:
    with pytest.raises(RunError, match=r"^There is no run 'imdb'; available runs: toy-cnn, toy-ngrams\.$"):
        open_run("imdb")


@pytest.mark.parametrize(
    "name",
    [
        *["", ".", "..", "../x", "../secret", "toy-cnn/", "./toy-cnn", "/", "\\", ".unfinished", "toy-cnn/../toy-cnn"],
        *["*", "toy-cnn\0", "x" * 5000, "run.json", "TOY-CNN", "\ud800"],
    ],
    ids=lambda name: ascii(name)[:20],
)
def test_only_a_runs_own_name_opens_it(trained: Path, name: str) -> None:
    """Not even where a run stands at the end of the path."""
    for position in (trained.parent, trained.parent / "secret", trained / ".unfinished"):
        shutil.copytree(trained / "toy-cnn", position, dirs_exist_ok=True)
    with pytest.raises(RunError, match=r"^There is no run .*; available runs: toy-cnn, toy-ngrams\.$"):
        open_run(name)


def test_a_folder_that_may_not_be_listed_is_said_and_hides_no_other(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    listed = os.scandir

    def refusing(folder: str | Path) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        if folder == locked:
            raise PermissionError(EACCES, os.strerror(EACCES))
        return listed(folder)

    monkeypatch.setattr(os, "scandir", refusing)
    monkeypatch.setenv("NLPVIZ_TRAINED", os.pathsep.join((str(locked), str(trained))))
    runs, problems = list_runs()
    assert "toy-cnn" in runs
    assert problems == [f"The runs in {locked} cannot be listed: Permission denied."]
    assert open_run("toy-cnn").name == "toy-cnn"


def test_folder_of_the_runs_may_be_missing_or_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "nowhere"))
    assert root() == tmp_path / "nowhere"
    assert list_runs() == ({}, [])
    with pytest.raises(RunError, match=r"available runs: none\.$"):
        open_run("imdb-cnn")
    monkeypatch.delenv("NLPVIZ_TRAINED")
    assert root() == Path(__file__).resolve().parents[3] / "trained"


MANIFESTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda path: path.unlink(), "has no run.json"),
    "empty": (lambda path: path.write_bytes(b""), "is damaged"),
    "cut": (lambda path: path.write_bytes(path.read_bytes()[:-10]), "is damaged"),
    "not UTF-8": (lambda path: path.write_bytes(b'{"title": "\xff"}'), "is damaged"),
    "a folder": (lambda path: (path.unlink(), path.mkdir()), "is damaged"),
    "a list": (lambda path: path.write_text("[]"), "has a format that this version does not support"),
    "another format": (
        lambda path: change_manifest(path.parent, lambda manifest: manifest.update(format=1)),
        r"has a format that this version does not support \(supported: 2 and 3\)",
    ),
    "no format": (
        lambda path: change_manifest(path.parent, lambda manifest: manifest.pop("format")),
        "has a format that this version does not support",
    ),
    "two fields less": (
        lambda path: change_manifest(path.parent, lambda manifest: (manifest.pop("seed"), manifest.pop("epochs"))),
        "lacks epochs, seed",
    ),
    "a number changed": (
        lambda path: change_manifest(path.parent, lambda manifest: manifest.update(max_length=21)),
        "is damaged",
    ),
}


@pytest.mark.parametrize("what", MANIFESTS)
def test_damaged_manifest_is_refused_and_the_other_runs_stay(trained: Path, what: str) -> None:
    damage, sentence = MANIFESTS[what]
    damage(trained / "toy-cnn" / MANIFEST)
    runs, problems = list_runs()
    assert list(runs) == ["toy-ngrams"]
    assert runs["toy-ngrams"].metrics["test"]["accuracy"] == 1.0
    with pytest.raises(RunError, match=sentence) as refused:
        open_run("toy-cnn")
    assert "'toy-cnn'" in str(refused.value)
    assert problems == [str(refused.value)]
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@given(position=st.floats(0, 1), bit=st.integers(0, 7))
def test_manifest_with_any_bit_flipped_is_refused_or_says_the_same(
    toy_trained: Path, tmp_path_factory: pytest.TempPathFactory, position: float, bit: int
) -> None:
    genuine = Run.open(toy_trained / "toy-cnn")
    folder = tmp_path_factory.getbasetemp() / "flipped" / "toy-cnn"
    folder.mkdir(parents=True, exist_ok=True)
    content = bytearray((genuine.folder / MANIFEST).read_bytes())
    content[int(position * (len(content) - 1))] ^= 1 << bit
    (folder / MANIFEST).write_bytes(content)
    with suppress(RunError):  # nothing else is raised
        assert Run.open(folder) == genuine, "white space is all that may change"


READING: dict[str, Callable[[Run], object]] = {
    VOCABULARY: lambda run: run.vocabulary,
    HISTORY: lambda run: read_history(run, EpochRecord),
    DOCUMENTS: lambda run: (documents_of(run), probabilities_of(run, 0), embeddings_of(run, 0)),
    MAPS: projections_of,
    WEIGHTS: lambda run: run.load(1),
}


@pytest.mark.parametrize("how", ["flipped bit", "cut", "empty", "missing", "not listed"])
@pytest.mark.parametrize("name", READING)
def test_damaged_file_is_refused_and_all_else_stays(run: Run, name: str, how: str) -> None:
    path = run.folder / name
    if how == "flipped bit":
        flip_bit(path)
    elif how == "missing":
        path.unlink()
    elif how == "not listed":
        run = replace(run, files={file: digest for file, digest in run.files.items() if file != name})
    else:
        path.write_bytes(path.read_bytes()[: len(path.read_bytes()) // 2 if how == "cut" else 0])
    sentence = "has no file {}." if how in ("missing", "not listed") else "is damaged: its checksum does not match"
    with pytest.raises(RunError, match="'toy-cnn'") as refused:
        READING[name](run)
    assert name in str(refused.value)
    assert sentence.format(name) in str(refused.value)
    for other, read in READING.items():
        if other != name and not (name == VOCABULARY and other == WEIGHTS):
            assert read(run) is not None
    assert list_runs()[1] == []


@pytest.mark.parametrize("position", [0.0, 0.01, 0.3, 0.7, 1.0])
def test_bit_flipped_anywhere_in_the_weights_is_found(run: Run, position: float) -> None:
    flip_bit(run.folder / WEIGHTS, position)
    with pytest.raises(RunError, match="is damaged"):
        run.load(1)
    assert run.load(2).epoch == 2


def test_same_size_and_time_of_another_file_do_not_fool_the_hash(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_bytes(name.encode())
    assert sha256(tmp_path / "a") == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    assert sha256(tmp_path / "b") != sha256(tmp_path / "a")


def without(path: Path, column: str) -> None:
    """Write a table again with one column less."""
    table = pq.read_table(path)
    metadata = (table.schema.metadata or {}).get(b"nlpviz", b"").decode()
    write_table(path, {name: table[name] for name in table.column_names if name != column}, metadata)


@pytest.mark.parametrize(
    ("name", "column", "read"),
    [
        (DOCUMENTS, "rating", documents_of),
        (DOCUMENTS, "probability.01", lambda run: probabilities_of(run, 1)),
        (DOCUMENTS, "embedding.01.step", lambda run: embeddings_of(run, 1)),
        (MAPS, "pca.2d.01", projections_of),
    ],
)
def test_missing_column_is_named(run: Run, name: str, column: str, read: Callable[[Run], object]) -> None:
    without(run.folder / name, column)
    with pytest.raises(RunError, match=rf"^{name} of the run 'toy-cnn' lacks the column {column}\.$"):
        read(run.save())
    assert embeddings_of(run.save(), 2).shape == (60, 300)


@pytest.mark.parametrize(
    "content", ["epoch,train_loss\n0,0.5\n", "train_loss\n0.5\n", "epoch\nfirst\n", "epoch\n0,1\n"], ids=ascii
)
def test_history_without_its_columns_is_refused(run: Run, content: str) -> None:
    (run.folder / HISTORY).write_text(content)
    with pytest.raises(RunError, match=r"history\.csv of the run 'toy-cnn' has a missing column or an invalid number"):
        _ = read_history(run.save(), EpochRecord)


def test_table_that_is_no_parquet_is_refused(run: Run) -> None:
    (run.folder / DOCUMENTS).write_bytes(b"PAR1 is not enough PAR1")
    with pytest.raises(RunError, match=r"documents\.parquet of the run 'toy-cnn' cannot be read"):
        _ = documents_of(run.save())


def test_vocabulary_of_another_form_is_refused(run: Run) -> None:
    (run.folder / VOCABULARY).write_bytes(b"the 3\n\xff")
    with pytest.raises(RunError, match="vocabulary of the run 'toy-cnn' is damaged"):
        _ = run.save().vocabulary


def test_unknown_epoch_is_refused_with_those_there_are(run: Run) -> None:
    for ask in (run.load, lambda epoch: probabilities_of(run, epoch), lambda epoch: embeddings_of(run, epoch)):
        with pytest.raises(RunError, match=r"'toy-cnn' has no stored epoch 7; stored epochs: 0, 1, 2, 3\.$"):
            ask(7)


def test_unknown_architecture_is_refused_with_those_there_are(run: Run) -> None:
    with pytest.raises(RunError, match=r"needs the unknown architecture 'perceptron'; available: ([\w-]+, )*cnn"):
        replace(run, architecture="perceptron").load()


@pytest.mark.parametrize("change", ["fewer weights", "another shape", "no safetensors", "another config"])
def test_weights_that_do_not_fit_are_refused(run: Run, change: str) -> None:
    weights = load_file(run.folder / WEIGHTS)
    if change == "fewer weights":
        weights.pop("output.bias")
    elif change == "another shape":
        weights["output.bias"] = torch.zeros(3)
    save_file(weights, run.folder / WEIGHTS)
    if change == "no safetensors":
        (run.folder / WEIGHTS).write_bytes(b"PK\x03\x04")
    config = {"layers": 2} if change == "another config" else {}
    run = replace(run, config={**run.config, **config}).save()
    with pytest.raises(RunError, match=r"^epoch-01\.safetensors does not fit the architecture of the run 'toy-cnn'\.$"):
        run.load(1)


def test_no_text_of_the_corpus_is_in_the_folder(run: Run) -> None:
    table = pq.read_table(run.folder / DOCUMENTS)
    assert [field.name for field in table.schema if pa.types.is_string(field.type)] == ["id"]
    for text in toy.read("test").texts:
        assert all(text.encode() not in path.read_bytes() for path in run.folder.iterdir())


@pytest.mark.usefixtures("trained")
def test_reading_runs_needs_no_torch() -> None:
    """The home page lists runs before anybody asks a model: torch alone takes two seconds."""
    program = """
import sys
from nlpviz.results.history import EpochRecord
from nlpviz.runs import list_runs
from nlpviz.runs.deletions import DELETION
from nlpviz.runs.documents import documents_of, embeddings_of, probabilities_of, projections_of
from nlpviz.runs.history import read_history
runs, problems = list_runs()
run = runs["toy-cnn"]
read_history(run, EpochRecord), run.vocabulary, documents_of(run), projections_of(run)
embeddings_of(run, 0), probabilities_of(run, 0)
from nlpviz.commands.cli import main
main(["runs"])
assert not {"torch", "sklearn", "streamlit"} & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "toy-ngrams" in done.stdout


def test_every_field_of_a_run_is_in_its_manifest(run: Run) -> None:
    written = json.loads((run.folder / MANIFEST).read_text())
    assert {item.name for item in fields(Run)} - {"name", "folder"} <= set(written)


# ------------------------------------------------------------------------------------------- tables of older weights


def test_a_table_of_other_weights_is_not_shown_and_goes_when_the_run_is_written(run: Run) -> None:
    assert set(run.made_of) == {name for name in run.files if name.endswith((".parquet", ".csv"))} - {HISTORY}
    assert set(run.made_of.values()) == {run.weights}
    weights = run.folder / weights_file(run.best_epoch)
    tensors = load_file(weights)
    save_file({name: tensor + 1 if tensor.is_floating_point() else tensor for name, tensor in tensors.items()}, weights)
    digest = sha256(weights)
    trained = replace(run, files={**run.files, weights.name: digest}).write()  # new weights beside tables of older ones
    opened = Run.open(run.folder)
    assert opened.weights != run.weights
    assert DELETION in trained.files
    assert DELETION not in opened.files
    assert DOCUMENTS not in opened.files
    (run.folder / DELETION).write_bytes(b"made anew")
    saved = opened.save()
    assert (saved.made_of, DELETION in saved.files) == ({DELETION: opened.weights}, True)
    assert not (run.folder / DOCUMENTS).exists()
    assert Run.open(run.folder).files == saved.files


def test_epochs_that_are_not_surveyed_have_weights_and_answers_alone(run: Run) -> None:
    some = replace(run, recipe={**run.recipe, "surveyed_epochs": [0, 3]}).write()
    assert (some.epochs, some.surveyed) == ((0, 1, 2, 3), (0, 3))
    assert [some.surveyed_before(epoch) for epoch in some.epochs] == [0, 0, 0, 3]
    assert some.load(2).epoch == 2
    assert len(probabilities_of(some, 2)) == len(documents_of(some).ids)
    assert embeddings_of(some, 3).shape[0] == len(documents_of(some).ids)
    with pytest.raises(RunError, match="has not been surveyed at epoch 2; surveyed epochs: 0, 3"):
        top_ngrams(some, 2)
    with pytest.raises(RunError, match="has no stored epoch 9"):
        some.check_surveyed(9)
