"""Columns of parsed corpora on disk, in Arrow's file format: memory-mapped, so that they open at once."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, overload

from nlpviz.data import DataError
from nlpviz.discovery.read_once import ReadOnce

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

BLOCK = 1024  # texts


@dataclass(frozen=True, eq=False)
class LabelledTexts:
    """The texts of one split, column by column.

    Attributes:
        ids: that begin with the split, for example ``"test/sci.space/60822"``.
        ratings: int8 of shape (N,): 1 to 10, or 0 where there is none.
        labels: int8 of shape (N,): class indices.
        texts: N texts; each becomes a ``str`` when it is asked for.
    """

    ids: Sequence[str]
    ratings: NDArray[np.int8]
    labels: NDArray[np.int8]
    texts: Sequence[str]

    def __len__(self) -> int:
        """Return the number of texts, N."""
        return len(self.ids)


class TextColumn(Sequence[str]):
    """The texts of a column: each becomes a ``str`` when it is asked for."""

    def __init__(self, column: pa.StringArray) -> None:
        """Wrap an Arrow array of strings without copying it."""
        self._column = column

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self._column)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> TextColumn: ...

    def __getitem__(self, index: int | slice) -> str | TextColumn:
        """Return one text, or a column of several."""
        if isinstance(index, slice):
            return TextColumn(self._column[index])
        return str(self._column[int(index)].as_py())

    def __iter__(self) -> Iterator[str]:
        """Yield the texts in order, in blocks: several times as fast as one by one."""
        for start in range(0, len(self), BLOCK):
            yield from self._column[start : start + BLOCK].to_pylist()


def write_batch(path: Path, batch: pa.RecordBatch) -> None:
    """Write ``batch`` to ``path``, which at no moment is half written, whoever else writes it too."""
    import pyarrow as pa

    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as stream, pa.ipc.new_file(stream, batch.schema) as writer:
            writer.write_batch(batch)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def open_or_build(path: Path, schema: pa.Schema, build: Callable[[], None]) -> pa.RecordBatch:
    """Return the batch in ``path``, which ``build`` writes where it is missing, damaged or of another schema.

    Raises:
        DataError: if it cannot be written, or not be read back.
    """
    batch = open_batch(path, schema)
    if batch is not None:
        return batch
    try:
        build()
    except OSError as error:
        raise DataError(
            f"The parsed texts cannot be stored in {path.parent} ({error.strerror or error}). "
            "Free some space there, or set NLPVIZ_CACHE to another folder."
        ) from error
    batch = open_batch(path, schema)
    if batch is None:
        raise DataError(f"{path} cannot be read. Set NLPVIZ_CACHE to another folder.")
    return batch


def open_batch(path: Path, schema: pa.Schema) -> pa.RecordBatch | None:
    """Return the batch in ``path``, memory-mapped, or None if it is missing, damaged or of another schema.

    The schema's metadata counts: it says from what the columns were made.
    """
    try:
        batch = _mapped(path)
    except OSError:
        return None
    return batch if batch is not None and batch.schema.equals(schema, check_metadata=True) else None


@ReadOnce
def _mapped(path: Path) -> pa.RecordBatch | None:
    import pyarrow as pa

    try:
        with pa.memory_map(str(path)) as source:
            batch = pa.ipc.open_file(source).get_batch(0)
        batch.validate(full=True)  # offsets in bounds and texts in UTF-8: a damaged file must not crash later
    except (OSError, ValueError, pa.ArrowException):
        return None
    return batch


def text_called(batch: pa.RecordBatch, name: str) -> str | None:
    """Return the text of the row whose ``id`` is ``name``, without reading another; None where there is none."""
    at = batch["id"].index(name).as_py()
    return None if at < 0 else str(batch["text"][at].as_py())
