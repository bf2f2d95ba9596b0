"""A folder of folders: the name of a text's folder is its label, as of IMDB's reviews and 20 Newsgroups.

``train/<class>/…`` and ``test/<class>/…`` are two splits, and the column ``split`` says which; in any other folder, the
first folders are the classes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from nlpviz.data.own_texts.formats import Beginning, Format, Table
from nlpviz.data.own_texts.lines import FALLBACK
from nlpviz.data.own_texts.rows import LONGEST_ROW, BadRow, OwnTextsError, Record

SPLIT = "split"
"""The column that says ``train`` or ``test``."""
_SPLITS = {"train": "train", "test": "test"}
_ENDINGS = {"20news-bydate-train": "train", "20news-bydate-test": "test"}  # as 20 Newsgroups is published


def _tells(start: Beginning) -> bool:
    return start.path.is_dir()


def _read(start: Beginning) -> Table:
    parts = {split: folder for folder in _folders(start.path) if (split := _split_of(folder.name))}
    if set(parts) != {"train", "test"}:
        parts = {"": start.path}
    classes = {folder.name for part in parts.values() for folder in _folders(part)}
    if not classes:
        raise OwnTextsError(
            f"{start.source.path} has no subfolders. Put the texts of each class into a separate subfolder."
        )
    splits = (SPLIT,) if "" not in parts else ()
    return Table(
        ("text", "label", "file", *splits),
        partial(_records, parts, start.source.encoding, start.path),
        (f"Each of the {len(classes):,} folders is a class{'; train and test are the splits' if splits else ''}.",),
        "text",
        "label",
    )


def _split_of(name: str) -> str:
    return _SPLITS.get(name) or _ENDINGS.get(name, "")


def _folders(path: Path) -> list[Path]:
    """Return the folders in ``path`` by name, hidden ones left out."""
    try:
        return sorted(each for each in path.iterdir() if each.is_dir() and not each.name.startswith("."))
    except OSError as problem:
        raise OwnTextsError(f"{path} cannot be read: {problem.strerror}.") from None


def _records(parts: dict[str, Path], encoding: str, root: Path) -> Iterator[Record | BadRow]:
    number = 0
    for split, part in sorted(parts.items(), reverse=True):  # train before test
        for folder in _folders(part):
            for path in _files(folder):
                number += 1
                read = _text(path, encoding)
                if isinstance(read, BadRow):
                    yield BadRow(number, f"({path.relative_to(root)}) {read.why}")
                    continue
                fields = {"text": read, "label": folder.name, "file": str(path.relative_to(root))}
                yield Record(number, fields | ({SPLIT: split} if split else {}))


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a class, those in folders within it too, by name; hidden ones and links out are none."""
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(where, name) for name in sorted(names) if not name.startswith("."))


def _text(path: Path, encoding: str) -> str | BadRow:
    """Return the text of a file, or why it has none."""
    try:
        with path.open("rb") as stream:
            content = stream.read(4 * LONGEST_ROW + 1)
    except OSError as problem:
        return BadRow(0, f"cannot be read: {problem.strerror}")
    for one in (encoding,) if encoding else ("utf-8-sig", FALLBACK):
        try:
            text = content.decode(one)
        except UnicodeDecodeError:
            continue
        if len(text) > LONGEST_ROW:
            return BadRow(0, f"is longer than {LONGEST_ROW:,} characters")
        return text
    return BadRow(0, f"contains bytes that are not {encoding.upper() if encoding else 'UTF-8 or Windows-1252'}")


FORMAT = Format("folder", "a folder with one subfolder per class", 0, _tells, _read, bytes_only=True)
