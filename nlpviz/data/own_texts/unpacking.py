"""The bytes of a file, unpacked as they are read: gzip, zip with one file in it, Zstandard. Nothing is written to disk.

How much a packed file may unpack to is bounded, since a few megabytes can hold a terabyte of zeros.
"""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Protocol, cast

from nlpviz.data.own_texts.rows import OwnTextsError

PACKED = (".gz", ".zip", ".zst")
RATIO = 200
"""A file may unpack to so many times its own bytes; text packs to a third or a tenth of them."""
FLOOR = 2**28
"""Bytes to which any file may unpack, whatever the ratio."""

_SIGNS = {b"\x1f\x8b": ".gz", b"PK\x03\x04": ".zip", b"PK\x05\x06": ".zip", b"\x28\xb5\x2f\xfd": ".zst"}


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class _Bounded(io.RawIOBase):
    """What a packed file holds, to read; raises beyond ``limit`` bytes and says what is wrong with a damaged one."""

    def __init__(self, stream: _Readable, path: Path, limit: int) -> None:
        self._stream = stream
        self._path = path
        self._left = limit

    def readable(self) -> bool:
        """Return that it is."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill ``buffer`` as far as there is something; return how many bytes that were."""
        try:
            block = self._stream.read(len(buffer))
        except (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, NotImplementedError) as problem:
            raise OwnTextsError(f"{self._path} is damaged, or compressed in an unknown format: {problem}.") from None
        self._left -= len(block)
        if self._left < 0:
            raise OwnTextsError(
                f"{self._path} unpacks to more than {RATIO} times its size, which is implausible for text."
            )
        buffer[: len(block)] = block
        return len(block)


def inner_name(path: Path) -> str:
    """Return the name of what a file holds, which is its own where it is not packed.

    Raises:
        OwnTextsError: if it is a zip with anything but one file, or one whose name leads out of its folder.
    """
    how = _packed(path)
    if how == ".zip":
        with _reading(path), zipfile.ZipFile(path) as archive:
            return _only_member(archive, path).filename
    return path.name[: -len(how)] if how and path.suffix.lower() == how else path.name


@contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """Give what ``path`` holds as a stream of bytes, unpacked.

    Raises:
        OwnTextsError: if it cannot be read, is damaged, or unpacks to too much, also while it is read.
    """
    how = _packed(path)
    limit = max(FLOOR, RATIO * path.stat().st_size)
    with _reading(path), ExitStack() as open_until_read:
        if not how:
            yield open_until_read.enter_context(path.open("rb"))
            return
        stream = _open(path, how, open_until_read)
        yield cast("IO[bytes]", io.BufferedReader(_Bounded(stream, path, limit), 2**16))


def _open(path: Path, how: str, until: ExitStack) -> _Readable:
    """Return a packed file, to read."""
    if how == ".gz":
        return until.enter_context(gzip.open(path))
    if how == ".zip":
        archive = until.enter_context(zipfile.ZipFile(path))
        return until.enter_context(archive.open(_only_member(archive, path)))
    import pyarrow as pa

    file = until.enter_context(pa.OSFile(str(path)))
    return cast("_Readable", until.enter_context(pa.CompressedInputStream(file, "zstd")))


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn what the operating system and the archives' modules say into one sentence."""
    try:
        yield
    except OSError as problem:
        raise OwnTextsError(f"{path} cannot be read: {problem.strerror or problem}.") from None
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as problem:
        raise OwnTextsError(f"{path} is damaged, or compressed in an unknown format: {problem}.") from None


def _packed(path: Path) -> str:
    """Return how a file is packed, by its first bytes, as a suffix; ``""`` where it is not."""
    with _reading(path), path.open("rb") as stream:
        head = stream.read(4)
    return next((how for sign, how in _SIGNS.items() if head.startswith(sign)), "")


def _only_member(archive: zipfile.ZipFile, path: Path) -> zipfile.ZipInfo:
    """Return the one file of a zip; what macOS puts beside it counts for nothing."""
    for member in archive.infolist():
        name = PurePosixPath(member.filename.replace("\\", "/"))
        if name.is_absolute() or ".." in name.parts:
            raise OwnTextsError(
                f"{path} contains {member.filename!r}, a path outside its folder. Unpack the archive first."
            )
    if "[Content_Types].xml" in archive.namelist():
        raise OwnTextsError(f"{path} is an office document, not a text table. Save it as CSV.")
    members = [member for member in archive.infolist() if not (member.is_dir() or _is_of_macos(member.filename))]
    if len(members) != 1:
        names = ", ".join(member.filename for member in members[:3])
        held = f"{len(members):,} files ({names}{', …' if len(members) > 3 else ''})" if members else "no files"
        raise OwnTextsError(
            f"{path} contains {held}; a zip archive must contain a single file. Unpack the archive, and name "
            "the file or the folder."
        )
    return members[0]


def _is_of_macos(name: str) -> bool:
    return name.startswith("__MACOSX/") or name.endswith(".DS_Store")
