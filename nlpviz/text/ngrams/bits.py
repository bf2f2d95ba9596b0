"""Bits that can be counted and found, and numbers of which most are the same: what a compact table is made of.

Jacobson (1989), *Space-efficient static trees and graphs*: ``rank`` counts the ones before a place, ``select`` finds
the place of the k-th one. One number for every 64 bits makes both quick; it is counted when a table is opened.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.integer[Any]]

_WORD = 64


class Bits:
    """A row of N bits."""

    def __init__(self, packed: NDArray[np.uint64], count: int) -> None:
        """Take N = ``count`` bits, 64 to a number, the first one lowest; they may lie on disk."""
        self.packed, self.count = packed, count

    @classmethod
    def pack(cls, flags: NDArray[np.bool_]) -> Bits:
        """Return ``flags`` (N,) as bits."""
        filled = np.zeros(-(-len(flags) // _WORD) * _WORD, dtype=bool)
        filled[: len(flags)] = flags
        return cls(np.packbits(filled, bitorder="little").view(np.uint64), len(flags))

    @cached_property
    def before(self) -> NDArray[np.int64]:
        """How many ones stand before each 64 bits, and in all, (N / 64 + 1,)."""
        return np.concatenate([[0], np.cumsum(np.bitwise_count(self.packed), dtype=np.int64)])

    def at(self, places: Integers) -> NDArray[np.bool_]:
        """Return the bits at ``places`` (M,)."""
        words, offsets = np.divmod(places, _WORD)
        return (self.packed[words] >> offsets.astype(np.uint64) & np.uint64(1)).astype(bool)

    def rank(self, places: Integers) -> NDArray[np.int64]:
        """Return how many ones stand before each of ``places`` (M,), which are below N."""
        words, offsets = np.divmod(places, _WORD)
        below = (np.uint64(1) << offsets.astype(np.uint64)) - np.uint64(1)
        inside = np.bitwise_count(self.packed[words] & below)
        found: NDArray[np.int64] = self.before[words] + inside
        return found

    def select(self, numbers: Integers) -> NDArray[np.int64]:
        """Return where the one with each of ``numbers`` (M,) stands, the first being 0; there are that many."""
        words = np.searchsorted(self.before, numbers, side="right") - 1
        left = numbers - self.before[words]
        bits = np.unpackbits(self.packed[words].view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")  # (M, 64)
        ones = np.cumsum(bits, axis=1, dtype=np.uint8)
        found: NDArray[np.int64] = words * _WORD + np.argmax(ones > left[:, None], axis=1)
        return found

    def unpack(self) -> NDArray[np.bool_]:
        """Return all bits, (N,)."""
        return np.unpackbits(self.packed.view(np.uint8), bitorder="little")[: self.count].astype(bool)


class Sparse:
    """N numbers of which most are ``usual``: bits mark the others, and only these are listed."""

    def __init__(self, others: Bits, values: Integers, usual: int) -> None:
        """Take the marks and the ``values`` of the marked ones, in their order."""
        self.others, self.values, self.usual = others, values, usual

    @classmethod
    def pack(cls, numbers: Integers, usual: int) -> Sparse:
        """Return ``numbers`` (N,), none negative, in as few bytes as the largest needs."""
        marked = numbers != usual
        values = numbers[marked]
        return cls(Bits.pack(marked), values.astype(np.min_scalar_type(int(values.max(initial=0)))), usual)

    def at(self, places: Integers) -> NDArray[np.int64]:
        """Return the numbers at ``places`` (M,)."""
        result = np.full(len(places), self.usual, dtype=np.int64)
        marked = self.others.at(places)
        if marked.any():
            result[marked] = self.values[self.others.rank(places[marked])]
        return result

    def unpack(self) -> NDArray[np.int64]:
        """Return all numbers, (N,)."""
        result = np.full(self.others.count, self.usual, dtype=np.int64)
        result[self.others.unpack()] = self.values
        return result
