"""Levels of all epochs on one grid: each epoch is stored as its integer differences from a neighbouring epoch.

What is added up are whole numbers, so that the last epoch of a long way is as exact as the first. From one epoch to the
next most weights move by a few steps of the grid: such changes take a third to two thirds of the bytes of half
precision.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.runs.quantized import Quantized, unpack

LEVELS, CHANGES, SHAPE = ".levels", ".changes", ".shape"
_TYPES = (np.uint8, np.uint16)


class Grid(NamedTuple):
    """The grid of one tensor, for each of its R rows, which are what its first dimension counts.

    Attributes:
        low: float16 (R,), not above any value of a row.
        step: float16 (R,), from a level to the next one; 0 where a row holds one value alone.
        bits: of a level.
    """

    low: NDArray[np.float16]
    step: NDArray[np.float16]
    bits: int

    def levels(self, tensor: NDArray[np.floating]) -> NDArray[Any]:
        """Return the nearest levels of a tensor (R, ...), uint8 or uint16."""
        rows = tensor.reshape(len(self.low), -1).astype(np.float32)
        steps = np.where(self.step > 0, self.step, 1).astype(np.float32)[:, None]
        nearest = np.rint((rows - self.low.astype(np.float32)[:, None]) / steps)
        kind = _TYPES[self.bits > 8]
        levels: NDArray[Any] = np.clip(nearest, 0, (1 << self.bits) - 1).astype(kind, order="C").reshape(tensor.shape)
        return levels

    def rounded(self, tensor: NDArray[np.floating]) -> NDArray[np.float32]:
        """Return a tensor (R, ...) as it is when it has been stored on this grid."""
        return unpack(Quantized(self.levels(tensor), self.low, self.step))


class Span(NamedTuple):
    """The range of each of the R rows of a tensor over several epochs: float32 (R,) each."""

    lowest: NDArray[np.float32]
    highest: NDArray[np.float32]

    @classmethod
    def of(cls, tensors: Sequence[NDArray[np.floating]]) -> Span:
        """Return the span of ``tensors`` (R, ...), the same one at several epochs."""
        rows = [tensor.reshape(len(tensor), -1).astype(np.float32) for tensor in tensors]
        lowest, highest = (np.stack([end(one, axis=1) for one in rows]) for end in (np.min, np.max))
        return cls(lowest.min(axis=0), highest.max(axis=0))

    def grid(self, bits: int) -> Grid:
        """Return the grid of so many bits. Its ends are in half precision, rounded outwards: no value lies outside."""
        low = self.lowest.astype(np.float16)
        low = np.where(low > self.lowest, np.nextafter(low, np.float16(-np.inf)), low)
        exact = (self.highest - low.astype(np.float32)) / np.float32((1 << bits) - 1)
        step = exact.astype(np.float16)
        return Grid(low, np.where(step < exact, np.nextafter(step, np.float16(np.inf)), step), bits)


def changes(levels: NDArray[Any], before: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the differences of ``levels``, uint8 or uint16, from those ``before``, compressed.

    Differences are taken modulo the size of the type. Those of sixteen bits alternate in sign as they grow (0, -1, 1,
    -2, ...), and the low bytes come before the high ones, most of which are then 0.
    """
    difference = np.ascontiguousarray(levels - before)
    if difference.dtype == np.uint16:
        signed = difference.view(np.int16)
        alternating = ((signed << 1) ^ (signed >> 15)).view(np.uint8)
        difference = np.ascontiguousarray(alternating.reshape(-1, 2).T)
    return np.frombuffer(lzma.compress(difference.tobytes()), dtype=np.uint8)


def changed(before: NDArray[Any], packed: NDArray[np.uint8]) -> NDArray[Any]:
    """Return the levels of which :func:`changes` returned ``packed``.

    Raises:
        ValueError: if they are of other levels.
    """
    try:
        content = np.frombuffer(lzma.decompress(packed.tobytes()), dtype=np.uint8)
        if before.dtype == np.uint16:
            alternating = np.ascontiguousarray(content.reshape(2, -1).T).view(np.uint16)
            signed = (alternating >> 1).view(np.int16) ^ -(alternating & 1).view(np.int16)
            content = signed.view(np.uint16)
        difference = content.reshape(before.shape)
    except (lzma.LZMAError, ValueError):
        raise ValueError("changes of other levels") from None
    result: NDArray[Any] = before + difference
    return result
