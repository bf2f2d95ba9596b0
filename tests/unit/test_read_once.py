"""What is made of files is made once a state, by one thread, and forgotten with the file."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from nlpviz.discovery.read_once import ReadOnce

FILES = 300
THREADS = 8


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    result = [tmp_path / f"{number:03}" for number in range(FILES)]
    for number, path in enumerate(result):
        path.write_text(str(number))
    return result


def counted(read: Callable[[Path], str]) -> tuple[ReadOnce[str], list[Path]]:
    """Return ``read``, done once, and the list of the paths that it is really called with."""
    calls: list[Path] = []

    def counting(path: Path) -> str:
        calls.append(path)
        return read(path)

    return ReadOnce(counting), calls


def test_files_that_are_read_in_turn_are_read_once(files: list[Path]) -> None:
    read, calls = counted(Path.read_text)
    for _ in range(3):
        assert [read(path) for path in files] == [str(number) for number in range(FILES)]
    assert calls == files


def test_a_file_that_has_changed_is_read_again_and_no_other(files: list[Path]) -> None:
    read, calls = counted(Path.read_text)
    before = {path: read(path) for path in files[:3]}
    times = files[1].stat()
    files[1].write_text("x")
    os.utime(files[1], ns=(times.st_atime_ns, times.st_mtime_ns))  # as long as before, and as old
    assert [read(path) for path in files[:3]] == [before[files[0]], "x", before[files[2]]]
    assert calls == [*files[:3], files[1]]


def test_what_is_gone_leaves(tmp_path: Path) -> None:
    read, _ = counted(Path.read_text)
    path = tmp_path / "stays"
    path.write_text("stays")
    for number in range(2 * FILES):
        passing = tmp_path / f"passes {number}"
        passing.write_text("passes")
        assert (read(passing), read(path)) == ("passes", "stays")
        passing.unlink()
    assert len(read) < FILES


def test_an_error_is_raised_and_not_kept(tmp_path: Path) -> None:
    def fail(_: Path) -> str:
        raise ValueError

    path = tmp_path / "file"
    read, calls = counted(fail)
    with pytest.raises(FileNotFoundError):
        read(path)
    path.touch()
    for _ in range(2):
        with pytest.raises(ValueError, match=r"^$"):
            read(path)
    assert calls == [path, path]


def test_threads_that_ask_at_once_wait_for_the_first(files: list[Path]) -> None:
    start = Barrier(THREADS)
    read, calls = counted(Path.read_text)

    def read_all(_: int) -> list[str]:
        start.wait()
        return [read(path) for path in files]

    with ThreadPoolExecutor(THREADS) as threads:
        assert list(threads.map(read_all, range(THREADS))) == [[str(number) for number in range(FILES)]] * THREADS
    assert sorted(calls) == files
