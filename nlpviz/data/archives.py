"""Members of a ``.tar.gz`` read as a stream: nothing is written to disk, and memory and time are bounded."""

from __future__ import annotations

import gzip
import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, cast

from nlpviz.data import DataError

BLOCK = 2**16  # bytes; in blocks of 2**20, tarfile took three times as long


def tar_members(path: Path, wanted: re.Pattern[str], *, largest: int, total: int) -> Iterator[tuple[str, bytes]]:
    """Yield name and contents of each member whose whole name matches ``wanted``, in the archive's order.

    Args:
        path: a tar archive compressed by gzip.
        wanted: which members to read; others are passed over.
        largest: bytes that one wanted member may have.
        total: bytes that the whole archive may unpack to, members passed over included.

    Raises:
        DataError: if the archive is truncated or corrupt, exceeds a bound, or holds a link, a device or a
            name that leads out of its folder (``/etc/passwd``, ``../x``), be it wanted or not.
    """
    try:
        with gzip.open(path) as unpacked:
            bounded = _Bounded(cast(IO[bytes], unpacked), path, total)
            with tarfile.open(fileobj=cast(IO[bytes], bounded), mode="r|", bufsize=BLOCK) as archive:
                yield from _wanted_members(archive, path, wanted, largest)
            while bounded.read(BLOCK):  # gzip compares its own checksum at the very end
                pass
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError, ValueError) as error:
        raise DataError(f"{path} is truncated or corrupt: {error}.") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error


def _wanted_members(
    archive: tarfile.TarFile, path: Path, wanted: re.Pattern[str], largest: int
) -> Iterator[tuple[str, bytes]]:
    """Yield the wanted members of an open archive."""
    while (member := archive.next()) is not None:
        archive.members = []  # type: ignore[attr-defined]  # else every header stays in memory
        _refuse_unsafe(member, path)
        if not (member.isreg() and wanted.fullmatch(member.name)):
            continue
        if member.size > largest:
            raise DataError(
                f"{path} contains {member.name} with {member.size:,} bytes, above the limit of {largest:,} bytes."
            )
        contents = archive.extractfile(member)
        if contents is not None:
            yield member.name, contents.read()


def _refuse_unsafe(member: tarfile.TarInfo, path: Path) -> None:
    """Raise if ``member`` is neither a file nor a folder, or its name leads out of the archive's folder."""
    name = PurePosixPath(member.name)
    if name.is_absolute() or ".." in name.parts:
        raise DataError(f"{path} contains {member.name!r}, a path outside its folder, and is therefore rejected.")
    if not (member.isreg() or member.isdir()):
        raise DataError(f"{path} contains {member.name!r}, a link or a device, and is therefore rejected.")


class _Bounded:
    """A file to read that raises once more than ``limit`` bytes were read: a decompression bomb ends here."""

    def __init__(self, stream: IO[bytes], path: Path, limit: int) -> None:
        self._stream = stream
        self._path = path
        self._left = limit

    def read(self, size: int) -> bytes:
        """Return at most ``size`` bytes."""
        block = self._stream.read(size)
        self._left -= len(block)
        if self._left < 0:
            raise DataError(f"{self._path} exceeds the size limit when unpacked.")
        return block
