"""The largest of many numbers, found without sorting them all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BLOCKS = 8
"""So many blocks for each number that is sought: most blocks then hold none of them."""


def largest(scores: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    """Return the positions of the ``count`` largest of ``scores`` (N,), the largest first; equal ones in their order.

    The ``count`` largest maxima of blocks are as many numbers, so that no number sought falls below the smallest of
    them. Few numbers reach it, and only those are sorted.
    """
    count = min(count, len(scores))
    size = len(scores) // (_BLOCKS * max(count, 1))
    if size > 1:
        whole = len(scores) // size * size
        maxima = scores[:whole].reshape(-1, size).max(axis=1)
        bound = np.partition(maxima, -count)[-count]
        few = np.flatnonzero(scores >= bound)
    else:
        few = np.arange(len(scores))
    order = np.argsort(-scores[few], kind="stable")[:count]
    return np.asarray(few[order])
