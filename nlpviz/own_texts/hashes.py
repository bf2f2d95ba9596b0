"""What tells that a person's own file is still the one that a recipe names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from nlpviz.data import CorpusMissing, DataError


def check_file(path: str, expected: str, kept: str = "texts (--keep-texts would have)") -> None:
    """Check that a file is there and is the one that a recipe names.

    Args:
        path: of the file, or of a folder.
        expected: its hash.
        kept: what the run does not keep, with what would have made it keep them.

    Raises:
        CorpusMissing: if it is not, saying why.
    """
    if not Path(path).exists():
        raise CorpusMissing(f"{path} is not there any more, and the run keeps no {kept}.")
    if hash_of(path) != expected:
        raise CorpusMissing(
            f"{path} has changed since the run was trained, and the run keeps no {kept.partition(' (')[0]}."
        )


def hash_of(path: str) -> str:
    """Return the sha256 of a file, or of the names and contents of a folder's files."""
    place = Path(path)
    try:
        files = tuple((each, each.stat().st_mtime_ns, each.stat().st_size) for each in _files(place))
    except OSError as problem:
        raise DataError(f"{path} cannot be read: {problem.strerror}.") from None
    return _hash(place, files)


def _files(place: Path) -> Iterator[Path]:
    if place.is_dir():
        yield from sorted(each for each in place.rglob("*") if each.is_file())
    else:
        yield place


@lru_cache(maxsize=64)
def _hash(place: Path, files: tuple[tuple[Path, int, int], ...]) -> str:
    if place.is_file():
        with place.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    digest = hashlib.sha256()
    for path, _, _ in files:
        digest.update(f"{path.relative_to(place)}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
