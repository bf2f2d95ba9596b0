"""Parquet, read in batches of rows: whatever the file's size, a row group is in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nlpviz.data.own_texts.formats import Beginning, Format, Table
from nlpviz.data.own_texts.rows import LONGEST_ROW, BadRow, OwnTextsError, Record, as_text

if TYPE_CHECKING:
    import pyarrow.parquet as pq

_SIGN = b"PAR1"
_BATCH = 256  # rows


def _tells(start: Beginning) -> bool:
    return start.head.startswith(_SIGN)


def _read(start: Beginning) -> Table:
    with start.path.open("rb") as stream:
        if stream.read(len(_SIGN)) != _SIGN:
            raise OwnTextsError(f"{start.source.path} is a Parquet file inside an archive. Unpack the archive first.")
    return Table(tuple(_open(start.path).schema_arrow.names), partial(_records, start.path))


def _open(path: Path) -> pq.ParquetFile:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path, memory_map=True)
    except (OSError, pa.ArrowException) as problem:
        raise OwnTextsError(f"{path} is damaged: {str(problem).splitlines()[0]}") from None


def _records(path: Path) -> Iterator[Record | BadRow]:
    import pyarrow as pa

    number = 0
    with _open(path) as file:
        try:
            for batch in file.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist():
                    number += 1
                    fields = {name: as_text(value) for name, value in row.items()}
                    if sum(map(len, fields.values())) > LONGEST_ROW:
                        yield BadRow(number, f"is longer than {LONGEST_ROW:,} characters")
                    else:
                        yield Record(number, fields)
        except (OSError, UnicodeDecodeError, pa.ArrowException) as problem:
            raise OwnTextsError(f"{path} is damaged after row {number:,}: {str(problem).splitlines()[0]}") from None


FORMAT = Format("parquet", "Parquet", 10, _tells, _read, bytes_only=True)
