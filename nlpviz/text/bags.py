"""Bags of words: how often each word of a vocabulary stands in a text, whatever the order.

A bag holds words of three letters and more that are no stop words: what is left speaks of a text's subject. The stop
words are those of the Glasgow Information Retrieval Group as scikit-learn lists them, but for shorter words, which are
in no bag anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.vocabulary import SPECIALS, Vocabulary

FIRST = len(SPECIALS)
"""The id of the first word: the special ids before it are in no bag."""
_SHORTEST = 3  # letters
_STOP_WORDS = Path(__file__).with_name("stop_words.txt")


@cache
def stop_words() -> frozenset[str]:
    """Return the words that say nothing of a text's subject."""
    return frozenset(_STOP_WORDS.read_text(encoding="utf-8").split())


def belongs(word: str) -> bool:
    """Return whether a word, in the vocabulary's spelling, may be in a bag."""
    return len(word) >= _SHORTEST and word.isalpha() and word not in stop_words()


def bag_vocabulary(counts: Mapping[str, int], words: int) -> Vocabulary:
    """Return the commonest ``words`` that belong into bags, from how often each word stands in the texts."""
    return Vocabulary.ranked({word: count for word, count in counts.items() if belongs(word)}, words + FIRST)


def known_ids(ids: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the ids of the words that are in the vocabulary, in their order; all others are in no bag."""
    return ids[ids >= FIRST].astype(np.int64)


def bags_of(rows: Sequence[NDArray[np.integer]], size: int) -> NDArray[np.uint16]:
    """Return how often each word stands in each text, (N, W), from its ids.

    Args:
        rows: the ids of each text; special ones are left out.
        size: of the vocabulary, the special ids included, so that W = size - 2.
    """
    bags = np.zeros((len(rows), size - FIRST), dtype=np.uint16)
    for bag, row in zip(bags, rows, strict=True):
        np.add.at(bag, known_ids(np.asarray(row)) - FIRST, 1)
    return bags


def halves(bag: NDArray[np.integer], rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return two bags (W,) of half of the words each, drawn at random; of an odd number the first has one more."""
    words = rng.permutation(np.repeat(np.arange(len(bag)), bag))
    first, second = np.array_split(words, 2)
    size = len(bag)
    return np.bincount(first, minlength=size), np.bincount(second, minlength=size)
