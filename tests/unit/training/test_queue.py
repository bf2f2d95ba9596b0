"""The queue of trainings on visitors' own texts: one at a time, stopped, going on, interrupted, removed."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock, Timeout

from nlpviz.data.own_texts.recipe import OwnRecipe, RunRecipe, TextsRecipe, read_recipe
from nlpviz.results.history import LanguageEpoch, TranslatorEpoch, WordEpoch, columns
from nlpviz.training import TrainingError, queue
from nlpviz.training.queue import Queued, add, go_on, queued, remove, stop, work_off
from nlpviz.training.so_far import share, so_far

Commanded = Callable[[str], None]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of runs of one's own, in whose queue nothing begins by itself."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    monkeypatch.setattr(queue, "see_to_it", lambda: None)
    return tmp_path / "runs"


@pytest.fixture
def trains(monkeypatch: pytest.MonkeyPatch) -> Commanded:
    """Let a training be what a Python program does in its folder, ``folder``."""

    def program(text: str) -> None:
        monkeypatch.setattr(
            queue, "_command", lambda job: [sys.executable, "-c", f"folder = {str(job.folder)!r}\n{text}"]
        )

    return program


def recipe(name: str = "tickets", path: str = "/there/tickets.csv") -> OwnRecipe:
    runs = [
        RunRecipe(f"{name}-ngrams", "N-grams", "baseline"),
        RunRecipe(name, "A network", "classifier", {"fit": {"epochs": 4, "seed": 3}}),
    ]
    return OwnRecipe(name, TextsRecipe(path, "0" * 64, "text", "label", classes=("a", "b")), tuple(runs))


def only() -> Queued:
    (job,) = queued()
    return job


def test_a_training_has_the_threads_that_a_server_leaves_its_visitors_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[dict[str, str]] = []
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setattr(subprocess, "Popen", lambda *_, env, **__: begun.append(env))
    add(recipe(), 5)
    (env,) = begun
    assert "OMP_NUM_THREADS" not in env
    assert env["NLPVIZ_TRAINED"] == str(tmp_path / "runs")


@pytest.mark.usefixtures("root")
def test_trainings_are_worked_off_in_their_order(trains: Commanded, tmp_path: Path) -> None:
    trains(f"open({str(tmp_path / 'order')!r}, 'a').write(folder[-1])")
    for name in ("t1", "t2", "t3"):
        add(recipe(name), 5)
    assert work_off() == 3
    assert (tmp_path / "order").read_text() == "123"
    assert [job.state for job in queued()] == ["done"] * 3
    assert work_off() == 0


def test_an_upload_is_moved_to_its_training_and_deleted_after_it(root: Path, trains: Commanded, tmp_path: Path) -> None:
    uploads = [tmp_path / "en" / "pairs.txt", tmp_path / "fr" / "pairs.txt"]
    for upload in uploads:
        upload.parent.mkdir()
        upload.write_text(f"a secret in {upload.parent.name}\n")
    wanted = recipe(path=str(uploads[0]))
    job = add(replace(wanted, texts=replace(wanted.texts, translations=str(uploads[1]))), 5, uploads)
    assert not any(upload.exists() for upload in uploads)
    texts = read_recipe(job.folder / "recipe.toml").texts
    assert Path(texts.path).read_text() == "a secret in en\n"
    assert Path(texts.translations).read_text() == "a secret in fr\n"
    trains("")
    work_off()
    assert not any("secret" in path.read_text() for path in root.rglob("*") if path.is_file())


def test_a_full_disk_queues_nothing_and_leaves_no_text(root: Path, tmp_path: Path) -> None:
    upload = tmp_path / "tickets.csv"
    upload.write_text("text,label\na secret,b\n")

    def half(source: Path, target: Path) -> None:
        target.write_text(source.read_text()[:15])
        raise OSError(ENOSPC, "No space left on device")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shutil.move", half)
        with pytest.raises(TrainingError, match=r"is full\. Free some space"):
            add(recipe(), 5, [upload])
    assert queued() == []
    assert not any("secret" in path.read_text() for path in root.rglob("*") if path.is_file())
    add(recipe(), 5, [upload])
    assert only().state == "waiting"


@pytest.mark.usefixtures("root")
def test_a_failure_is_what_was_said_last(trains: Commanded) -> None:
    trains("import sys; print('Reading'); sys.exit('nlpviz: the disk is full.')")
    add(recipe(), 5)
    work_off()
    assert (only().state, only().said) == ("failed", "nlpviz: the disk is full.")
    assert queue.log(only()) == ["Reading", "nlpviz: the disk is full."]


@pytest.mark.usefixtures("root")
def test_a_training_that_ran_out_of_time_can_go_on(trains: Commanded) -> None:
    trains("import sys; sys.exit('nlpviz: The time limit is reached; unfinished runs resume from their last epoch.')")
    add(recipe(), 5)
    work_off()
    assert only().state == "stopped"
    trains("")
    go_on(only())
    assert only().state == "waiting"
    work_off()
    assert only().state == "done"


@pytest.mark.usefixtures("root")
def test_a_training_is_stopped_while_it_goes_on(trains: Commanded) -> None:
    trains("import time\nopen(folder + '/begun', 'w').close()\ntime.sleep(600)")
    job = add(recipe(), 5)
    worker = threading.Thread(target=work_off)
    worker.start()
    while not (job.folder / "begun").exists():
        time.sleep(0.05)
    assert only().state == "running"
    stop(only())
    worker.join(120)
    assert not worker.is_alive()
    assert only().state == "stopped"


@pytest.mark.usefixtures("root")
def test_what_a_restart_interrupted_goes_on(trains: Commanded) -> None:
    job = add(recipe(), 5)
    said = json.loads((job.folder / "job.json").read_text())
    (job.folder / "job.json").write_text(json.dumps(said | {"state": "running"}))
    trains("")
    assert work_off() == 1
    assert only().state == "done"


def test_one_process_alone_works_the_queue_off(root: Path, trains: Commanded, monkeypatch: pytest.MonkeyPatch) -> None:
    trains("")
    monkeypatch.setattr(queue, "_A_LOOK_S", 0.01)
    add(recipe(), 5)
    with FileLock(root / ".queue" / ".worker.lock"):
        assert work_off() == 0
    assert only().state == "waiting"


@pytest.mark.usefixtures("root")
def test_a_training_that_is_added_while_the_worker_ends_is_worked_off(
    trains: Commanded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has found nothing more to do, but holds its lock still: nobody else begins."""
    trains("")
    add(recipe(), 5)
    looked, late = queue.queued, [recipe("late")]

    def looked_then_added() -> list[Queued]:
        jobs = looked()
        if late and all(job.over for job in jobs):
            add(late.pop(), 5)
        return jobs

    monkeypatch.setattr(queue, "queued", looked_then_added)
    assert work_off() == 2
    assert [job.state for job in looked()] == ["done"] * 2


