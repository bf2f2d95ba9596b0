"""A sitting: what is begun when, what becomes of jobs that end without a run, and how processes share a GPU."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Any

import pytest
from torch import nn

from nlpviz.networks.architectures import architectures, translators
from nlpviz.training import Recipe, Stages, jobs, on_device
from nlpviz.training.jobs import Process, shared_gpu, this_program
from nlpviz.training.parts import MIB
from nlpviz.training.plan import PLAN, Planned, begins, by_gain
from nlpviz.training.recipes import recipes
from nlpviz.training.sitting import CPU, GPU, Hands, RecipeJob, Sitting

# ------------------------------------------------------------------------------------------------------------- the plan


def test_what_gains_most_a_second_comes_first_and_what_it_begins_with_before() -> None:
    order = [recipe.name for recipe in by_gain({name: recipes()[name] for name in PLAN})]
    assert order[:3] == ["imdb-skipgram", "imdb-lm", "imdb-lstm-lm"]
    assert order[-2:] == ["imdb-gru", "imdb-lstm"]
    assert all(planned.gain > 0 < planned.seconds for planned in PLAN.values())
    every = [recipe.name for recipe in by_gain(recipes())]
    assert set(every[: len(PLAN)]) == PLAN.keys(), "what is not planned comes after what is"
    assert begins(recipes()["wikitext2-lstm"]) == (), "its tests are compared with counts, its fit is not"


def test_what_gains_nothing_by_a_gpu_stays_on_the_cores() -> None:
    bound = {name for name, recipe in recipes().items() if recipe.stages is not None and recipe.stages.on_cpu}
    assert not bound & PLAN.keys()
    assert {
        "wikitext2-kn",
        "enwiki-glove",
        "enwiki-svd",
        "sst-rntn",
        "imdb-vae-2",
        "copying-ntm",
        "scenes-soft",
    } <= bound


# ------------------------------------------------------------------------------------------------------------- sittings


def recipe(name: str, needs: tuple[str, ...] = (), *, on_cpu: bool = False) -> Recipe:
    """Return a recipe that nobody makes."""
    stages = Stages(name, lambda *_: {}, lambda *_: None, lambda *_: None, begins=needs, on_cpu=on_cpu)
    return Recipe(name, name, "toy", stages.make, lambda *_: {}, stages, needs)


@dataclass
class Played(RecipeJob):
    """A job that runs until a second of the theatre's clock."""

    theatre: Theatre
    until: float
    stopped: bool = False

    def running(self) -> bool:
        """Return whether its second has not come."""
        return not self.stopped and self.theatre.now < self.until

    def stop(self) -> None:
        """Stop it."""
        self.stopped = True


@dataclass
class Theatre:
    """Jobs whose seconds are known before, on a clock that goes when somebody waits.

    Attributes:
        lasts: recipe -> seconds of each of its jobs, in turn; one that fails is negative.
        leaves: recipes that leave epochs when they fail or are stopped.
    """

    lasts: dict[str, list[float]]
    leaves: tuple[str, ...] = ()
    now: float = 100.0
    played: list[tuple[str, str, float, float]] = field(default_factory=list)
    jobs: dict[str, tuple[Played, bool]] = field(default_factory=dict)
    bundled: list[list[str]] = field(default_factory=list)

    def begin(self, one: Recipe, device: str, seconds: float) -> RecipeJob:
        """Note what is begun, where, when, and for how long."""
        self.played.append((one.name, device, round(self.now - 100), round(seconds) if seconds < inf else inf))
        lasts = self.lasts[one.name].pop(0)
        job = Played(self, self.now + abs(lasts))
        self.jobs[one.name] = job, lasts >= 0
        return job

    def made(self) -> list[str]:
        """Return the names of the runs whose job ended well."""
        return [name for name, (job, well) in self.jobs.items() if well and not job.stopped and not job.running()]

    def wait(self, seconds: float) -> None:
        """Let the clock go."""
        self.now += seconds

    def sitting(self, every: list[Recipe], room: dict[str, int], seconds: float = inf) -> Sitting:
        """Hold a sitting with these jobs and return it."""
        hands = Hands(
            self.begin,
            self.made,
            lambda one: one.name in self.leaves,
            room,
            why=lambda one: f"{one.name} fell",
            after=lambda: self.bundled.append(self.made()),
        )
        held = Sitting(every, hands, seconds, clock=lambda: self.now, wait=self.wait)
        held.hold()
        return held


