"""Associative recall: items are read one after the other, then one of them again, and the item after it is to be said.

Graves, Wayne and Danihelka (2014), *Neural Turing Machines*, section 4.3: an item is three vectors of six bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpviz.data.bits import BitBatch, BitTask, drawn_corpus

if TYPE_CHECKING:
    import numpy as np

_BITS, _VECTORS = 6, 3
_ITEM, _QUERY = _BITS, _BITS + 1
_EACH = _VECTORS + 1
"""Steps of an item, its mark among them."""


def draw(random: np.random.Generator, rows: int, length: int) -> BitBatch:
    """Return ``rows`` sequences of ``length`` items, a mark before each, and one of them again between two marks."""
    import numpy as np

    bits = length * _VECTORS * _BITS
    drawn = random.random((rows, bits + 1))  # at once: the first rows are the same ones, however many there are
    items = (drawn[:, :bits] < 0.5).reshape(rows, length, _VECTORS, _BITS).astype(np.float32)
    asked = (drawn[:, bits] * (length - 1)).astype(np.int64)  # the last item has none after it
    inputs = np.zeros((rows, _steps(length), _BITS + 2), dtype=np.float32)
    for place in range(length):
        inputs[:, place * _EACH, _ITEM] = 1
        inputs[:, place * _EACH + 1 : (place + 1) * _EACH, :_BITS] = items[:, place]
    query = length * _EACH
    inputs[:, [query, query + _EACH], _QUERY] = 1
    every = np.arange(rows)
    inputs[:, query + 1 : query + _EACH, :_BITS] = items[every, asked]
    return BitBatch(inputs, items[every, asked + 1])


def _steps(length: int) -> int:
    """Return T: the items, the one asked for between its marks, the answer."""
    return length * _EACH + _EACH + 1 + _VECTORS


BITS = BitTask(
    name="associative-recall",
    title="Associative recall",
    says="Read {length} items of three vectors each, then one of them again. Output the item that followed it.",
    unit="items",
    inputs=_BITS + 2,
    outputs=_BITS,
    marks=("next item", "query"),
    trained=range(2, 7),
    tested=(2, 3, 4, 5, 6, 8, 10, 12, 15, 20),
    steps=_steps,
    draw=draw,
)
CORPUS = drawn_corpus(
    BITS,
    sha256="78e337dd4bab6b6cb8e9d53f3329303d942b159f1b7ed8dfe4e3a0069efe0ba3",
    citation="Alex Graves, Greg Wayne and Ivo Danihelka (2014): Neural Turing Machines, section 4.3",
    url="https://arxiv.org/abs/1410.5401",
)
