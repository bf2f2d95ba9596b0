"""The parts of a file: how rows are cut into them, and the answers that are there so far, beside the finished file."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from nlpviz.analysis.bulk import BulkError
from nlpviz.analysis.bulk.answers import ROWS
from nlpviz.runs.files import write_text, write_whole

ROWS_OF_A_PART, CHARACTERS_OF_A_PART = 4096, 1 << 24
"""Whichever is reached first ends a part."""
ENDINGS = (".parquet", ".jsonl")
_JOB = "job.json"


class TextRow(Protocol):
    """A row of a file of texts."""

    @property
    def number(self) -> int:
        """Where it stands in the file."""
        ...

    @property
    def text(self) -> str:
        """Its text."""
        ...

    @property
    def label(self) -> str:
        """Its label; empty where it has none."""
        ...


class Counted(NamedTuple):
    """How many rows a file has, and the hash of what stands in them."""

    rows: int
    digest: str


def parts_of(rows: Iterable[TextRow], most: int = ROWS_OF_A_PART) -> Iterator[pa.Table]:
    """Yield the parts of a file, with the columns of :data:`nlpviz.analysis.bulk.answers.ROWS`; without rows, one.

    Args:
        rows: read one at a time; no more than a part of them is in memory.
        most: rows of a part.
    """
    part: list[TextRow] = []
    characters, number = 0, 0
    for row in rows:
        part.append(row)
        characters += len(row.text)
        if len(part) >= most or characters >= CHARACTERS_OF_A_PART:
            yield _table(part)
            part, characters, number = [], 0, number + 1
    if part or not number:
        yield _table(part)


def _table(rows: list[TextRow]) -> pa.Table:
    columns = [[row.number for row in rows], [row.text for row in rows], [row.label for row in rows]]
    return pa.table(columns, schema=ROWS)


class Tally:
    """Rows that are counted and hashed as they pass."""

    def __init__(self, rows: Iterable[TextRow]) -> None:
        """Begin before the first of ``rows``."""
        self._rows, self._count, self._digest = rows, 0, hashlib.sha256()

    def __iter__(self) -> Iterator[TextRow]:
        """Yield the rows as they are."""
        for row in self._rows:
            self._digest.update(f"{row.number} {row.label!r} {len(row.text)} ".encode(errors="replace"))
            self._digest.update(row.text.encode(errors="replace"))
            self._count += 1
            yield row

    def counted(self) -> Counted:
        """Return what has passed so far."""
        return Counted(self._count, self._digest.hexdigest())


class Parts:
    """The answers to a job so far, a file each part, in a folder beside the file that they become."""

    def __init__(self, out: Path) -> None:
        """Say where the finished file is to be.

        Raises:
            BulkError: if its name tells no form that can be written, or it is there.
        """
        if out.suffix not in ENDINGS:
            raise BulkError(f"{out} has no supported file extension. The name must end in {' or '.join(ENDINGS)}.")
        if out.exists():
            raise BulkError(f"{out} already exists. Choose another name, or delete it first.")
        if not out.parent.is_dir():
            raise BulkError(f"There is no folder {out.parent}.")
        self.out, self.folder = out, out.with_name(f".{out.name}.parts")

    def begin(self, job: Mapping[str, Any]) -> None:
        """Begin a job, or go on with it.

        Raises:
            BulkError: if parts are there of another job.
        """
        said = json.loads(json.dumps(job))
        kept = self.folder / _JOB
        try:
            before = json.loads(kept.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            write_text(kept, json.dumps(said, indent=1))
            return
        if changed := sorted(key for key in said.keys() | before.keys() if said.get(key) != before.get(key)):
            raise BulkError(
                f"{self.folder} contains parts of a job with different settings ({', '.join(changed)}). Finish "
                "that job with its own command, choose another name, or delete the folder."
            )

    def path(self, number: int) -> Path:
        """Return where the answers to a part are, or will be."""
        return self.folder / f"part-{number:08d}.parquet"

    def staged(self, number: int) -> Path:
        """Return where the rows of a part wait for a cluster."""
        return self.folder / f"rows-{number:08d}.parquet"

    def has(self, number: int) -> bool:
        """Return whether a part is answered."""
        return self.path(number).is_file()

    def done(self) -> int:
        """Return how many rows are answered."""
        return sum(pq.read_metadata(path).num_rows for path in self.folder.glob("part-*.parquet"))

    def write(self, path: Path, table: pa.Table) -> None:
        """Write a part, whole or not at all."""
        write_whole(path, lambda partial: pq.write_table(table, partial, compression="zstd"))

    def finish(self, count: int) -> None:
        """Put the first ``count`` parts together as the finished file, in their order, and remove them."""
        write = _write_parquet if self.out.suffix == ".parquet" else _write_lines
        write_whole(self.out, lambda partial: write([self.path(number) for number in range(count)], partial))
        shutil.rmtree(self.folder)


def _write_parquet(parts: list[Path], path: Path) -> None:
    """Write one file of the parts, a row group each."""
    with pq.ParquetWriter(path, pq.read_schema(parts[0]), compression="zstd") as writer:
        for part in parts:
            writer.write_table(pq.ParquetFile(part).read(), row_group_size=1 << 20)


def _write_lines(parts: list[Path], path: Path) -> None:
    """Write a line of JSON for each row."""
    with path.open("w", encoding="utf-8", newline="\n") as lines:
        for part in parts:
            for row in pq.ParquetFile(part).read().to_pylist():
                lines.write(f"{json.dumps(row, ensure_ascii=False)}\n")
