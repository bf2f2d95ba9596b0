"""All runs again: in which order, what goes on, what is kept aside, what differs on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path

import pytest

from nlpviz.commands import all_runs
from nlpviz.commands.all_runs import JUDGE
from nlpviz.commands.cli import main
from nlpviz.data import DataError
from nlpviz.run_kinds import Criterion
from nlpviz.run_kinds.accuracy import NOISE
from nlpviz.runs import Run, open_run
from nlpviz.training import (
    Options,
    Recipe,
    fleet,
    on_device,
)
from nlpviz.training.bounds import OutOfTimeError, check_time, minutes, portion, rehearsal, some
from nlpviz.training.fleet import ASIDE, SWEEP, Sweep, in_order, make_all, table
from nlpviz.training.produce import BusyError, produce
from nlpviz.training.recipes import recipes
from nlpviz.word_vectors.learning.negative_sampling import NegativeSampling
from tests import toy, translators
from tests.over import over_after
from tests.words import write_toy_run

CPU = Options(device="cpu")
NEGATIVE = NegativeSampling(dimensions=8, window=2, subsample=0.0, epochs=2, step=64, block=8, shared=8)


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
    if not getattr(settings, "on_gpu", {}):
        return
    assert on_device(settings, "cpu") is settings
    there = on_device(settings, "cuda: NVIDIA H100")
    for field, value in settings.on_gpu.items():
        now, before = getattr(there, field), getattr(settings, field)
        if isinstance(value, Mapping):
            known, old = (one if isinstance(one, Mapping) else asdict(one) for one in (now, before))
            assert known == {**old, **value}
        else:
            assert now == value
    unchanged = {field.name for field in fields(settings)} - settings.on_gpu.keys()
    assert all(getattr(there, field) == getattr(settings, field) for field in unchanged)


def test_what_begins_with_a_run_is_as_wide_as_it_on_a_gpu_too() -> None:
    known = recipes()
    for recipe in known.values():
        start = getattr(getattr(recipe.settings, "fit", None), "starts_from", "")
        if recipe.stages is None or recipe.stages.on_cpu or not start:
            continue
        for device in ("cpu", "cuda"):
            ours, theirs = (on_device(one.settings, device) for one in (recipe, known[start]))
            sizes = theirs.settings.dimensions if hasattr(theirs, "settings") else theirs.config["dimensions"]
            assert ours.config["dimensions"] == sizes, recipe.name
            if "units" in getattr(theirs, "config", {}):
                assert ours.config["units"] == theirs.config["units"]


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
    assert ("set aside" in lines[1]) is aside


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
    assert wrong == {
        "bad": "There is no such corpus.",
        "after": "It depends on bad, which failed.",
        "later": "It depends on after, which failed.",
    }
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
    with pytest.raises(BusyError, match="Another process has already trained"):
        sweep.make(recipe("a"), CPU)


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("kind", ["classifier", "translator"])
def test_a_training_whose_time_is_over_goes_on_where_it_stopped(tmp_path: Path, kind: str) -> None:
    with toy.discovered(tmp_path / "texts"), translators.discovered(tmp_path / "pairs"), rehearsal(0.2):
        one = toy.recipe("cnn") if kind == "classifier" else translators.recipe("none", epochs=2)
        whole = produce(one, CPU)
        assert whole is not None
        weights = {name: digest for name, digest in whole.files.items() if name.startswith("epoch")}
        with over_after(2) as asked, pytest.raises(OutOfTimeError):
            produce(one, CPU)
        assert asked[0] == 0 < asked[1] <= asked[2], "an epoch is expected to take as long as those before"
        with over_after(9) as asked:
            again = produce(one, CPU)
        assert again is not None
        assert len(asked) == len(weights) - 2, "two were made before"
        assert {name: digest for name, digest in again.files.items() if name.startswith("epoch")} == weights


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["train"], "Name a recipe or use --all"),
        (["train", "--all", "imdb-cnn"], "Name a recipe or use --all"),
        (["train", "imdb-cnn", "--packed", "x", "--vectors", "y"], "--vectors cannot be combined"),
        (["train", "imdb-cnn", "--processes", "2"], "need --all and --packed"),
        (["train", "imdb-cnn", "--packed", "x", "--out", "y"], "need --all and --packed"),
    ],
)
def test_what_train_does_not_take_is_said(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


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
