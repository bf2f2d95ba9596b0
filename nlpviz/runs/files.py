"""Files of a run: hashed before they are read, written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a file beside ``path``, then put it there in one step; nothing is left if it fails."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write(partial)
        partial.chmod(0o644)  # safetensors makes its files for their owner alone
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write ``text``, with the same line ends on every system, atomically."""
    write_whole(path, lambda partial: partial.write_text(text, encoding="utf-8", newline="\n"))


def write_table(path: Path, columns: Mapping[str, pa.Array], metadata: str = "") -> None:
    """Write columns of equal length as parquet, compressed; ``metadata`` is kept with the schema.

    Ids and fractions, those in sixteen bits too, have no dictionary: they hardly repeat, and compress better as they
    are. A table is written once, and may take a second for a few per cent.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table(dict(columns)).replace_schema_metadata({"nlpviz": metadata} if metadata else None)
    repeated = []
    for field in table.schema:
        nested = pa.types.is_list(field.type) or pa.types.is_fixed_size_list(field.type)
        kind = field.type.value_type if nested else field.type
        if not (pa.types.is_floating(kind) or pa.types.is_uint16(kind) or field.name == "id"):
            repeated.append(f"{field.name}.list.element" if nested else field.name)
    how = {"compression": "zstd", "compression_level": 19, "use_dictionary": repeated}
    write_whole(path, lambda partial: pq.write_table(table, partial, **how))


def vectors(values: NDArray[np.number]) -> pa.FixedSizeListArray:
    """Return the rows of an array (N, E) as one column, in the array's own precision."""
    import pyarrow as pa

    return pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(values).ravel()), values.shape[1])


def matrix(table: pa.Table, column: str) -> NDArray[Any]:
    """Return a column that :func:`vectors` made as an array (N, E), in the precision in which it is stored."""
    chunk = table[column].combine_chunks()
    values = chunk.flatten().to_numpy()  # no copy; one would load pandas
    return np.asarray(values.reshape(len(chunk), -1))
