"""Runs packed, fitted without a corpus, bundled, and finished again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from nlpviz.commands import packed_runs, packed_workers, returned_runs
from nlpviz.commands.all_runs import JUDGE
from nlpviz.commands.unpack import finish
from nlpviz.data.plain_words import WordStream
from nlpviz.runs import Run, TrainedModel, open_run
from nlpviz.runs.deletions import DELETION
from nlpviz.runs.documents import DOCUMENTS, MAPS, documents_of
from nlpviz.runs.predictions import PREDICTIONS, predictions_of
from nlpviz.runs.training_log import TRAINING_LOG
from nlpviz.training import (
    Options,
    Recipe,
    TrainingError,
    bundling,
    classifier,
    predictions,
    sources,
    translator,
    words,
)
from nlpviz.training.bounds import minutes
from nlpviz.training.bundling import bundle, open_bundles
from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.fleet import Sweep
from nlpviz.training.packing import open_pack, pack, packed_source
from nlpviz.training.predictions import ANSWERS, USED
from nlpviz.training.texts import encoded
from nlpviz.training.words import WordSettings, word_recipe
from nlpviz.word_vectors.learning.negative_sampling import NegativeSampling
from tests import toy, translators
from tests.over import over_after
from tests.words import write_toy_run

CPU = Options(device="cpu")
NEGATIVE = NegativeSampling(dimensions=8, window=2, subsample=0.0, epochs=2, step=64, block=8, shared=8)


class Row(WordStream):
    """A row of letters."""

    def __init__(self) -> None:
        """Have no file."""

    def pieces(self) -> Iterator[list[str]]:
        """Yield them in two pieces."""
        rng = np.random.default_rng(0)
        yield from (list(rng.choice(list("abcdefghijkl"), 2_000)) for _ in range(2))


@pytest.fixture
def toys(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Recipe]]:
    """A few recipes of each kind, of an epoch."""
    assert not runs.exists()
    with toy.discovered(tmp_path / "texts"), translators.discovered(tmp_path / "pairs"):
        one = toy.with_fit(epochs=1)
        vectors = word_recipe("toy-row", "Toy row", WordSettings("toy-row", "skip-gram", NEGATIVE, vocabulary_size=12))
        made = [toy.recipe("cnn", one), toy.recipe("han", one), translators.recipe("none", epochs=1), vectors]
        known = {recipe.name: recipe for recipe in [*made, toy.baseline()]}
        questions = tmp_path / "questions.txt"
        questions.write_text(": letters\na b a c\nb a b c\n")
        corpus = replace(toy.CORPUS, name="toy-row", read=lambda _: Row())
        monkeypatch.setattr(words, "corpus_named", lambda _: corpus)
        monkeypatch.setattr(words, "find_questions", lambda: questions)
        for module in (packed_runs, returned_runs):
            monkeypatch.setattr(module, "recipes", lambda: known)
        yield known


def nothing(_: Run) -> None:
    """Add nothing to a finished run."""


@pytest.mark.slow
def test_fitted_from_a_pack_a_run_is_what_it_is_where_its_corpus_is(
    toys: dict[str, Recipe], tmp_path: Path, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "there"
    del toys["toy-cnn"]  # the other classifier reads sentences besides
    pack(list(toys.values()), folder, CPU)
    assert set(open_pack(folder).reads) == toys.keys() - {"toy-ngrams"}
    with monkeypatch.context() as patch:  # fitted without a corpus
        for module in (sources, translator, words):
            for reader in {"labelled_texts", "corpora", "corpus_named", "find_questions"} & vars(module).keys():
                patch.setattr(module, reader, None)
        packed_runs.train_packed(folder, CPU)
    assert not runs.exists(), "nothing is put in place where the pack is trained from"
    back = tmp_path / "back"
    back.mkdir()
    for part in folder.glob("bundle-*.zip"):
        part.rename(back / part.name)
    returned_runs.unpack(back, CPU, nothing)
    packed = {name: open_run(name) for name in toys if name != "toy-ngrams"}
    direct = Sweep(tmp_path / "direct.json", JUDGE)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "direct"))
    for name, run in packed.items():
        direct.make(toys[name], CPU)
        same = open_run(name)
        ours, theirs = (
            {file: digest for file, digest in one.files.items() if file.endswith((".safetensors", ".txt", ".parquet"))}
            for one in (run, same)
        )
        assert (TRAINING_LOG in ours) == (run.kind == "classifier")
        assert ours == theirs
        assert run.files.keys() == same.files.keys()
        assert (run.corpus, run.recipe, run.epochs, run.config) == (same.corpus, same.recipe, same.epochs, same.config)
        assert run.metrics.keys() == same.metrics.keys()
        for split, measures in run.metrics.items():
            for measure in measures.keys() - {"sentences_per_second"}:
                assert measures[measure] == same.metrics[split][measure]


@pytest.mark.parametrize("name", ["toy-cnn", "toy-han"])
def test_test_texts_are_asked_about_where_a_run_is_fitted(
    toys: dict[str, Recipe], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = tmp_path / "there"
    pack([toys[name]], folder, CPU)
    packed_runs.train_packed(folder, CPU)
    ask, asked = predictions.exact_probabilities, []

    def count(trained: TrainedModel, rows: Sequence[NDArray[np.integer]]) -> NDArray[np.float64]:
        asked.append(len(rows))
        return ask(trained, rows)

    with monkeypatch.context() as patch:
        for module in (classifier, predictions):
            patch.setattr(module, "exact_probabilities", count)
        returned_runs.unpack(folder, CPU, lambda run: predictions.predict_run(run, epochs=(run.best_epoch,)))
    assert asked == [0], "only texts whose ratings are masked, and none has one"
    run, test = open_run(name), toy.read("test")
    assert not {ANSWERS, USED} & run.files.keys()
    rows = encoded(run.vocabulary, test.texts, sentences=name == "toy-han")
    for epoch in run.surveyed:
        expected = predictions.exact_probabilities(run.load(epoch), rows)
        found = predictions_of(run, epoch).predicted
        np.testing.assert_array_equal(found.classes, expected.argmax(axis=1))
        np.testing.assert_allclose(found.probabilities, expected.max(axis=1), atol=1e-5)
        if epoch == run.best_epoch:
            loss = -np.log(expected[np.arange(len(rows)), test.labels]).mean()
            assert run.metrics["test"]["loss"] == pytest.approx(loss, rel=1e-6)


def test_the_best_epoch_alone_is_asked_when_the_time_is_over(
    toys: dict[str, Recipe], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "there"
    pack([toys["toy-cnn"]], folder, CPU)
    monkeypatch.setattr(classifier, "seconds_left", lambda: 0.0)
    packed_runs.train_packed(folder, CPU)
    fitted = open_bundles(folder).folders["toy-cnn"]
    answered = predictions.kept_answers(fitted)
    assert answered is not None
    assert (answered.others, len(answered.best)) == ({}, len(toy.read("test").texts))
    (fitted / USED).rename(fitted / ANSWERS)
    monkeypatch.setattr(classifier, "labelled_texts", lambda *_: toy.read("train"))
    with pytest.raises(TrainingError, match="do not match the documents"):
        returned_runs.unpack(folder, CPU, nothing)


def test_epochs_that_a_run_does_not_keep_are_not_asked(toys: dict[str, Recipe], tmp_path: Path) -> None:
    settings = toys["toy-cnn"].settings
    assert isinstance(settings, classifier.ClassifierSettings)
    few = replace(settings, kept_epochs=(0,), fit=replace(settings.fit, epochs=3))
    toys["toy-cnn"] = classifier_recipe("toy-cnn", "Toy", few)
    folder = tmp_path / "there"
    pack([toys["toy-cnn"]], folder, CPU)
    packed_runs.train_packed(folder, CPU)
    fitted = Run.open(open_bundles(folder).folders["toy-cnn"])
    answered = predictions.kept_answers(fitted.folder)
    assert answered is not None
    assert len(fitted.surveyed) > 2
    assert answered.others.keys() == {0} - {fitted.best_epoch}


def test_what_came_back_is_what_was_fitted(toys: dict[str, Recipe], tmp_path: Path) -> None:
    folder = tmp_path / "there"
    pack([toys["toy-cnn"]], folder, CPU)
    packed_runs.train_packed(folder, CPU)
    (part,) = folder.glob("bundle-*.zip")
    returned = open_bundles(folder)
    assert (list(returned.folders), returned.incomplete, returned.share) == (["toy-cnn"], [], 1.0)
    fitted = returned.folders["toy-cnn"]
    assert Run.open(fitted).metrics.keys() == {"validation"}
    (fitted / "history.csv").write_text("flipped")
    part.rename(folder / "bundle-02.zip")
    assert open_bundles(folder).incomplete == [], "what a bundle holds is written anew"


def test_the_worthiest_runs_come_back_first_and_the_same_file_once(
    tmp_path: Path, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [write_toy_run(runs, name) for name in "abc"]
    for run, content in zip(made, (b"x" * 60_000, b"x" * 60_000, b"y" * 60_000), strict=True):
        (run.folder / "vectors.bin").write_bytes(content)
    made = [run.save() for run in made]
    monkeypatch.setattr(bundling, "BUNDLE_PART", bundling.MIB + 200_000)
    monkeypatch.setattr(bundling, "MOST", 1)
    aside, out = tmp_path / "aside", tmp_path / "out"
    aside.mkdir()
    whole = bundle(made, 0.5, out, aside)
    assert (whole.rest, [part.name for part in whole.parts]) == ([], ["bundle-01.zip"])
    returned = open_bundles(out)
    assert (sorted(returned.folders), returned.incomplete, returned.share) == (["a", "b", "c"], [], 0.5)
    stored = {name: (returned.folders[name] / "vectors.bin").read_bytes() for name in "abc"}
    assert stored == {"a": b"x" * 60_000, "b": b"x" * 60_000, "c": b"y" * 60_000}
    assert whole.parts[0].read_bytes().count(b"x" * 60_000) == 1
    monkeypatch.setattr(bundling, "BUNDLE_PART", bundling.MIB + 100_000)
    first = bundle(made, 0.5, out, aside)
    assert first.rest == ["c"], "the least worthy one found no room"
    assert sorted(path.name for path in out.glob("*.zip")) == ["bundle-01.zip"]
    assert [path.name for path in aside.glob("*.zip")] == ["bundle-rest-01.zip"]


def test_a_run_whose_time_is_over_comes_back_with_the_epochs_it_has(toys: dict[str, Recipe], tmp_path: Path) -> None:
    folder = tmp_path / "there"
    toys["toy-cnn"] = toy.recipe("cnn", toy.with_fit(epochs=9))
    pack([toys["toy-cnn"]], folder, CPU)
    with over_after(3):
        packed_runs.train_packed(folder, CPU)
    returned_runs.unpack(folder, CPU, nothing)
    run = open_run("toy-cnn")
    assert run.recipe["stopped"] == {"after": 2, "of": 9}
    assert run.epochs == (0, 1, 2)
    assert "Stopped after 2 of 9 epochs" in run.file("README.md").read_text()


def test_what_is_heavy_comes_back_without_the_epochs_that_are_not_kept(
    toys: dict[str, Recipe], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(toy.settings("cnn", toy.with_fit(epochs=3)), kept_epochs=(0,))
    toys["toy-cnn"] = classifier_recipe("toy-cnn", "Toy", settings)
    came: list[tuple[int, ...]] = []
    for most in (packed_workers.HEAVY, 1):
        monkeypatch.setattr(packed_workers, "HEAVY", most)
        folder = tmp_path / str(most)
        pack([toys["toy-cnn"]], folder, CPU)
        packed_runs.train_packed(folder, CPU)
        came.append(Run.open(open_bundles(folder).folders["toy-cnn"]).epochs)
    assert came[0] == (0, 1, 2, 3)
    assert came[1] == (0, Run.open(tmp_path / "1" / "runs" / "toy-cnn").best_epoch)
    returned_runs.unpack(tmp_path / "1", CPU, nothing)
    assert open_run("toy-cnn").epochs == came[1]


def test_a_run_without_an_epoch_of_training_does_not_come_back(
    toys: dict[str, Recipe], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "there"
    pack([toys["toy-cnn"]], folder, CPU)
    with over_after(1):
        packed_runs.train_packed(folder, CPU)
    assert "1 left; run the same command again to continue: toy-cnn" in capsys.readouterr().out
    assert not list(folder.glob("bundle-*.zip"))


def test_a_rehearsal_stays_where_it_is(toys: dict[str, Recipe], tmp_path: Path, runs: Path) -> None:
    folder = tmp_path / "there"
    pack([toys["toy-cnn"]], folder, CPU, share=0.5)
    packed_runs.train_packed(folder, CPU)
    returned_runs.unpack(folder, CPU, nothing)
    run = Run.open(folder / "rehearsed" / "toy-cnn")
    assert run.corpus == {**run.corpus, "train": 90, "validation": 30, "test": 45}
    assert len(documents_of(run).ids) == 45
    assert not runs.exists()


def test_a_run_that_others_begin_with_travels_along(toys: dict[str, Recipe], tmp_path: Path, runs: Path) -> None:
    write_toy_run(runs, "toy-words")
    stages = toys["toy-cnn"].stages
    assert stages is not None
    begun = replace(toys["toy-cnn"], needs=("toy-words", "toy-ngrams"), stages=replace(stages, begins=("toy-words",)))
    pack([begun], tmp_path / "there", CPU)
    open_pack(tmp_path / "there")
    assert Run.open(tmp_path / "there" / "runs" / "toy-words").name == "toy-words"


def test_what_is_no_pack_or_not_whole_is_said(toys: dict[str, Recipe], tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="does not exist"):
        open_pack(tmp_path / "nowhere")
    with pytest.raises(TrainingError, match="lacks parts"):
        open_pack(tmp_path)
    with pytest.raises(TrainingError, match="contains no bundle-"):
        open_bundles(tmp_path)
    pack([toys["toy-cnn"]], tmp_path / "there", CPU)
    with pytest.raises(TrainingError, match="already contains a pack"):
        pack([toys["toy-cnn"]], tmp_path / "there", CPU)
    open_pack(tmp_path / "there")
    content = json.loads((tmp_path / "there" / "pack.json").read_text())
    content["reads"]["nobody"] = "nothing"
    (tmp_path / "there" / "pack.json").write_text(json.dumps(content))
    with pytest.raises(TrainingError, match="contains unknown recipes: nobody"):
        packed_runs.train_packed(tmp_path / "there", CPU)


def test_there_are_no_texts_in_a_pack(toys: dict[str, Recipe], tmp_path: Path) -> None:
    pack(list(toys.values()), tmp_path / "there", CPU)
    names = {name for read in open_pack(tmp_path / "there").reads.values() for name in read}
    assert len(names) == 10
    said = b"".join(array.tobytes() for name in names for array in packed_source(tmp_path / "there", name).values())
    texts = [text for text in toy.read("train").texts if len(text.split()) > 6]
    pairs = [text for split in translators.SPLITS for texts in translators.read(split).texts.values() for text in texts]
    assert len(texts) > 100
    assert not [text for text in [*texts, *pairs] if text.encode() in said]


# --------------------------------------------------------------------------------------------------- several at a time


class Quiet:
    """A process that only says what it was started with.

    Attributes:
        started: the commands of all of them.
    """

    started: ClassVar[list[list[str]]] = []

    def __init__(self, command: list[str], log: Path, environment: dict[str, str]) -> None:
        """Note the command."""
        assert environment["OMP_NUM_THREADS"] == "1"
        self.started.append(command)
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("nlpviz: There is no such thing.\n")

    def running(self) -> bool:
        """Return that it has ended."""
        return False

    def wait(self) -> None:
        """Return at once."""


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Commands in place of processes."""
    Quiet.started.clear()
    for module in (packed_workers, returned_runs):
        monkeypatch.setattr(module, "Process", Quiet)
        monkeypatch.setattr(module, "this_program", lambda: ["nlpviz"])
    return Quiet.started


