"""Arrays in a safetensors file, read where they lie: only the pages of the file that are looked at are loaded.

The format is a length, a JSON header with type, shape and place of each array, and the arrays. The library copies an
array when it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.runs.files import write_whole

_TYPES = {"U8": "u1", "U16": "<u2", "U32": "<u4", "U64": "<u8", "I64": "<i8"}


def write_mapped(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays of whole numbers into one file."""
    from safetensors.numpy import save_file

    whole = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    write_whole(path, lambda partial: save_file(whole, partial))


def mapped(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file, read-only views of it.

    Raises:
        ValueError: if the file is not what :func:`write_mapped` writes.
    """
    try:
        content = np.memmap(path, dtype=np.uint8, mode="r")
        start = 8 + int(content[:8].view("<u8")[0])
        header = json.loads(content[8:start].tobytes())
        header.pop("__metadata__", None)
        return {name: _array(content[start:], **about) for name, about in header.items()}
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path.name} does not hold arrays of whole numbers") from error


def _array(content: NDArray[np.uint8], dtype: str, shape: list[int], data_offsets: list[int]) -> NDArray[Any]:
    first, end = data_offsets
    return content[first:end].view(_TYPES[dtype]).reshape(shape)
