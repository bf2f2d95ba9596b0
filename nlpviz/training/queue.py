"""The queue of trainings: one at a time, in a separate process that outlives the server.

A training is a folder with its recipe, the texts that were uploaded for it, and what is said of it. Whoever adds one
starts the process that works them off, unless one does already; that holds a lock, so that several servers share one
queue. What a restart of the machine interrupted goes on from its last epoch when somebody next looks.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout

from nlpviz.data.own_texts import OwnTextsError
from nlpviz.data.own_texts.names import RECIPE
from nlpviz.data.own_texts.recipe import OwnRecipe, read_recipe
from nlpviz.discovery.places import checkout
from nlpviz.runs import own_root
from nlpviz.runs.files import write_text
from nlpviz.runs.own_corpora import UNFINISHED
from nlpviz.training import TrainingError
from nlpviz.training.produce import writing

State = Literal["waiting", "running", "stopped", "failed", "done"]

QUEUE, UPLOADED = ".queue", "upload"
LOG = "log.txt"
MOST_WAITING = 20
_JOB, _WORKER, _ADDING, _WISH = "job.json", ".worker.lock", ".adding.lock", "stop"
_EVERY_S, _PATIENCE_S = 0.5, 20.0
_A_LOOK_S = 2.0
"""Who looks whether the queue is worked off holds its lock for a moment; who means to work it off waits so long."""
_LAST = 4_000  # characters of a log that are read for what it said last


class TooManyWaitError(TrainingError):
    """So many trainings wait already that another is refused."""


@dataclass(frozen=True)
class Queued:
    """A requested training.

    Attributes:
        name: of its recipe; its runs' names begin with it.
        minutes: after which it stops before its next epoch.
        added: seconds since 1970; the first one added is the first one trained.
        state: where it stands.
        said: why it stopped or failed, in a sentence.
        folder: with its recipe, its texts where they were uploaded, and its log.
    """

    name: str
    minutes: float
    added: float
    state: State
    said: str
    folder: Path

    @property
    def over(self) -> bool:
        """Whether nothing more comes of it by itself."""
        return self.state in ("stopped", "failed", "done")


def add(recipe: OwnRecipe, minutes: float, uploads: Sequence[Path] = ()) -> Queued:
    """Put a training at the end of the queue, and see to it that the queue is worked off.

    Args:
        recipe: what is to be made.
        minutes: after which it stops before its next epoch.
        uploads: the files of its texts that were uploaded: they are moved to the training, and deleted after it.

    Raises:
        TrainingError: if one of that name waits already, or too many wait; if the disk is full, or the folder of runs
            may not be written.
    """
    with writing(own_root()):
        _queue().mkdir(parents=True, exist_ok=True)
        with FileLock(_queue() / _ADDING):  # nobody takes the name, or the last place, while the folder is filled
            _check_room(recipe.name)
            job = Queued(recipe.name, minutes, time.time(), "waiting", "", _queue() / recipe.name)
            try:
                _fill(job, recipe, uploads)
            except OSError:
                shutil.rmtree(job.folder, ignore_errors=True)  # a copy of the texts is in nobody's list
                raise
    see_to_it()
    return job


def _check_room(name: str) -> None:
    """Refuse a training whose name is taken, or for which there is no place in the queue."""
    there = {job.name: job for job in queued()}
    if name in there and there[name].state != "done":
        raise TrainingError(
            f"A training run named {name!r} already exists. Resume it, remove it or choose another name."
        )
    if sum(not job.over for job in there.values()) >= MOST_WAITING:
        raise TooManyWaitError(f"The queue is full ({MOST_WAITING} training runs). Try again when some have finished.")


def _fill(job: Queued, recipe: OwnRecipe, uploads: Sequence[Path]) -> None:
    """Write the folder of a training, and last of all what puts it into the queue."""
    shutil.rmtree(job.folder, ignore_errors=True)
    job.folder.mkdir(parents=True)
    places = {upload: job.folder / UPLOADED / str(number) / upload.name for number, upload in enumerate(uploads)}
    for upload, place in places.items():
        moved: dict[str, Any] = {
            name: str(place) for name, value in asdict(recipe.texts).items() if value == str(upload.resolve())
        }
        recipe = replace(recipe, texts=replace(recipe.texts, **moved))
    write_text(job.folder / RECIPE, recipe.toml)
    for upload, place in places.items():
        place.parent.mkdir(parents=True)
        shutil.move(upload, place)
    _write(job)


def queued() -> list[Queued]:
    """Return all trainings, the first one added first."""
    jobs = (_read(file) for file in _queue().glob(f"*/{_JOB}"))
    return sorted((job for job in jobs if job is not None), key=lambda job: job.added)


def stop(job: Queued) -> None:
    """Let a training end; what its last epoch left stays, so that it can go on from there."""
    if job.state == "running":
        (job.folder / _WISH).touch()  # the process that works the queue off looks for it
    elif job.state == "waiting":
        _write(replace(job, state="stopped", said="Stopped before it started."))


def go_on(job: Queued) -> None:
    """Put a training that stopped or failed at the end of the queue again; it goes on from its last epoch."""
    if job.over:
        _write(replace(job, state="waiting", said="", added=time.time()))
        see_to_it()


def remove(job: Queued) -> None:
    """Forget a training that is over, with texts uploaded for it and what it left unfinished; its runs stay."""
    if not job.over:
        return
    with suppress(OwnTextsError):
        for run in read_recipe(job.folder / RECIPE).runs:
            shutil.rmtree(own_root() / UNFINISHED / run.name, ignore_errors=True)
    shutil.rmtree(job.folder, ignore_errors=True)


def log(job: Queued) -> list[str]:
    """Return the last lines of a training's log."""
    try:
        with (job.folder / LOG).open("rb") as stream:
            stream.seek(max(stream.seek(0, os.SEEK_END) - _LAST, 0))
            lines = stream.read().decode(errors="replace").replace("\r", "\n").split("\n")
    except OSError:
        return []
    return [line.rstrip() for line in lines if line.strip()]


