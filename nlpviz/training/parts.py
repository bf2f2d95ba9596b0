"""Files in parts of a certain size, for where nothing larger travels: each part a zip, a large file cut into pieces.

A part can be read without the others; what is whole is put together, and what lacks a piece is left out.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from nlpviz.training import TrainingError

MIB = 1 << 20
_PIECE = re.compile(
    r"(?P<name>[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)@(?P<number>\d+)of(?P<count>\d+)"
)
_HEAD = 1024  # bytes that a zip needs for a member beside its content, generously


def write_parts(files: Mapping[str, Path], folder: Path, stem: str, most: int) -> list[Path]:
    """Write ``files``, name -> path, into parts ``<stem>-<number>.zip`` of at most ``most`` bytes each; return them.

    Numbers go on after those that are in ``folder``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    taken = [int(path.stem.rpartition("-")[2]) for path in folder.glob(f"{stem}-*.zip")]
    written: list[Path] = []
    for number, pieces in enumerate(_filled(files, most), start=max(taken, default=0) + 1):
        path = folder / f"{stem}-{number:02d}.zip"
        partial = path.with_suffix(".partial")
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
            for name, source, start, size in pieces:
                with source.open("rb") as stream:
                    stream.seek(start)
                    archive.writestr(name, stream.read(size))
        written.append(partial.replace(path))
    return written


def count_parts(files: Mapping[str, Path], most: int) -> int:
    """Return into how many parts of at most ``most`` bytes files go."""
    return sum(1 for _ in _filled(files, most))


_Piece = tuple[str, Path, int, int]  # name in the part, file, from which byte, how many


def _filled(files: Mapping[str, Path], most: int) -> Iterator[list[_Piece]]:
    """Yield the pieces of each part: in order, a part ended where the next piece does not fit."""
    part: list[_Piece] = []
    room = most
    for piece in _pieces(files, most - 2 * _HEAD):
        if part and piece[3] + _HEAD > room:
            yield part
            part, room = [], most
        part.append(piece)
        room -= piece[3] + _HEAD
    if part:
        yield part


def _pieces(files: Mapping[str, Path], most: int) -> Iterator[_Piece]:
    for name, path in files.items():
        size = path.stat().st_size
        count = max(-(-size // most), 1)
        for number in range(count):
            start = number * most
            yield f"{name}@{number + 1}of{count}", path, start, min(most, size - start)


def read_parts(paths: Iterable[Path], folder: Path) -> list[str]:
    """Write the files that are whole in the parts at ``paths`` into ``folder``; return the names of those that are not.

    Raises:
        TrainingError: if a part is damaged, or holds what is no piece of a file.
    """
    where: dict[tuple[str, int], dict[int, Path]] = {}
    for path in sorted(paths):
        try:
            with zipfile.ZipFile(path) as archive:
                for member in archive.namelist():
                    match = _PIECE.fullmatch(member)
                    if match is None or ".." in member:
                        raise TrainingError(f"{path} contains {member!r}, which is not part of a bundle.")
                    where.setdefault((match["name"], int(match["count"])), {})[int(match["number"])] = path
        except (OSError, zipfile.BadZipFile):
            raise TrainingError(f"{path} is damaged; copy it again.") from None
    for (name, count), pieces in where.items():
        if len(pieces) == count:
            _put_together(name, count, pieces, folder)
    return [name for (name, count), pieces in where.items() if len(pieces) < count]


def _put_together(name: str, count: int, pieces: Mapping[int, Path], folder: Path) -> None:
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.partial")
    with partial.open("wb") as stream:
        for number in range(1, count + 1):
            try:
                with zipfile.ZipFile(pieces[number]) as archive:
                    stream.write(archive.read(f"{name}@{number}of{count}"))
            except zipfile.BadZipFile:  # a checksum that does not hold
                raise TrainingError(f"{pieces[number]} is damaged; copy it again.") from None
    partial.replace(target)
