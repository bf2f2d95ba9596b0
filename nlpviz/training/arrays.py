"""The data of a corpus that a fit needs, as named arrays: ids, words with their counts, numbered sentences.

In this form it may lie in a file and travel (:mod:`nlpviz.training.packing`): numbers, and the words that they stand
for, from which a run is fitted where neither the corpus nor what reads it is there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlpviz.text.numbered import NumberedTexts
from nlpviz.text.vocabulary import SPECIALS, Vocabulary

Arrays = Mapping[str, NDArray[Any]]
LOGGED = "logged"
"""With it begin the names of arrays that a fit reads for its log alone: the test split's."""
_COMMON = (1 << 16) - 1
"""Numbers below it take two bytes each; this one stands for all others, which are in a row of their own."""


def rows_as_arrays(name: str, rows: Sequence[NDArray[np.integer]]) -> dict[str, NDArray[Any]]:
    """Return rows of numbers, each of its own length, as two arrays."""
    values = np.concatenate(rows) if len(rows) else np.empty(0, dtype=np.int64)
    return {f"{name}.values": values, f"{name}.lengths": np.array([len(row) for row in rows], dtype=np.int64)}


def rows_of(arrays: Arrays, name: str) -> list[NDArray[np.int64]]:
    """Return what :func:`rows_as_arrays` took, int64."""
    values, lengths = arrays[f"{name}.values"].astype(np.int64), arrays[f"{name}.lengths"].astype(np.int64)
    return np.split(values, np.cumsum(lengths)[:-1]) if len(lengths) else []


def vocabulary_as_arrays(name: str, vocabulary: Vocabulary) -> dict[str, NDArray[Any]]:
    """Return a vocabulary as two arrays: its words, line by line, and their counts."""
    return {
        f"{name}.words": text_as_array("\n".join(vocabulary.words[len(SPECIALS) :])),
        f"{name}.counts": vocabulary.counts[len(SPECIALS) :],
    }


def vocabulary_of(arrays: Arrays, name: str) -> Vocabulary:
    """Return what :func:`vocabulary_as_arrays` took."""
    words = text_of(arrays[f"{name}.words"])
    return Vocabulary(words.split("\n") if words else [], arrays[f"{name}.counts"].tolist())


def numbered_as_arrays(name: str, texts: NumberedTexts) -> dict[str, NDArray[Any]]:
    """Return numbered texts as arrays: words in alphabetical order, whose counts say which number each has.

    Of a word what differs from the word before is kept, and how many signs do not.
    """
    counts = texts.counts
    words = sorted(counts)
    shared = list(starmap(_shared, pairwise(["", *words])))
    endings = (word[same:] for word, same in zip(words, shared, strict=True))
    return {
        f"{name}.endings": text_as_array("\n".join(endings)),
        f"{name}.shared": np.array(shared, dtype=np.int64),
        f"{name}.counts": np.array([counts[word] for word in words], dtype=np.int64),
        f"{name}.ids": np.minimum(texts.ids, _COMMON).astype(np.uint16),
        f"{name}.rare": texts.ids[texts.ids >= _COMMON] - _COMMON,
        f"{name}.lengths": texts.lengths,
    }


def _shared(first: str, second: str) -> int:
    """Return with how many equal signs two words begin."""
    unlike = (place for place, (one, other) in enumerate(zip(first, second, strict=False)) if one != other)
    return next(unlike, min(len(first), len(second)))


def numbered_of(arrays: Arrays, name: str) -> NumberedTexts:
    """Return what :func:`numbered_as_arrays` took."""
    words: list[str] = []
    word = ""
    shared = arrays[f"{name}.shared"].tolist()
    for same, ending in zip(shared, text_of(arrays[f"{name}.endings"]).split("\n"), strict=bool(shared)):
        word = word[:same] + ending
        words.append(word)
    order = np.argsort(-arrays[f"{name}.counts"].astype(np.int64), kind="stable")
    ids = arrays[f"{name}.ids"].astype(np.uint32)
    ids[ids == _COMMON] += arrays[f"{name}.rare"].astype(np.uint32)
    return NumberedTexts([words[place] for place in order], ids, arrays[f"{name}.lengths"].astype(np.int64))


def sentences_as_arrays(name: str, sentences: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return sentences as the numbers of their words: a word is what is between spaces."""
    return numbered_as_arrays(name, NumberedTexts.of(sentence.split(" ") for sentence in sentences))


def sentences_of(arrays: Arrays, name: str) -> list[str]:
    """Return what :func:`sentences_as_arrays` took, sign for sign."""
    return list(map(" ".join, numbered_of(arrays, name).each()))


def text_as_array(text: str) -> NDArray[np.uint8]:
    """Return the bytes of ``text`` in UTF-8."""
    return np.frombuffer(text.encode(), dtype=np.uint8)


def text_of(array: NDArray[np.uint8]) -> str:
    """Return what :func:`text_as_array` took."""
    return array.tobytes().decode()
