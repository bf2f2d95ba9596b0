"""Rows of bits and sparse numbers against the arrays that they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.text.ngrams.bits import Bits, Sparse


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
@pytest.mark.parametrize("count", [1, 63, 64, 65, 1_000])
def test_bits_are_counted_and_found(share: float, count: int) -> None:
    flags = np.random.default_rng(count).random(count) < share
    bits, places = Bits.pack(flags), np.arange(count)
    np.testing.assert_array_equal(bits.unpack(), flags)
    np.testing.assert_array_equal(bits.at(places), flags)
    np.testing.assert_array_equal(bits.rank(places), np.cumsum(flags) - flags)
    np.testing.assert_array_equal(bits.select(np.arange(flags.sum())), np.flatnonzero(flags))


@pytest.mark.parametrize("largest", [1, 200, 300, 70_000])
def test_sparse_numbers_are_the_numbers(largest: int) -> None:
    rng = np.random.default_rng(0)
    numbers = np.where(rng.random(500) < 0.1, rng.integers(0, largest + 1, 500), 1)
    sparse, places = Sparse.pack(numbers, 1), rng.permutation(500)
    np.testing.assert_array_equal(sparse.unpack(), numbers)
    np.testing.assert_array_equal(sparse.at(places), numbers[places])
    assert sparse.values.dtype == np.min_scalar_type(int(sparse.values.max()))
