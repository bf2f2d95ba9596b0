"""What several runs have in common is stored once: one of them holds the file, the manifests of the others name it.

The first by name holds it. It is weights and words that are shared, which nothing
changes after a training; tables, which commands compute again, are each run's own. At every moment each reference leads
to a file: a manifest names another run's before the own one is removed, and what a run that goes away stores for others
is handed to the first of them before.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from filelock import FileLock

from nlpviz.discovery.read_once import sha256
from nlpviz.runs.files import write_whole
from nlpviz.runs.references import Reference
from nlpviz.runs.run import Run, RunError
from nlpviz.runs.weights import INITIAL, apart, weights_file

SHARED = (".safetensors", ".txt")
LOCK = ".sharing.lock"


def share(runs: Path) -> list[str]:
    """Store once what the runs in a folder have in common; return a sentence for each unavailable file.

    It also finds again what a reference lost, for example where version control merged two states of the folder.
    """
    with FileLock(runs / LOCK):
        _share(_readable(runs))
        return [problem for run in _readable(runs) for problem in _not_to_be_had(run)]


def put_in_place(made: Path, target: Path) -> Run:
    """Move a whole run to its target; at no moment is half of one there, and no other run loses a file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(target.parent / LOCK):
        for leftover in made.glob(".*"):
            leftover.unlink()
        _hand_over(target, Run.open(made))
        replaced = made.with_name(f"{made.name}.replaced")
        shutil.rmtree(replaced, ignore_errors=True)  # of a training that was killed just here
        if target.exists():
            target.rename(replaced)
        made.rename(target)
        shutil.rmtree(replaced, ignore_errors=True)
        _share(_readable(target.parent))
    return Run.open(target)


def bring(folder: Path, runs: Path) -> Run:
    """Put a copy of the run in ``folder``, from somewhere else, in its place among the runs.

    Raises:
        RunError: if it is none, or lacks a file.
    """
    run = Run.open(folder)
    runs.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".arriving-", dir=runs) as arriving:
        return put_in_place(copied(run, Path(arriving) / run.name).folder, runs / run.name)


def copied(run: Run, folder: Path) -> Run:
    """Copy a run to ``folder``, whole: with the files that others store for it.

    Raises:
        RunError: if one of these is unavailable.
    """
    stored = {name: run.file(name) for name in run.shared}
    shutil.copytree(run.folder, folder)
    for name, path in stored.items():
        shutil.copyfile(path, folder / name)
    return replace(run, name=folder.name, folder=folder, shared={}).write()


def _share(runs: Sequence[Run]) -> None:
    """Let each file that several runs have be held by one of them."""
    runs = _with_initial_tables_apart(runs)
    several = _times(runs)
    holding: dict[str, Reference] = {}
    for run in runs:
        for name, digest in run.files.items():
            wanted = name.endswith(SHARED) and (several[digest] > 1 or name in run.shared)
            if wanted and _is(run.folder / name, digest):
                holding.setdefault(digest, Reference(run.name, name))
    shared: dict[str, dict[str, Reference]] = {}
    for run in runs:
        shared[run.name] = {
            name: stored
            for name, digest in run.files.items()
            if (stored := holding.get(digest, run.shared.get(name))) and stored != (run.name, name)
        }
        if shared[run.name] != run.shared or not run.stored_bytes:
            replace(run, shared=shared[run.name]).write()
    for run in runs:  # not before no manifest names them
        for name in shared[run.name]:
            (run.folder / name).unlink(missing_ok=True)


def _with_initial_tables_apart(runs: Sequence[Run]) -> list[Run]:
    """Give the large tables of epoch 0 a file of their own where another run has that very file; return the runs."""
    first, several = weights_file(0), _times(runs)
    result = {}
    for run in runs:
        digest = run.files.get(first, "")
        if INITIAL not in run.files and several[digest] == 1 and _is(run.folder / first, digest):
            result[run.name] = apart(run.folder / first)
    digests = {name: hashlib.sha256(parts[0]).hexdigest() for name, parts in result.items() if parts}
    several.update(digests.values())
    return [_split(run, result[run.name]) if several[digests.get(run.name, "")] > 1 else run for run in runs]


def _split(run: Run, parts: tuple[bytes, bytes] | None) -> Run:
    """Store the weights of epoch 0 in two files, its large tables and the others."""
    if parts is None:
        return run
    written = dict(zip((INITIAL, weights_file(0)), parts, strict=True))
    for name, content in written.items():
        _write(run.folder / name, content)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in written.items()}
    return replace(run, files=dict(sorted({**run.files, **digests}.items()))).write()


def _hand_over(target: Path, new: Run) -> None:
    """Give what the run in ``target`` stores for others, and the ``new`` one does not, to the first of them."""
    others = [run for run in _readable(target.parent) if run.name != target.name]
    given = set()
    for run in others:
        for name, stored in run.shared.items():
            digest = run.files[name]
            lost = stored.run == target.name and new.files.get(stored.file) != digest
            if lost and digest not in given and _is(target / stored.file, digest):
                _write(run.folder / name, (target / stored.file).read_bytes())
                given.add(digest)
    if given:
        _share(others)


def _write(path: Path, content: bytes) -> None:
    write_whole(path, lambda partial: partial.write_bytes(content))


def _readable(runs: Path) -> list[Run]:
    """Return the runs in a folder by name, those left out whose manifest cannot be read."""
    result = []
    for folder in sorted(runs.iterdir()):
        if folder.is_dir() and not folder.name.startswith("."):
            try:
                result.append(Run.open(folder))
            except RunError:
                continue
    return result


def _times(runs: Sequence[Run]) -> Counter[str]:
    """Return hash -> how many files of the runs have it, wherever they are stored."""
    return Counter(digest for run in runs for digest in run.files.values())


def _is(path: Path, digest: str) -> bool:
    """Whether there is a file of that content."""
    return path.is_file() and sha256(path) == digest


def _not_to_be_had(run: Run) -> list[str]:
    """Return a sentence for each file of the run that is not there or is another one."""
    problems = []
    for name in run.files:
        try:
            run.file(name)
        except RunError as error:
            problems.append(str(error))
    return problems
