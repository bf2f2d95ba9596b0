"""Initial word vectors, drawn again from their seed: six megabytes that need not be stored.

word2vec begins with uniform numbers. PyTorch draws them on a CPU from the low 24 bits of what the Mersenne Twister
(Matsumoto and Nishimura 1998) says; NumPy has the same generator and promises that its stream stays (NEP 19). So
nothing here needs torch, and a test holds the two to the same bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BITS = 24


def first_vectors(seed: int, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Return ``(torch.rand(shape) - 0.5) / D`` after ``torch.manual_seed(seed)``, of N words and D dimensions."""
    said = np.random.RandomState(seed).randint(0, 1 << 32, size=shape, dtype=np.uint32)
    uniform = (said & np.uint32((1 << _BITS) - 1)).astype(np.float32) * np.float32(2.0**-_BITS)
    result: NDArray[np.float32] = (uniform - np.float32(0.5)) / np.float32(shape[1])
    return result
