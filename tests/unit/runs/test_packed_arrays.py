"""Arrays in one compressed file."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from nlpviz.runs.packed_arrays import read_packed, write_packed


def test_arrays_are_read_as_they_were_written(tmp_path: Path) -> None:
    arrays = {
        "bytes": np.arange(7, dtype=np.uint8),
        "short": np.arange(5, dtype=np.uint16).reshape(5, 1),
        "long": np.arange(3, dtype=np.uint64),
        "none": np.empty(0, dtype=np.int64),
        "unsigned": np.array([2**31], dtype=np.uint32),
    }
    write_packed(tmp_path / "a", arrays)
    found = read_packed(tmp_path / "a")
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype
    with pytest.raises(ValueError, match="read-only"):
        found["bytes"][0] = 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"1234",
        gzip.compress(b"1234"),
        gzip.compress(save({}))[:-9],
        gzip.compress(save({}))[:10] + bytes([255]) * 20,
        save({"bytes": np.arange(7)}),
    ],
    ids=["nothing", "no archive", "no arrays", "cut off", "damaged", "not packed"],
)
def test_what_is_no_such_file_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(ValueError, match="contains no arrays"):
        read_packed(tmp_path / "a")
