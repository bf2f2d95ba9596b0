"""Corpora in the format of text8: one zip with one file, words of a-z parted by single spaces.

They are read as a stream: whatever the corpus's size, a few megabytes of it are in memory at a time.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nlpviz.data import Corpus, DataError
from nlpviz.data.files import locate, verify

SPLIT = "all"

_PIECE = 2**22  # bytes
_LARGEST = 2**33  # bytes unpacked


@dataclass(frozen=True)
class WordStream:
    """The words of a corpus in their order.

    Attributes:
        path: the zip.
        member: the file in it.
        size: bytes of that file.
    """

    path: Path
    member: str
    size: int

    def __len__(self) -> int:
        """Return the number of bytes."""
        return self.size

    def pieces(self) -> Iterator[list[str]]:
        """Yield the words in pieces, which are no documents: no article's end is marked.

        Raises:
            DataError: if the archive is damaged, or holds anything but words.
        """
        rest = ""
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as stream:
                while block := stream.read(_PIECE):
                    *words, rest = (rest + block.decode("ascii")).split(" ")
                    yield [word for word in words if word]
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, UnicodeDecodeError) as error:
            raise DataError(f"{self.path} is damaged: {error}.") from error
        if rest.strip():
            yield [rest.strip()]


def open_words(corpus: Corpus, split: str) -> WordStream:
    """Return the words of ``corpus``, which has one split, ``"all"``.

    Raises:
        CorpusMissing: if it is not on this machine.
        DataError: if there is no such split, or its archive is not what was published.
    """
    if split != SPLIT:
        raise DataError(f"{corpus.title} has no split {split!r}; available: {SPLIT}.")
    path = locate(corpus)
    verify(corpus, path)
    try:
        with zipfile.ZipFile(path) as archive:
            (member,) = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError):
        raise DataError(f"{path} is not a zip archive with a single file.") from None
    if member.file_size > _LARGEST:
        raise DataError(f"{path} unpacks to {member.file_size:,} bytes, above the limit of {_LARGEST:,} bytes.")
    return WordStream(path, member.filename, member.file_size)


def no_documents(corpus_title: str, name: str) -> str:
    """Refuse to find a document in a corpus that has none."""
    raise DataError(f"{corpus_title} is one continuous text, so it has no document {name!r}.")
