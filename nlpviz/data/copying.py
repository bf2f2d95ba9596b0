"""Copying: a sequence of random vectors of eight bits is read, and then to be said again.

Graves, Wayne and Danihelka (2014), *Neural Turing Machines*, section 4.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpviz.data.bits import BitBatch, BitTask, drawn_corpus

if TYPE_CHECKING:
    import numpy as np

_BITS = 8


def draw(random: np.random.Generator, rows: int, length: int) -> BitBatch:
    """Return ``rows`` sequences of ``length`` vectors, a mark, and as many blank steps for the answer."""
    import numpy as np

    vectors = random.integers(2, size=(rows, length, _BITS)).astype(np.float32)
    inputs = np.zeros((rows, 2 * length + 1, _BITS + 1), dtype=np.float32)
    inputs[:, :length, :_BITS] = vectors
    inputs[:, length, _BITS] = 1
    return BitBatch(inputs, vectors)


BITS = BitTask(
    name="copying",
    title="Copying",
    says="Read {length} random 8-bit vectors, then repeat them.",
    unit="vectors",
    inputs=_BITS + 1,
    outputs=_BITS,
    marks=("now repeat",),
    trained=range(1, 21),
    tested=(1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100),
    steps=lambda length: 2 * length + 1,
    draw=draw,
)
CORPUS = drawn_corpus(
    BITS,
    sha256="d2c9f015e042eaf28b2dc74494ba903213889608e3024d81f4aa425ed935fc59",
    citation="Alex Graves, Greg Wayne and Ivo Danihelka (2014): Neural Turing Machines, section 4.1",
    url="https://arxiv.org/abs/1410.5401",
)
