"""What is made of a file, or of a folder, is made once as long as that stays as it is.

A cache of a fixed number of entries never hits where more files than that are asked for in turn, as a listing does.
This one has as many entries as there are files: one a path, of its newest state. What is gone leaves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")
_FEWEST = 64  # entries, below which nobody looks for what is gone


def state_of(path: Path) -> Hashable:
    """Return what changes whenever a file does, or raise ``OSError`` where there is none."""
    about = path.stat()
    return about.st_mtime_ns, about.st_ctime_ns, about.st_size


class _Entry:
    """What was made of a path last; one thread at a time makes it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.state: Hashable = None
        self.value: object = None


class ReadOnce(Generic[T]):
    """A decorator: calls of ``read`` with a path give what the first one made, until the path's state is another.

    Threads that ask for one path at once wait for the first; an error is raised to each, and never kept.

    Args:
        read: makes something of what is at a path; nobody changes what it returns.
        state: is no longer equal when that has to be made anew.
    """

    def __init__(self, read: Callable[[Path], T], state: Callable[[Path], Hashable] = state_of) -> None:
        self._read, self._state = read, state
        self._entries: dict[Path, _Entry] = {}
        self._lock = Lock()
        self._next_look = _FEWEST

    def __call__(self, path: Path) -> T:
        """Return what ``read`` makes of ``path`` as it is now."""
        state = self._state(path)  # before it is read: what changes meanwhile is read again
        entry = self._entries.get(path) or self._added(path)
        with entry.lock:
            if entry.state != state:
                entry.value, entry.state = self._read(path), state
            return entry.value  # type: ignore[return-value]

    def __len__(self) -> int:
        """Return how many paths are remembered."""
        return len(self._entries)

    def _added(self, path: Path) -> _Entry:
        """Return the entry of a path; what is gone leaves whenever there are twice as many as were there last time."""
        with self._lock:
            if len(self._entries) >= self._next_look:
                self._entries = {known: entry for known, entry in self._entries.items() if known.exists()}
                self._next_look = max(_FEWEST, 2 * len(self._entries))
            return self._entries.setdefault(path, _Entry())


@ReadOnce
def sha256(path: Path) -> str:
    """Return the hash of a file; computed once as long as its times and its size stay."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