@pytest.mark.usefixtures("root")
def test_a_name_is_taken_until_its_training_is_done(trains: Commanded) -> None:
    add(recipe(), 5)
    with pytest.raises(TrainingError, match="A training run named 'tickets' already exists"):
        add(recipe(), 5)
    stop(only())
    with pytest.raises(TrainingError, match="Resume it, remove it"):
        add(recipe(), 5)
    remove(only())
    assert not queued()
    add(recipe(), 5)
    trains("")
    work_off()
    add(recipe(), 5)
    assert only().state == "waiting"


@pytest.mark.usefixtures("root")
def test_so_many_trainings_wait_at_most() -> None:
    for number in range(queue.MOST_WAITING):
        add(recipe(f"t{number}"), 5)
    with pytest.raises(queue.TooManyWaitError, match="The queue is full"):
        add(recipe("one-more"), 5)


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize(("name", "refused"), [("tickets", "A training run named"), ("films", "The queue is full")])
def test_while_one_is_added_nobody_takes_its_name_or_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, refused: str
) -> None:
    """Another visitor adds one just when the first one's folder is filled, and has to wait until it is."""
    monkeypatch.setattr(queue, "MOST_WAITING", 1)
    came, errors = threading.Event(), list[TrainingError]()

    class Watched(FileLock):
        def acquire(self, *_: object, **__: object) -> Any:
            try:
                return super().acquire(timeout=0)
            except Timeout:
                came.set()
                return super().acquire()

    def add_another() -> None:
        try:
            add(recipe(name), 5)
        except TrainingError as error:
            errors.append(error)
        finally:
            came.set()

    others = [threading.Thread(target=add_another)]
    filled = queue._fill

    def fill(*asked: Any) -> None:
        while others:
            others.pop().start()
            assert came.wait(60)
        filled(*asked)

    monkeypatch.setattr(queue, "FileLock", Watched)
    monkeypatch.setattr(queue, "_fill", fill)
    upload = tmp_path / "tickets.csv"
    upload.write_text("the first one's")
    (other,) = others
    job = add(recipe(path=str(upload)), 5, [upload])
    other.join()
    assert [str(error)[: len(refused)] for error in errors] == [refused]
    assert only().name == "tickets"
    assert Path(read_recipe(job.folder / "recipe.toml").texts.path).read_text() == "the first one's"


