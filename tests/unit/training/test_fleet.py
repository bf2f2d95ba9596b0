"""All runs again: in which order, what goes on, what is kept aside; packed, fitted without a corpus, finished again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from nlpviz.cli import main
from nlpviz.commands import all_runs
from nlpviz.commands.all_runs import JUDGE
from nlpviz.data import DataError
from nlpviz.data.plain_words import WordStream
from nlpviz.kinds import Criterion
from nlpviz.kinds.accuracy import NOISE
from nlpviz.runs import Run, open_run
from nlpviz.runs.documents import documents_of
from nlpviz.runs.training_log import TRAINING_LOG
from nlpviz.training import (
    Options,
    Recipe,
    TrainingError,
    fit,
    fleet,
    on_device,
    sources,
    translator,
    translator_fit,
    words,
)
from nlpviz.training.bounds import OutOfTimeError, check_time, minutes, portion, rehearsal, some
from nlpviz.training.fleet import ASIDE, SWEEP, Sweep, in_order, make_all, table
from nlpviz.training.packing import bundle, open_bundles, open_pack, pack, packed_source
from nlpviz.training.produce import BusyError, produce
from nlpviz.training.recipes import recipes
from nlpviz.training.words import WordSettings, word_recipe
from nlpviz.word_models.negative_sampling import NegativeSampling
from tests import toy, translators
from tests.words import write_toy_run

CPU = Options(device="cpu")
NEGATIVE = NegativeSampling(dimensions=8, window=2, subsample=0.0, epochs=2, step=64, block=8, shared=8)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in the place of ``trained/``."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "trained"))
    return tmp_path / "trained"


def recipe(
    name: str, needs: tuple[str, ...] = (), worth: int = 1, accuracy: Callable[[], float] = lambda: 0.9
) -> Recipe:
    """Return a recipe that writes a manifest at once."""

    def make(folder: Path, _: Options) -> None:
        measured = accuracy()
        known = {
            "name": name,
            "title": name,
            "kind": "classifier",
            "device": "cpu: 1 thread",
            "seconds": 1.0,
            "folder": folder,
        }
        metrics = {"validation": {"accuracy": measured}, "test": {"accuracy": measured - 0.01}}
        empty = {item.name: None for item in fields(Run)} | {"class_names": (), "epochs": (), "parameters": ()}
        Run(**empty | known | {"metrics": metrics, "files": {}, "shared": {}}).save()

    return Recipe(name, name, "toy", make, lambda *_: {}, needs=needs, worth=worth)


# ------------------------------------------------------------------------------------------------------------ order


def test_order_is_by_needs_then_by_worth_then_by_name() -> None:
    made = [
        recipe("b"),
        recipe("a"),
        recipe("cheap", worth=0),
        recipe("best", ("vectors",), worth=3),
        recipe("vectors"),
        recipe("counts", worth=2),
        recipe("variant", ("best",), worth=0),
        recipe("alone", ("not among them",)),
    ]
    order = [one.name for one in in_order({one.name: one for one in made})]
    assert order == ["vectors", "best", "counts", "a", "alone", "b", "cheap", "variant"]


def test_what_others_begin_with_comes_before_them() -> None:
    names = [one.name for one in all_runs.committed()]
    assert {name for name in names if name.startswith("text8")} == set()
    assert names.index("imdb-skipgram") < min(names.index(name) for name in names if "imdb-" in name and "cnn" in name)
    assert names[0] == "imdb-ngrams", "a minute, and every survey of reviews counts with it"
    assert set(names) == {name for name, one in recipes().items() if one.committed}


@pytest.mark.parametrize("name", sorted(recipes()))
def test_what_differs_on_a_gpu_are_fields_of_the_recipes_settings(name: str) -> None:
    settings = recipes()[name].settings
    changes = getattr(settings, "on_gpu", {})
    fitted = getattr(settings, "fit", None) or getattr(settings, "settings", None)
    gpu, cpu = (SimpleNamespace(device=torch.device(kind)) for kind in ("cuda", "cpu"))
    if changes:
        assert on_device(fitted, changes, gpu) == replace(fitted, **changes)  # type: ignore[arg-type]
        assert on_device(fitted, changes, cpu) == fitted  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------------ a sweep


def made_by(sweep: Sweep) -> Callable[[Recipe], None]:
    return lambda one: sweep.make(one, CPU)


def test_a_sweep_goes_on_and_repeats_nothing(runs: Path) -> None:
    calls: list[str] = []

    def counted(name: str) -> Callable[[], float]:
        return lambda: calls.append(name) or 0.9  # type: ignore[func-returns-value]

    every = [recipe(name, accuracy=counted(name)) for name in "abc"]
    sweep = Sweep(runs / SWEEP, JUDGE)
    made_by(sweep)(every[0])
    assert calls == ["a"]
    again = Sweep(runs / SWEEP, JUDGE)
    assert make_all(every, again, made_by(again)) == {}
    assert list(again.outcomes) == ["a", "b", "c"]
    assert calls == ["a", "b", "c"]
    assert open_run("c").metrics["validation"]["accuracy"] == 0.9


@pytest.mark.parametrize(("after", "aside"), [(0.95, False), (0.9 - NOISE + 1e-6, False), (0.89, True)])
def test_a_run_that_got_worse_by_more_than_chance_is_kept_aside(runs: Path, after: float, aside: bool) -> None:
    first, second = Sweep(runs / ".first.json", JUDGE), Sweep(runs / ".second.json", JUDGE)
    first.make(recipe("a", accuracy=lambda: 0.9), CPU)
    second.make(recipe("a", accuracy=lambda: after), CPU)
    stands = open_run("a").metrics["validation"]["accuracy"]
    assert stands == (0.9 if aside else after)
    assert (runs / ASIDE / "a" / "run.json").exists() is aside
    outcome = second.outcomes["a"]
    assert (outcome.measure, outcome.old, outcome.aside) == ("accuracy on test", pytest.approx(0.89), aside)
    lines = table(second.outcomes)
    assert f"{after - 0.01:.2%}" in lines[1]
    assert ("kept aside" in lines[1]) is aside


def test_the_test_split_decides_nothing(runs: Path) -> None:
    old = replace(write_toy_run(runs, "a"), kind="classifier")
    old = replace(old, metrics={"validation": {"accuracy": 0.9}, "test": {"accuracy": 0.95}})
    new = replace(old, metrics={"validation": {"accuracy": 0.9}, "test": {"accuracy": 0.5}})
    assert not JUDGE.is_worse(new, old)
    assert JUDGE.is_worse(replace(old, metrics={"validation": {"accuracy": 0.8}, "test": {"accuracy": 0.99}}), old)
    assert not JUDGE.is_worse(replace(old, metrics={"validation": {"bleu": 3.0}}), old), "it was not measured"
    assert not JUDGE.is_worse(replace(old, metrics={}), old)


def test_where_less_is_better_more_is_worse(runs: Path) -> None:
    perplexity = Criterion("validation", "perplexity", 1.0, more_is_better=False)
    old = replace(write_toy_run(runs, "a"), metrics={"validation": {"perplexity": 100.0}})
    for after, worse in ((90.0, False), (100.9, False), (101.1, True)):
        assert perplexity.is_worse(replace(old, metrics={"validation": {"perplexity": after}}), old) is worse


def test_what_goes_wrong_is_named_and_the_others_are_made(runs: Path) -> None:
    def fail() -> float:
        raise DataError("There is no such corpus.")

    every = in_order(
        {
            "bad": recipe("bad", accuracy=fail, worth=2),
            "after": recipe("after", ("bad",)),
            "later": recipe("later", ("after",)),
            "good": recipe("good"),
        }
    )
    sweep = Sweep(runs / SWEEP, JUDGE)
    wrong = make_all(every, sweep, made_by(sweep))
    assert wrong == {"bad": "There is no such corpus.", "after": "It needs bad.", "later": "It needs after."}
    assert list(sweep.outcomes) == ["good"]


def test_no_run_is_begun_when_the_time_is_over(runs: Path) -> None:
    sweep = Sweep(runs / SWEEP, JUDGE)
    with minutes(0.0):
        assert make_all([recipe("a")], sweep, made_by(sweep)) == {}
    assert sweep.outcomes == {}
    old = write_toy_run(runs, "a")
    replace(old, device="cpu: 1 thread", seconds_per_epoch=1000.0).save()
    with minutes(5.0):
        assert make_all([recipe("a")], sweep, made_by(sweep), "cpu") == {}
        assert sweep.outcomes == {}, "its epoch took longer on this kind of device"
        assert make_all([recipe("a")], sweep, made_by(sweep), "cuda") == {}
        assert list(sweep.outcomes) == ["a"], "how long it takes on another one is not known"


def test_what_another_process_is_at_is_left_to_it(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = Sweep(runs / SWEEP, JUDGE)
    order: list[str] = []

    def make(one: Recipe) -> None:
        order.append(one.name)
        if one.name == "busy" and order.count("busy") < 3:
            raise BusyError("by another process")
        sweep.make(one, CPU)

    slept: list[float] = []
    monkeypatch.setattr(fleet, "sleep", slept.append)
    assert make_all([recipe("busy"), recipe("a"), recipe("b", ("busy",))], sweep, make) == {}
    assert order == ["busy", "a", "busy", "busy", "b"]
    assert len(slept) == 1


def test_a_run_that_was_just_made_by_another_process_is_not_made_again(runs: Path) -> None:
    sweep = Sweep(runs / SWEEP, JUDGE)
    sweep.make(recipe("a"), CPU)
    with pytest.raises(BusyError, match="was made by another process"):
        sweep.make(recipe("a"), CPU)


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("kind", ["classifier", "translator"])
def test_a_training_whose_time_is_over_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    with toy.discovered(tmp_path / "texts"), translators.discovered(tmp_path / "pairs"), rehearsal(0.2):
        one = toy.recipe("cnn") if kind == "classifier" else translators.recipe("none", epochs=2)
        whole = produce(one, CPU)
        assert whole is not None
        weights = {name: digest for name, digest in whole.files.items() if name.startswith("epoch")}
        asked: list[float] = []

        def check(seconds: float) -> None:
            asked.append(seconds)
            if len(asked) == 3:
                raise OutOfTimeError("over")

        loop = fit if kind == "classifier" else translator_fit
        monkeypatch.setattr(loop, "check_time", check)
        with pytest.raises(OutOfTimeError):
            produce(one, CPU)
        assert asked[0] == 0 < asked[1] <= asked[2], "an epoch is expected to take as long as those before"
        asked[:] = [0.0] * 9
        again = produce(one, CPU)
        assert again is not None
        assert len(asked) == 9 + len(weights) - 2
        assert {name: digest for name, digest in again.files.items() if name.startswith("epoch")} == weights


@pytest.mark.parametrize(
    "arguments", [["train"], ["train", "--all", "imdb-cnn"], ["train", "imdb-cnn", "--packed", "x"]], ids=" ".join
)
def test_what_train_does_not_take_is_said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "train takes a recipe, or --all" in capsys.readouterr().err


def test_minutes_and_rehearsals_end_with_their_block() -> None:
    assert (portion(250), some(3)) == (250, slice(None))
    with minutes(1.0), rehearsal(0.1):
        check_time(50)
        with pytest.raises(OutOfTimeError):
            check_time(70)
        assert (portion(250), portion(1)) == (25, 1)
        positions = some(250)
        assert not isinstance(positions, slice)
        assert len(set(positions.tolist())) == 25
        assert (positions[1:] > positions[:-1]).all()
    check_time(1e9)
    assert portion(250) == 250


# ----------------------------------------------------------------------------------------- packed, fitted, and back


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
        monkeypatch.setattr(all_runs, "recipes", lambda: known)
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
        all_runs.train_packed(folder, CPU)
    assert not runs.exists(), "nothing is put in place where the pack is trained from"
    back = tmp_path / "back"
    back.mkdir()
    for part in folder.glob("bundle-*.zip"):
        part.rename(back / part.name)
    all_runs.unpack(back, CPU, nothing)
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


def test_a_run_is_bundled_once_and_again_only_with_what_is_new(toys: dict[str, Recipe], tmp_path: Path) -> None:
    folder = tmp_path / "there"
    pack([toys["toy-cnn"]], folder, CPU)
    all_runs.train_packed(folder, CPU)
    (part,) = folder.glob("bundle-*.zip")
    assert bundle(["toy-cnn"], folder) == []
    returned = open_bundles(folder)
    assert (list(returned.folders), returned.incomplete, returned.share) == (["toy-cnn"], [], 1.0)
    fitted = returned.folders["toy-cnn"]
    assert Run.open(fitted).metrics.keys() == {"validation"}
    (fitted / "history.csv").write_text("flipped")
    part.rename(folder / "bundle-02.zip")
    assert open_bundles(folder).incomplete == [], "what a bundle holds is written anew"


def test_a_rehearsal_stays_where_it_is(toys: dict[str, Recipe], tmp_path: Path, runs: Path) -> None:
    folder = tmp_path / "there"
    pack([toys["toy-cnn"]], folder, CPU, share=0.5)
    all_runs.train_packed(folder, CPU)
    all_runs.unpack(folder, CPU, nothing)
    run = Run.open(folder / "rehearsed" / "toy-cnn")
    assert run.corpus == {**run.corpus, "train": 90, "validation": 30, "test": 45}
    assert len(documents_of(run).ids) == 45
    assert not runs.exists()


def test_a_run_that_others_begin_with_travels_along(toys: dict[str, Recipe], tmp_path: Path, runs: Path) -> None:
    write_toy_run(runs, "toy-words")
    begun = replace(toys["toy-cnn"], needs=("toy-words",))
    pack([begun], tmp_path / "there", CPU)
    open_pack(tmp_path / "there")
    assert Run.open(tmp_path / "there" / "runs" / "toy-words").name == "toy-words"


def test_what_is_no_pack_or_not_whole_is_said(toys: dict[str, Recipe], tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no folder"):
        open_pack(tmp_path / "nowhere")
    with pytest.raises(TrainingError, match="does not hold all parts"):
        open_pack(tmp_path)
    with pytest.raises(TrainingError, match="no bundle of fitted runs"):
        open_bundles(tmp_path)
    pack([toys["toy-cnn"]], tmp_path / "there", CPU)
    with pytest.raises(TrainingError, match="There is a pack in"):
        pack([toys["toy-cnn"]], tmp_path / "there", CPU)
    open_pack(tmp_path / "there")
    content = json.loads((tmp_path / "there" / "pack.json").read_text())
    content["reads"]["nobody"] = ["nothing"]
    (tmp_path / "there" / "pack.json").write_text(json.dumps(content))
    with pytest.raises(TrainingError, match="nobody knows nobody"):
        all_runs.train_packed(tmp_path / "there", CPU)


def test_there_are_no_texts_in_a_pack(toys: dict[str, Recipe], tmp_path: Path) -> None:
    pack(list(toys.values()), tmp_path / "there", CPU)
    names = {name for read in open_pack(tmp_path / "there").reads.values() for name in read}
    assert len(names) == 10
    said = b"".join(array.tobytes() for name in names for array in packed_source(tmp_path / "there", name).values())
    texts = [text for text in toy.read("train").texts if len(text.split()) > 6]
    pairs = [text for split in translators.SPLITS for texts in translators.read(split).texts.values() for text in texts]
    assert len(texts) > 100
    assert not [text for text in [*texts, *pairs] if text.encode() in said]
