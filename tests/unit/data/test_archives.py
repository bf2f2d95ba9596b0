"""Reading members of an archive that nobody vouches for."""

from __future__ import annotations

import contextlib
import gzip
import io
import re
import tarfile
from pathlib import Path

import pytest

from nlpviz.data import DataError
from nlpviz.data.archives import BLOCK, tar_members

EVERY_TEXT = re.compile(r"corpus/[a-z]+\.txt")


def add(archive: tarfile.TarFile, name: str, contents: bytes = b"", kind: bytes = tarfile.REGTYPE) -> None:
    """Add one member, of any kind, to an archive that is being written."""
    member = tarfile.TarInfo(name)
    member.size = len(contents)
    member.type = kind
    member.linkname = "/etc/passwd" if kind in {tarfile.SYMTYPE, tarfile.LNKTYPE} else ""
    archive.addfile(member, io.BytesIO(contents))


def members(path: Path, largest: int = 1000, total: int = 1_000_000) -> dict[str, bytes]:
    """Read every text of the archive."""
    return dict(tar_members(path, EVERY_TEXT, largest=largest, total=total))


@pytest.fixture
def archive_path(tmp_path: Path) -> Path:
    """An archive of two texts, a folder and a file that is no text."""
    path = tmp_path / "corpus.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        add(archive, "corpus", kind=tarfile.DIRTYPE)
        add(archive, "corpus/one.txt", "première".encode())
        add(archive, "corpus/features.bin", b"\0" * 5000)
        add(archive, "corpus/two.txt", b"second")
    return path


def test_tar_members_gives_the_wanted_in_order(archive_path: Path) -> None:
    read = tar_members(archive_path, EVERY_TEXT, largest=1000, total=1_000_000)
    assert list(read) == [("corpus/one.txt", "première".encode()), ("corpus/two.txt", b"second")]


def test_tar_members_matches_whole_names(archive_path: Path) -> None:
    assert list(tar_members(archive_path, re.compile("corpus"), largest=1000, total=1_000_000)) == []


def test_tar_members_writes_nothing(archive_path: Path) -> None:
    members(archive_path)
    assert list(archive_path.parent.iterdir()) == [archive_path]


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret.txt", "corpus/../../secret.txt", "corpus/deep/../../../x"])
def test_tar_members_refuses_a_name_that_leads_out(tmp_path: Path, name: str) -> None:
    path = tmp_path / "evil.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        add(archive, name, b"escaped")
    with pytest.raises(DataError, match="a path outside its folder"):
        members(path)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_tar_members_refuses_links_and_devices(tmp_path: Path, kind: bytes) -> None:
    path = tmp_path / "evil.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        add(archive, "corpus/one.txt", kind=kind)
    with pytest.raises(DataError, match="a link or a device"):
        members(path)


def test_tar_members_bounds_each_wanted_member(archive_path: Path) -> None:
    assert len(members(archive_path, largest=len("première".encode()))) == 2, "5,000 unwanted bytes do not count"
    with pytest.raises(DataError, match=r"corpus/one\.txt with 9 bytes, above the limit of 8"):
        members(archive_path, largest=8)


def test_tar_members_bounds_the_whole_archive(tmp_path: Path) -> None:
    path = tmp_path / "bomb.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        add(archive, "corpus/zeros.bin", b"\0" * 2_000_000)
    assert path.stat().st_size < 10_000
    with pytest.raises(DataError, match="exceeds the size limit"):
        members(path, total=1_000_000)


def test_tar_members_bounds_headers_too(tmp_path: Path) -> None:
    path = tmp_path / "bomb.tar.gz"
    with tarfile.open(path, "w:gz", format=tarfile.GNU_FORMAT) as archive:
        add(archive, "corpus/" + "a" * 2_000_000 + ".txt")  # a GNU header as long as the name
    with pytest.raises(DataError, match="exceeds the size limit"):
        members(path, total=1_000_000)


@pytest.mark.parametrize("kept", [0, 5, 60, -30, -5])
def test_tar_members_tells_a_truncated_archive(archive_path: Path, kept: int) -> None:
    archive_path.write_bytes(archive_path.read_bytes()[:kept])
    with pytest.raises(DataError, match="truncated or corrupt"):
        members(archive_path)


def test_tar_members_reads_to_the_very_end(archive_path: Path) -> None:
    padded = gzip.decompress(archive_path.read_bytes()).ljust(3 * BLOCK, b"\0")
    archive_path.write_bytes(gzip.compress(padded)[:-1])
    with pytest.raises(DataError, match="truncated or corrupt"):
        members(archive_path)


def test_tar_members_never_gives_other_contents(archive_path: Path) -> None:
    whole = archive_path.read_bytes()
    expected = members(archive_path)
    unnoticed = 0
    for position in range(len(whole)):
        archive_path.write_bytes(whole[:position] + bytes([whole[position] ^ 0xFF]) + whole[position + 1 :])
        with contextlib.suppress(DataError):
            assert members(archive_path) == expected
            unnoticed += 1
    assert unnoticed <= 30, "only the gzip header has bytes that matter to nobody: the date, the file's name"


@pytest.mark.parametrize(
    "contents",
    [b"<html>log in</html>", gzip.compress(b"not a tar" * 100), gzip.compress(b"")],
    ids=["a page", "another file", "nothing"],
)
def test_tar_members_tells_another_kind_of_file(tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / "corpus.tar.gz"
    path.write_bytes(contents)
    with pytest.raises(DataError, match="truncated or corrupt"):
        members(path)


def test_tar_members_tells_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read: No such file"):
        members(tmp_path / "corpus.tar.gz")