def test_what_is_removed_leaves_nothing_unfinished(root: Path) -> None:
    job = add(recipe(), 5)
    unfinished = root / ".unfinished" / "tickets"
    unfinished.mkdir(parents=True)
    stop(job)
    remove(only())
    assert not unfinished.exists()
    assert not job.folder.exists()


@pytest.mark.usefixtures("root")
def test_a_damaged_entry_is_left_out() -> None:
    job = add(recipe(), 5)
    (job.folder / "job.json").write_text("{")
    assert queued() == []


def test_how_far_a_training_is(root: Path) -> None:
    import numpy as np
    from safetensors.numpy import save_file

    from nlpviz.training.state import STATE

    job = add(recipe(), 5)
    ngrams, network = so_far(job)
    assert (ngrams.made, network.made, network.records, network.epochs, network.seed) == (False, False, (), 4, 3)
    (root / "tickets-ngrams").mkdir()
    (root / "tickets-ngrams" / "run.json").write_text("{}")
    unfinished = root / ".unfinished" / "tickets"
    unfinished.mkdir(parents=True)
    names = ("train_loss", "train_accuracy", "validation_loss", "validation_accuracy", "gradient_norm", "seconds")
    records = [{"epoch": epoch} | dict.fromkeys(names, 0.5) for epoch in range(3)]
    save_file({"one": np.zeros(1)}, unfinished / STATE, {"records": json.dumps(records)})
    ngrams, network = so_far(job)
    assert (ngrams.made, ngrams.share) == (True, 1)
    assert [record.epoch for record in network.records] == [0, 1, 2]
    assert network.share == pytest.approx(0.35), "two of four epochs, which are seven tenths of the work"
    assert share(so_far(job)) == pytest.approx(0.675)
    (unfinished / STATE).write_bytes(b"half a file")
    assert so_far(job)[1].records == ()


@pytest.mark.parametrize(
    ("kind", "settings", "records"),
    [
        ("language-model", {"fit": {"epochs": 2}}, [LanguageEpoch(epoch, 3.0, 3.1, 0.5, 1.0) for epoch in (0, 1)]),
        ("translator", {"fit": {"epochs": 2}}, [TranslatorEpoch(epoch, 3.0, 3.1, 0.2, 0.5, 1.0) for epoch in (0, 1)]),
        ("word-vectors", {"settings": {"epochs": 2}, "seed": 7}, [WordEpoch(epoch, 3.0, 0.1, 1.0) for epoch in (0, 1)]),
    ],
)
def test_how_far_a_run_is_says_its_state_whatever_its_kind(
    root: Path, kind: str, settings: dict[str, Any], records: list[Any]
) -> None:
    import numpy as np
    from safetensors.numpy import save_file

    from nlpviz.training.state import STATE

    texts = TextsRecipe("/there/plays.txt", "0" * 64, "text")
    job = add(OwnRecipe("plays", texts, (RunRecipe("plays", "A network", kind, settings),)), 5)
    unfinished = root / ".unfinished" / "plays"
    unfinished.mkdir(parents=True)
    written = [{name: getattr(one, name) for name in columns(type(one))} for one in records]
    save_file({"one": np.zeros(1)}, unfinished / STATE, {"records": json.dumps(written)})
    (run,) = so_far(job)
    assert list(run.records) == records
    assert run.share == pytest.approx(0.35)
    assert (run.epochs, run.seed) == (2, settings.get("seed", 0))
