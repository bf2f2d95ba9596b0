"""Texts that nearly stand among others: most of their sequences of five words are in one of these.

Broder (1997), *On the Resemblance and Containment of Documents*: containment of shingles. Candidates are found by the
text's rarest shingles alone (Chaudhuri, Ganti and Kaushik 2006, *A Primitive Operator for Similarity Joins in Data
Cleaning*): a text that holds enough of all shingles holds one of these, and what stands everywhere costs no time.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

_FACTORS = np.array(
    (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F), np.uint64
)
"""Odd ones, for each word of a shingle: its hash knows their order."""
_FEWEST_SHINGLES = 4
_ALIKE = 0.7  # of a text's shingles that stand in one other text
_MOST_SHINGLES = 2_000_000  # kept in memory; of larger corpora a sample, the same ones of each text
_COMPARED = 1_000  # texts with a text's rarest shingles: where more have them, the first ones


def nearly_in(texts: Sequence[str], others: Sequence[str]) -> int:
    """Return how many of the ``others`` have most of their sequences of five words in one of the ``texts``.

    Short texts, of fewer than eight words, are not looked at.
    """
    distinct = dict.fromkeys(texts)
    every = max(ceil(sum(text.count(" ") + 1 for text in distinct) / _MOST_SHINGLES), 1)
    index = _Index([_shingles(text, every) for text in distinct])
    return sum(index.holds(own) for text in others if len(own := _shingles(text, every)) >= _FEWEST_SHINGLES)


class _Index:
    """In which texts each shingle stands."""

    def __init__(self, shingles: Sequence[NDArray[np.uint64]]) -> None:
        """Take the shingles of each text."""
        every = np.concatenate([np.empty(0, dtype=np.uint64), *shingles])
        order = np.argsort(every, kind="stable")
        self._shingles = every[order]
        self._places = np.repeat(np.arange(len(shingles), dtype=np.int32), [len(own) for own in shingles])[order]

    def holds(self, own: NDArray[np.uint64]) -> bool:
        """Return whether enough of a text's shingles stand in one text."""
        enough = ceil(_ALIKE * len(own))
        starts, ends = (np.searchsorted(self._shingles, own, side) for side in ("left", "right"))
        rarest_first = np.argsort(ends - starts, kind="stable")
        texts = [self._places[starts[one] : ends[one]] for one in rarest_first]  # of each shingle, in order
        candidates = np.unique(np.concatenate([one[:_COMPARED] for one in texts[: len(own) - enough + 1]])[:_COMPARED])
        found = np.zeros(len(candidates), dtype=np.intp)
        for one in texts if len(candidates) else []:
            if len(one):
                found += one[np.searchsorted(one, candidates).clip(max=len(one) - 1)] == candidates
        return bool((found >= enough).any())


def _shingles(text: str, every: int) -> NDArray[np.uint64]:
    """Return the hashes of a text's shingles, each once; of long corpora one of every so many, whatever text it is in.

    The same in every process.
    """
    words = np.array([crc32(word.encode("utf-8", "surrogatepass")) for word in text.split(" ")], dtype=np.uint64)
    if len(words) < len(_FACTORS):
        return words[:0]
    mixed = np.convolve(words, _FACTORS, "valid")
    every_one = np.unique(mixed ^ mixed >> np.uint64(32))
    kept: NDArray[np.uint64] = every_one[every_one % np.uint64(every) == 0]
    return kept