@pytest.fixture
def of_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every recipe be planned to take ten seconds."""
    monkeypatch.setattr("nlpviz.training.sitting.planned", lambda _: Planned(1.0, 10.0))


def test_recipes_wait_for_what_they_begin_with_and_for_room() -> None:
    theatre = Theatre({"vectors": [5], "a": [7], "b": [7], "counts": [3]})
    every = [recipe("vectors"), recipe("a", ("vectors",)), recipe("b", ("vectors",)), recipe("counts", on_cpu=True)]
    assert theatre.sitting(every, {GPU: 1, CPU: 2}).wrong == {}
    assert theatre.played == [
        ("vectors", GPU, 0, inf),
        ("counts", CPU, 0, inf),
        ("a", GPU, 5, inf),
        ("b", GPU, 12, inf),
    ]
    assert [len(names) for names in theatre.bundled] == [1, 2, 3, 4], "each is bundled at once"


def test_without_a_gpu_all_are_fitted_on_the_cores() -> None:
    theatre = Theatre({"a": [1], "b": [1]})
    theatre.sitting([recipe("a"), recipe("b", on_cpu=True)], {CPU: 2})
    assert theatre.played == [("a", CPU, 0, inf), ("b", CPU, 0, inf)]


@pytest.mark.usefixtures("of_ten_seconds")
def test_only_what_fits_is_begun_by_what_this_sitting_measured() -> None:
    every = [recipe(name) for name in "abc"]
    quick, slow = Theatre({"a": [10], "b": [10], "c": [10]}), Theatre({"a": [80], "b": [80], "c": [80]})
    for theatre in (quick, slow):
        theatre.sitting(every, {GPU: 1}, 100 / 0.88)
    assert [name for name, *_ in quick.played] == [*"abc"]
    assert [name for name, *_ in slow.played] == ["a"], "20 s are less than 0.3 of 80"


@pytest.mark.usefixtures("of_ten_seconds")
def test_a_job_that_ends_without_a_run_is_gone_on_with_once() -> None:
    theatre = Theatre({"killed": [-2, 4], "bad": [-1, -1], "after": [1]})
    every = [recipe("killed"), recipe("bad"), recipe("after", ("bad",))]
    held = theatre.sitting(every, {GPU: 2}, 100)
    assert theatre.made() == ["killed"]
    assert held.wrong == {"bad": "bad fell", "after": "It depends on bad, which failed."}
    assert [name for name, *_ in theatre.played].count("killed") == 2


@pytest.mark.usefixtures("of_ten_seconds")
def test_what_is_still_at_work_in_the_end_is_stopped_and_concluded() -> None:
    theatre = Theatre({"long": [500, 2], "longer": [500], "killed": [-1, -1, 1]}, leaves=("long", "killed"))
    held = theatre.sitting([recipe("long"), recipe("longer"), recipe("killed")], {GPU: 3}, 100)
    assert [(name, left) for name, _, _, left in theatre.played if not left] == [("killed", 0), ("long", 0)]
    assert sorted(theatre.made()) == ["killed", "long"], "what has no epoch is lost"
    assert held.wrong == {}
    assert theatre.now < 200


def test_nothing_is_left_at_work_when_something_breaks() -> None:
    theatre = Theatre({"a": [50], "b": [1]})

    def breaks(_: float) -> None:
        raise KeyboardInterrupt

    hands = Hands(theatre.begin, theatre.made, lambda _: False, {GPU: 2})
    with pytest.raises(KeyboardInterrupt):
        Sitting([recipe("a"), recipe("b")], hands, clock=lambda: theatre.now, wait=breaks).hold()
    assert theatre.jobs["a"][0].stopped


# ------------------------------------------------------------------------------------------------------------ processes


def test_a_process_says_into_its_log_and_ends_at_once(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "a.log"
    words = "import os, sys; print(os.environ['THREADS']); sys.stderr.write('fell')"
    said = Process([sys.executable, "-c", words], log, {"THREADS": "1"})
    said.wait()
    assert not said.running()
    assert sorted(log.read_text().split()) == ["1", "fell"]
    endless = Process([sys.executable, "-c", "import time; time.sleep(600)"], log, {})
    assert endless.running()
    endless.stop()
    assert not endless.running()


@pytest.mark.parametrize(
    ("whole", "arguments", "program"),
    [
        (["python", "-m", "nlpviz", "train", "--all"], ["train", "--all"], ["-m", "nlpviz"]),
        (["python", "-X", "dev", "/bin/nlpviz", "train"], ["train"], ["-X", "dev", "/bin/nlpviz"]),
    ],
)
def test_a_process_is_this_program_again(
    whole: list[str], arguments: list[str], program: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "orig_argv", whole)
    monkeypatch.setattr(sys, "argv", ["nlpviz", *arguments])
    assert this_program() == [sys.executable, *program]


@pytest.fixture
def mps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], Path]:
    """A program in the place of NVIDIA's, which writes down what it is asked, and a trial that works or does not."""

    def put(works: bool) -> Path:
        asked = tmp_path / "asked"
        program = tmp_path / jobs.MPS
        program.write_text(
            f'#!/bin/sh\necho "$@" $CUDA_MPS_PIPE_DIRECTORY >> {asked}\n[ "$1" = -d ] || cat >> {asked}\n'
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
        monkeypatch.setattr(jobs, "_TRIAL", f"raise SystemExit({int(not works)})")
        return asked

    return put


@pytest.mark.parametrize("works", [True, False])
def test_a_gpu_is_shared_where_that_works_and_the_daemon_quits(mps: Callable[[bool], Path], works: bool) -> None:
    asked = mps(works)
    with shared_gpu() as found:
        assert bool(found) is works
        started = asked.read_text().split()
    assert started[0] == "-d"
    assert asked.read_text().endswith("quit -t 5\n")
    if works:
        assert found["CUDA_MPS_PIPE_DIRECTORY"] == started[1]


def test_without_mps_processes_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs.shutil, "which", lambda _: None)
    with shared_gpu() as found:
        assert found == {}


