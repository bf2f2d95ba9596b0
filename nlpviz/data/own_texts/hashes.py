"""The hashes that show that the user's file is still the file that a recipe names."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterator
from functools import partial
from pathlib import Path

from nlpviz.data import CorpusMissing, DataError
from nlpviz.discovery.read_once import ReadOnce, sha256, state_of


def check_file(path: str, expected: str, kept: str = "texts (use --keep-texts to store them)") -> None:
    """Check that a file is there and is the one that a recipe names.

    Args:
        path: of the file, or of a folder.
        expected: its hash.
        kept: what the run does not keep, with what would have made it keep them.

    Raises:
        CorpusMissing: if it is not, saying why.
    """
    if not Path(path).exists():
        raise CorpusMissing(f"{path} no longer exists, and the run stores no {kept}.")
    if hash_of(path) != expected:
        raise CorpusMissing(
            f"{path} has changed since the run was trained, and the run stores no {kept.partition(' (')[0]}."
        )


def hash_of(path: str) -> str:
    """Return the sha256 of a file, or of the names and contents of a folder's files."""
    try:
        return _hash(Path(path))
    except OSError as problem:
        raise DataError(f"{path} cannot be read: {problem.strerror}.") from None


def _files(place: Path) -> Iterator[Path]:
    if place.is_dir():
        yield from sorted(each for each in place.rglob("*") if each.is_file())
    else:
        yield place


def _state(place: Path) -> Hashable:
    return tuple((each, state_of(each)) for each in _files(place))


@partial(ReadOnce, state=_state)
def _hash(place: Path) -> str:
    if place.is_file():
        return sha256(place)
    digest = hashlib.sha256()
    for path in _files(place):
        digest.update(f"{path.relative_to(place)}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
