"""Folders that are made once: for all tests and processes, and for the runs of pytest that follow.

They stand in pytest's own cache, under the hash of all that can change them, and are made where they stay: a recipe of
one's own texts knows where its files are.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

_PLACE = "NLPVIZ_TESTS_MADE"
"""The environment variable that tells the other processes of a session where its folders stand."""
_ABOVE = ("analysis/bulk", "figures", "run_kinds/drawn", "server.py", "ui")
"""Of nlpviz: what nothing that trains or surveys imports, so that a change there makes nothing again."""
_APART = ("changed.py", "conftest.py", "edges.py", "made.py", "waiting.py")
"""Helpers of tests that make nothing."""
_KEPT = 2
"""Versions of the code whose folders are kept."""


def choose_place(config: pytest.Config) -> None:
    """Choose where a session's folders stand, before it imports the code; forget those of older code."""
    if "PYTEST_XDIST_WORKER" in os.environ or not config.pluginmanager.hasplugin("cacheprovider"):
        return
    folders = config.cache.mkdir("made")  # type: ignore[union-attr]
    place = folders / _digest(_sources(config.rootpath), f"{sys.version} {sys.prefix} {folders}", *_installed())
    lock = folders / f"{place.name}.{os.getpid()}.lock"
    used = FileLock(lock)
    with FileLock(folders / "lock"):
        place.mkdir(exist_ok=True)
        place.touch()
        used.acquire()
        _forget(folders)
    os.environ[_PLACE] = str(place)
    for end in (lambda: os.environ.pop(_PLACE), lambda: lock.unlink(missing_ok=True), used.release):
        config.add_cleanup(end)  # the last is the first to run


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that ``make`` fills, when it is asked for first, with what nobody writes into.

    It is whole when a list of its files stands beside it; what was interrupted, or written into, is made again. What
    ``make`` does may depend on its own file, on the files in ``tests``, and on nlpviz.
    """
    here = f"{_digest([Path(make.__code__.co_filename)])}/{name}"
    folder, seen = _place(factory) / here, _of_session(factory) / f"{here}.files"
    folder.parent.mkdir(parents=True, exist_ok=True)
    seen.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not seen.exists():
            files = folder.with_name(f"{folder.name}.files")
            if not files.exists() or files.read_text(encoding="utf-8") != _files(folder):
                files.unlink(missing_ok=True)
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                make(folder)
                files.write_text(_files(folder), encoding="utf-8")
            shutil.copyfile(files, seen)
    return folder


def written_into(factory: pytest.TempPathFactory) -> list[str]:
    """Return the names of folders in which a file has changed since this session first asked for them."""
    session = _of_session(factory)
    names = [seen.relative_to(session).with_suffix("") for seen in session.rglob("*.files")]
    return [
        str(name)
        for name in names
        if (session / f"{name}.files").read_text(encoding="utf-8") != _files(_place(factory) / name)
    ]


def _place(factory: pytest.TempPathFactory) -> Path:
    """Return where folders stand; those of the session alone where pytest keeps no cache."""
    return Path(os.environ.get(_PLACE, _of_session(factory).with_name("made")))


def _of_session(factory: pytest.TempPathFactory) -> Path:
    base = factory.getbasetemp()
    # each process has a folder of its own in that of the session
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared"


def _sources(root: Path) -> Iterator[Path]:
    """Yield the files on which what is made depends."""
    yield from (file for file in sorted((root / "tests").glob("*.py")) if file.name not in _APART)
    yield from sorted((root / "tests" / "toy_kinds").glob("*.py"))
    package = root / "nlpviz"
    above = [package / part for part in _ABOVE]
    for file in sorted(package.rglob("*")):
        if file.suffix in {".py", ".toml"} and not any(file.is_relative_to(part) for part in above):
            yield file


def _installed() -> list[str]:
    """Return every installed distribution with its version."""
    return sorted(entry.name for folder in sys.path if folder for entry in Path(folder).glob("*.dist-info"))


def _digest(files: Iterator[Path] | list[Path], *more: str) -> str:
    """Return the hash of names and contents of files, and of what else matters."""
    digest = hashlib.sha256("\n".join(more).encode())
    for file in files:
        digest.update(f"\0{file}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def _forget(folders: Path) -> None:
    """Remove the folders of older code that no session uses."""
    places = sorted((one for one in folders.iterdir() if one.is_dir()), key=lambda one: one.stat().st_mtime)
    for place in places[:-_KEPT]:
        if not _is_used(place):
            shutil.rmtree(place, ignore_errors=True)


def _is_used(place: Path) -> bool:
    """Return whether a session holds a lock for ``place``; locks of sessions that ended are removed."""
    for file in place.parent.glob(f"{place.name}.*.lock"):
        try:
            with FileLock(file, timeout=0):
                pass
        except Timeout:
            return True
        file.unlink(missing_ok=True)
    return False


def _files(folder: Path) -> str:
    """Return name, size and time of every file."""
    result = [(path.relative_to(folder), path.stat()) for path in sorted(folder.rglob("*")) if path.is_file()]
    return "\n".join(f"{name} {about.st_size} {about.st_mtime_ns}" for name, about in result)