def test_each_recipe_is_fitted_by_a_process_of_its_own(
    toys: dict[str, Recipe], tmp_path: Path, quiet: list[list[str]]
) -> None:
    folder = tmp_path / "there"
    pack([toys["toy-cnn"]], folder, CPU)
    with pytest.raises(TrainingError, match="toy-cnn: There is no such thing"):
        packed_runs.train_packed(folder, Options("cpu", epochs=2), 3)
    command = ["nlpviz", "train", "toy-cnn", "--packed", str(folder), "--device", "cpu"]
    assert quiet == [[*command, "--epochs", "2"]] * 2, "it is tried twice"
    with minutes(50), pytest.raises(TrainingError):
        packed_runs.train_packed(folder, CPU, 3)
    assert 43 < float(quiet[-1][quiet[-1].index("--minutes") + 1]) < 50, "less than all, for what is left is bundled"


def test_what_others_begin_with_computes_first_on_a_shared_gpu(
    toys: dict[str, Recipe], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[dict[str, str]] = []
    monkeypatch.setattr(packed_workers, "Process", lambda _, __, environment: given.append(environment))
    monkeypatch.setattr(packed_workers, "this_program", lambda: ["nlpviz"])
    shared = packed_workers.Processes(tmp_path, CPU, {"PIPE": "here"}, frozenset({"toy-cnn"}))
    alone = packed_workers.Processes(tmp_path, CPU, {}, frozenset({"toy-cnn"}))
    for workers in (shared, alone):
        for name in ("toy-cnn", "toy-han"):
            workers.begin(toys[name], "cuda", 60)
    assert [one.get("CUDA_MPS_CLIENT_PRIORITY") for one in given] == ["0", "1", None, None]
    assert [one.get("PIPE") for one in given] == ["here", "here", None, None]


def test_a_process_fits_what_it_is_given(toys: dict[str, Recipe], tmp_path: Path) -> None:
    folder = tmp_path / "there"
    pack([toys["toy-cnn"]], folder, CPU)
    with pytest.raises(TrainingError, match="does not contain toy-han; it contains toy-cnn"):
        packed_runs.fit_packed(folder, "toy-han", CPU)
    packed_runs.fit_packed(folder, "toy-cnn", CPU)
    assert Run.open(folder / "runs" / "toy-cnn").metrics.keys() == {"validation"}


def test_what_came_back_is_finished_by_several_processes_with_what_pages_need(
    toys: dict[str, Recipe], tmp_path: Path, quiet: list[list[str]]
) -> None:
    folder = tmp_path / "there"
    pack([toys["toy-cnn"]], folder, CPU)
    packed_runs.train_packed(folder, CPU)
    returned_runs.unpack(folder, CPU, finish, processes=3)
    assert quiet == [["nlpviz", "unpack", str(folder), "--device", "cpu"]] * 2
    run = open_run("toy-cnn")
    assert {DOCUMENTS, MAPS, PREDICTIONS} < run.files.keys()
    assert DELETION not in run.files, "a survey adds it"
    assert run.metrics["validation"]["temperature"] > 0
