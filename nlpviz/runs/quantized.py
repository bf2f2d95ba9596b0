"""Quantised rows of numbers, with a scale per row: eight bits take a quarter of single precision.

Wu et al. (2020), *Integer Quantization for Deep Learning Inference*, section 3.1.1: affine, one scale a row. A value is
off by about half a step at most, 1/510 of what its row spans in eight bits, as long as the row is not far from zero:
its smallest value is kept in half precision.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LEVELS = 255


class Quantized(NamedTuple):
    """Rows as ``low + step * level``.

    Attributes:
        levels: uint8 (N, D), or uint16 where a row has more of them.
        low: float16 (N,), the smallest value of each row.
        step: float16 (N,), 0 where a row holds one value alone.
    """

    levels: NDArray[np.uint8]
    low: NDArray[np.float16]
    step: NDArray[np.float16]


def pack(rows: NDArray[np.floating]) -> Quantized:
    """Return ``rows`` (N, D) in eight bits per value."""
    low = rows.min(axis=1).astype(np.float16)
    spans = rows.max(axis=1) - low
    step = (spans / LEVELS).astype(np.float16)  # rounded first, so that the levels make up for its rounding
    steps = np.where(step > 0, step, 1).astype(np.float32)[:, None]
    levels = np.rint((rows - low.astype(np.float32)[:, None]) / steps)
    levels = np.clip(levels, 0, LEVELS).astype(np.uint8, order="C")  # safetensors writes memory as it lies
    return Quantized(levels, low, step)


def unpack(packed: Quantized) -> NDArray[np.float32]:
    """Return the rows (N, ...) that :func:`pack` took, single precision.

    Those of a table lie column after column in memory, as word vectors are kept.
    """
    rows = packed.levels.astype(np.float32, order="F")
    for_each_row = (-1, *[1] * (rows.ndim - 1))
    rows *= packed.step.astype(np.float32).reshape(for_each_row)  # in place: a second table would stay with the process
    rows += packed.low.astype(np.float32).reshape(for_each_row)
    return rows