def test_replacing_a_recipes_stages_keeps_what_it_needs() -> None:
    one = recipe("a", ("b",))
    assert begins(one) == ("b",)
    assert begins(replace(one, stages=None, needs=("c",))) == ("c",)


def of_gpu(name: str) -> tuple[Any, nn.Module]:
    """Return the settings of a recipe as a GPU fits it, and its network before training."""
    settings = on_device(recipes()[name].settings, GPU)
    if name.startswith("multi30k"):
        known, sizes = translators(), {"source_size": 5_000, "target_size": 5_000}
    else:
        known, sizes = architectures(), {"vocabulary_size": 18_000}
    architecture = known[settings.architecture]
    return settings, architecture.build(architecture.config(**sizes, **settings.config))


@pytest.mark.parametrize("name", sorted(name for name in PLAN if "skipgram" not in name and "cbow" not in name))
def test_networks_can_be_built_as_a_gpu_fits_them_and_are_larger_there(name: str) -> None:
    settings, network = of_gpu(name)
    before = recipes()[name].settings
    assert settings.fit.epochs > before.fit.epochs
    assert settings.config != before.config
    weights = sum(weight.numel() for weight in network.parameters())
    assert 100_000 < weights < 16 * MIB, "an epoch takes a byte a weight, and a file has 16 MiB at most"


def test_the_classifier_that_begins_as_a_language_model_has_its_sizes_on_a_gpu() -> None:
    (_, language), (_, classifier) = of_gpu("imdb-lm"), of_gpu("imdb-lstm-lm")
    own = classifier.state_dict()
    taken = [name for name in language.state_dict() if name.startswith(("words.", "encoder."))]
    assert len(taken) > 3
    for name in taken:
        assert own[name.replace("words.", "embedding.", 1)].shape == language.state_dict()[name].shape