def see_to_it() -> None:
    """Start the process that works the queue off, if something waits or was interrupted and no process is at it."""
    if not _worked_off() and _next() is not None:
        subprocess.Popen(
            [sys.executable, "-m", "nlpviz", "queue"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # the server's end is not its own
            cwd=checkout(),
            # a server's, whose visitors are threads of one process; a training is not
            env={name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"},
        )


def work_off() -> int:
    """Train what waits, one after the other, and return how many were tried; 0 where another process is at it."""
    tried = 0
    with suppress(Timeout):
        # again after the lock is released: who added one before that found the queue worked off, and started nobody
        while _next() is not None:
            with FileLock(_queue() / _WORKER, timeout=_A_LOOK_S):
                while (job := _next()) is not None:
                    _train(job)
                    tried += 1
    return tried


def _next() -> Queued | None:
    """Return the training whose turn it is."""
    return next((job for job in queued() if not job.over), None)


def _train(job: Queued) -> None:
    """Train one, until it ends or somebody stops it, and say what became of it."""
    (job.folder / _WISH).unlink(missing_ok=True)
    job = _write(replace(job, state="running"))
    with (job.folder / LOG).open("ab") as said:
        process = subprocess.Popen(_command(job), stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd=checkout())
        try:
            stopped = _wait(process, job)
        finally:
            _end(process)
    if stopped:
        _write(replace(job, state="stopped", said="Stopped. You can resume it from its last epoch."))
    elif process.returncode == 0:
        _write(replace(job, state="done"))
        shutil.rmtree(job.folder / UPLOADED, ignore_errors=True)  # runs that were to keep the texts have their own
    else:
        last = next(reversed(log(job)), f"The training process ended with exit code {process.returncode}.")
        out_of_time = "time limit is reached" in last
        _write(replace(job, state="stopped" if out_of_time else "failed", said=last))


def _command(job: Queued) -> list[str]:
    return [sys.executable, "-m", "nlpviz", "train", str(job.folder / RECIPE), "--minutes", f"{job.minutes:g}"]


def _wait(process: subprocess.Popen[bytes], job: Queued) -> bool:
    """Wait until a training has ended; return whether somebody stopped it before."""
    while process.poll() is None:
        if (job.folder / _WISH).exists():
            return True
        with suppress(subprocess.TimeoutExpired):
            process.wait(_EVERY_S)
    return False


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let a process end that may be under way."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _worked_off() -> bool:
    """Whether a process is working the queue off."""
    if not _queue().is_dir():
        return False
    try:
        with FileLock(_queue() / _WORKER, timeout=0):
            return False
    except Timeout:
        return True


def _queue() -> Path:
    return own_root() / QUEUE


def _write(job: Queued) -> Queued:
    said: Mapping[str, object] = {key: value for key, value in asdict(job).items() if key != "folder"}
    write_text(job.folder / _JOB, json.dumps(said, ensure_ascii=False) + "\n")
    return job


def _read(file: Path) -> Queued | None:
    """Return what a file says of a training; None where it is damaged, or being removed."""
    try:
        return Queued(**json.loads(file.read_text(encoding="utf-8")), folder=file.parent)
    except (OSError, ValueError, TypeError):
        return None
